//! Servers with TLS: whom they may be certified by, and what is said where they are not.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod common;

use common::{MadeUp, either_server, header, options, search};
use honinbo_evaluator::StopFlag;
use honinbo_remote::{Authorities, ConnectError, EndpointError, RemoteEvaluator, RemoteOptions, Token};
use honinbo_testkit::inference_servers::InferenceServer;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Somebody who signs certificates.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let own = params.self_signed(&key).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ca.pem"), own.pem()).unwrap();
        Self { issuer: Issuer::new(params, key), folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A certificate for a name, and its key.
    fn certify(
        &self,
        name: &str,
        change: impl FnOnce(&mut CertificateParams),
    ) -> (CertificateDer<'static>, PrivateKeyDer<'static>) {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        change(&mut params);
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        (certificate.der().clone(), PrivateKeyDer::try_from(key.serialize_der()).unwrap())
    }
}

/// TLS in front of an inference server, as a proxy has it; ends with the runtime.
struct Encrypted {
    _runtime: tokio::runtime::Runtime,
    scheme: String,
    address: SocketAddr,
}

impl Encrypted {
    fn before(server: &InferenceServer, (chain, key): (CertificateDer<'static>, PrivateKeyDer<'static>)) -> Self {
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let mut config = config.with_single_cert(vec![chain], key).unwrap();
        let address = server.address();
        let (scheme, behind) = address.split_once("://").unwrap();
        if scheme == "grpc" {
            config.alpn_protocols = vec![b"h2".to_vec()];
        }
        let (scheme, behind) = (format!("{scheme}s"), behind.to_owned());
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, behind) = (acceptor.clone(), behind.clone());
                tokio::spawn(async move {
                    // Whoever does not trust the certificate leaves in the middle of this.
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let mut plain = TcpStream::connect(behind).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut plain).await;
                });
            }
        });
        Self { _runtime: runtime, scheme, address }
    }

    fn options(&self, server: &InferenceServer, trusted: Option<&Authority>) -> RemoteOptions {
        let authorities = trusted.map(|authority| Authorities::from_file(&authority.file()).unwrap());
        RemoteOptions {
            endpoints: vec![format!("{}://{}", self.scheme, self.address).parse().unwrap()],
            authorities: authorities.unwrap_or_default(),
            token: Token::new("secret"),
            ..options(&[server])
        }
    }
}

fn connect(options: &RemoteOptions) -> Result<RemoteEvaluator, ConnectError> {
    RemoteEvaluator::connect(options, header(), &MadeUp::default(), &StopFlag::new())
}

#[test]
fn a_server_of_an_authority_that_was_named_computes_as_here() {
    let authority = Authority::new();
    for start in [InferenceServer::start, InferenceServer::start_grpc] {
        let server = start("honinbo", common::ARRAYS, Some("secret"));
        let encrypted = Encrypted::before(&server, authority.certify("127.0.0.1", |_| {}));
        let remote = connect(&encrypted.options(&server, Some(&authority))).unwrap();
        assert_eq!(search(Arc::new(remote), 100), search(Arc::new(MadeUp::default()), 100));
        assert!(server.positions() > 30);
    }
}

#[test]
fn a_certificate_that_is_not_trusted_is_refused_with_a_sentence_and_asked_nothing() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let expired = |params: &mut CertificateParams| {
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(2021, 1, 1);
    };
    for (index, (by, name, expires, trusted, said)) in [
        (&authority, "127.0.0.1", false, None, "authority"),
        (&authority, "127.0.0.1", false, Some(&stranger), "authority"),
        (&stranger, "127.0.0.1", false, Some(&authority), "authority"),
        (&authority, "gpu.example", false, Some(&authority), "another name"),
        (&authority, "127.0.0.1", true, Some(&authority), "expired"),
    ]
    .into_iter()
    .flat_map(|case| [(0, case), (1, case)])
    {
        let certificate = by.certify(name, |params| {
            if expires {
                expired(params)
            }
        });
        let server = &either_server()[index];
        let encrypted = Encrypted::before(server, certificate);
        let Err(error) = connect(&encrypted.options(server, trusted)) else { panic!("it was trusted: {said}") };
        let ConnectError::Refused { error: EndpointError::Certificate { reason }, .. } = &error else {
            panic!("{error:?}")
        };
        assert!(reason.contains(said), "{reason}");
        let sentence = format!("{error}; {}", error.hint());
        assert!(sentence.contains("certificate is not trusted") && sentence.contains("--inference-ca"), "{sentence}");
        assert_eq!(server.batches(), 0);
    }
}

#[test]
fn a_file_without_a_certificate_is_said_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    assert!(Authorities::from_file(&file).unwrap_err().to_string().contains("cannot be read"));
    for text in ["", "nothing", &KeyPair::generate().unwrap().serialize_pem()] {
        std::fs::write(&file, text).unwrap();
        assert!(Authorities::from_file(&file).unwrap_err().to_string().contains("no certificate"), "{text}");
    }
}
