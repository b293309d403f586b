//! TLS of the web app: a certificate and its key, read again when their files change.

use crate::ServeError;
use parking_lot::RwLock;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio_rustls::TlsAcceptor;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Where certificate and key are, both as PEM.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate, and those between it and one that browsers know.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

/// A certificate that may be renewed while it is used.
#[derive(Debug)]
struct Renewed(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Renewed {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read()))
    }
}

/// What makes encrypted connections of plain ones.
#[derive(Clone)]
pub(crate) struct Tls {
    pub(crate) acceptor: TlsAcceptor,
    files: TlsFiles,
    certificate: Arc<Renewed>,
}

impl Tls {
    /// Reads certificate and key.
    pub(crate) fn new(files: TlsFiles) -> Result<Self, ServeError> {
        let certificate = Arc::new(Renewed(RwLock::new(read(&files)?)));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let refused =
            |error: rustls::Error| ServeError::Tls { file: files.certificate.clone(), why: error.to_string() };
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(refused)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&certificate) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), files, certificate })
    }

    /// Reads the files again whenever they have changed. What cannot be used changes nothing. Never ends by itself.
    pub(crate) async fn keep_fresh(self) {
        let mut known = self.changed_at();
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let now = self.changed_at();
            if now == known {
                continue;
            }
            known = now;
            self.renew();
        }
    }

    fn renew(&self) {
        match read(&self.files) {
            Ok(fresh) => {
                *self.certificate.0.write() = fresh;
                tracing::info!("the renewed certificate is used from now on");
            }
            Err(error) => tracing::error!(%error, "the changed certificate cannot be used; the one before goes on"),
        }
    }

    fn changed_at(&self) -> [Option<SystemTime>; 2] {
        [&self.files.certificate, &self.files.key].map(|file| fs::metadata(file).ok()?.modified().ok())
    }
}

fn read(files: &TlsFiles) -> Result<Arc<CertifiedKey>, ServeError> {
    let refused = |file: &PathBuf, why: String| ServeError::Tls { file: file.clone(), why };
    let chain = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| refused(&files.certificate, error.to_string()))?;
    if chain.is_empty() {
        return Err(refused(&files.certificate, "there is no certificate in it".into()));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| refused(&files.key, error.to_string()))?;
    let certified = CertifiedKey::from_der(chain, key, &rustls::crypto::ring::default_provider());
    certified.map(Arc::new).map_err(|error| refused(&files.key, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &std::path::Path, name: &str) -> TlsFiles {
        let made = rcgen::generate_simple_self_signed(vec![name.to_owned()]).unwrap();
        let files = TlsFiles { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
        fs::write(&files.certificate, made.cert.pem()).unwrap();
        fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        files
    }

    #[test]
    fn a_renewed_certificate_is_used_and_a_damaged_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let tls = Tls::new(files(folder.path(), "a.example")).unwrap();
        let shown = || tls.certificate.0.read().cert[0].to_vec();
        let first = shown();
        files(folder.path(), "b.example");
        tls.renew();
        let second = shown();
        assert_ne!(first, second);
        fs::write(&tls.files.key, "nothing").unwrap();
        tls.renew();
        assert_eq!(shown(), second);
    }

    #[test]
    fn what_is_no_certificate_or_another_ones_key_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let good = files(folder.path(), "a.example");
        let other = tempfile::tempdir().unwrap();
        let another = files(other.path(), "a.example");
        for wrong in [
            TlsFiles { certificate: folder.path().join("missing.pem"), ..good.clone() },
            TlsFiles { certificate: good.key.clone(), ..good.clone() },
            TlsFiles { key: good.certificate.clone(), ..good.clone() },
            TlsFiles { key: another.key, ..good.clone() },
        ] {
            assert!(matches!(Tls::new(wrong.clone()), Err(ServeError::Tls { .. })), "{wrong:?}");
        }
    }
}
