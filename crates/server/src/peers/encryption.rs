//! What goes between servers is encrypted. Each makes a key and a certificate when it begins, and the store tells the others
//! the certificate's checksum: nobody else can stand in for it.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, UnixTime};
use rustls::version::TLS13;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, ServerConfig, SignatureScheme};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio_rustls::{TlsAcceptor, TlsConnector};

/// A server's own key and certificate, which end with it.
pub(crate) struct Identity {
    /// What makes encrypted connections of plain ones.
    pub(crate) acceptor: TlsAcceptor,
    /// The checksum of the certificate, SHA-256 in hexadecimal digits.
    pub(crate) certificate: String,
}

impl Identity {
    /// A fresh one.
    ///
    /// # Errors
    /// Where the system has no chance to give.
    pub(crate) fn new() -> Result<Self, String> {
        let made = rcgen::generate_simple_self_signed(Vec::new()).map_err(|error| error.to_string())?;
        let certificate = made.cert.der().clone();
        let checksum = checksum(&certificate);
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let config = ServerConfig::builder_with_provider(provider())
            .with_protocol_versions(&[&TLS13])
            .and_then(|config| config.with_no_client_auth().with_single_cert(vec![certificate], key.into()))
            .map_err(|error| error.to_string())?;
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), certificate: checksum })
    }
}

/// What connects to the server of a certificate, and to no other.
pub(super) fn connector(certificate: &str) -> Result<TlsConnector, Error> {
    let provider = provider();
    let verifier = Arc::new(Pinned { certificate: certificate.to_owned(), provider: Arc::clone(&provider) });
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// By what servers are called in the handshake: an address that nobody looks at.
pub(super) fn name() -> ServerName<'static> {
    ServerName::IpAddress(Ipv4Addr::LOCALHOST.into())
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn checksum(certificate: &CertificateDer<'_>) -> String {
    Sha256::digest(certificate).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // A string takes everything.
        text
    })
}

/// Takes one certificate, whoever signed it and until when: the store vouches for it.
#[derive(Debug)]
struct Pinned {
    certificate: String,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if checksum(certificate) == self.certificate {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
        }
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("servers speak TLS 1.3".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    #[tokio::test]
    async fn nobody_stands_in_for_a_server() {
        let [server, other] = [0; 2].map(|_| Identity::new().unwrap());
        for (certificate, is_known) in
            [(&server.certificate, true), (&other.certificate, false), (&String::new(), false)]
        {
            let (near, far) = duplex(1 << 16);
            let acceptor = server.acceptor.clone();
            let serving = tokio::spawn(async move {
                let mut stream = acceptor.accept(far).await?;
                stream.write_all(b"here").await?;
                stream.shutdown().await
            });
            let connected = connector(certificate).unwrap().connect(name(), near).await;
            assert_eq!(connected.is_ok(), is_known);
            let mut said = Vec::new();
            if let Ok(mut stream) = connected {
                stream.read_to_end(&mut said).await.unwrap();
            }
            assert_eq!(said.as_slice(), if is_known { b"here".as_slice() } else { b"" });
            assert_eq!(serving.await.unwrap().is_ok(), is_known);
        }
    }
}
