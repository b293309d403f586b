//! Whose certificates are trusted, and what is said of those that are not.

use std::sync::Arc;

use rustls::{CertificateError, ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;

use crate::endpoint::Authorities;
use crate::error::{EndpointError, first_line};

/// TLS for connections over which HTTP/2 is spoken.
pub(crate) fn http2_config(authorities: &Authorities) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = if authorities.certificates().is_empty() {
        builder.with_platform_verifier()?.with_no_client_auth()
    } else {
        let mut roots = RootCertStore::empty();
        // As for REST: what is no authority's certificate signs nothing.
        roots.add_parsable_certificates(authorities.certificates().iter().map(|der| der.clone().into()));
        builder.with_root_certificates(roots).with_no_client_auth()
    };
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(config)
}

/// What is wrong with a certificate, where that is what ended the handshake.
pub(crate) fn distrust(error: &rustls::Error) -> Option<EndpointError> {
    use CertificateError as Wrong;
    let rustls::Error::InvalidCertificate(wrong) = error else { return None };
    let reason = match wrong {
        Wrong::UnknownIssuer | Wrong::BadSignature => "no authority that is trusted here has signed it".into(),
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => "it is for another name".into(),
        Wrong::Expired | Wrong::ExpiredContext { .. } => "it has expired".into(),
        other => first_line(&other.to_string()),
    };
    Some(EndpointError::Certificate { reason })
}
