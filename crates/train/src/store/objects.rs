//! A store as this crate uses it: objects that are written once, read, and listed. Calls block.

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, RetryConfig};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;

use super::error::StoreError;
use super::http::Connector;

/// Times that something is tried before it is an error.
const TRIES: u32 = 5;
/// Characters of a bucket's name, at all makers.
const MIN_BUCKET: usize = 3;
const MAX_BUCKET: usize = 63;
/// Codes with which S3 and Azure refuse access.
const CODES_OF_RIGHTS: [&str; 6] = [
    "AccessDenied",
    "AuthenticationFailed",
    "ExpiredToken",
    "InvalidAccessKeyId",
    "InvalidToken",
    "SignatureDoesNotMatch",
];
/// Their codes for a bucket that is not there, or in another region.
const CODES_OF_NAMES: [&str; 6] = [
    "AuthorizationHeaderMalformed",
    "ContainerNotFound",
    "InvalidBucketName",
    "InvalidResourceName",
    "NoSuchBucket",
    "PermanentRedirect",
];
/// Most characters of what a store says that are told.
const MAX_REASON: usize = 300;

/// How a store is reached, beside its address and the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreOptions {
    /// The server of an `s3` or `az` store that is not the maker's own.
    pub endpoint: Option<String>,
    /// Whether a server on another machine may be asked without encryption.
    pub allow_plain_http: bool,
    /// Whether the folder of a `file` store has to be there; whoever begins a run makes it.
    pub must_exist: bool,
}

/// A place in an object store. Copies share connections.
#[derive(Debug, Clone)]
pub struct Store {
    inner: Arc<dyn ObjectStore>,
    prefix: Path,
    name: String,
    runtime: Arc<Runtime>,
    /// The first pause before something is tried again.
    pause: Duration,
}

/// What became of an object that was to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written {
    /// It holds what was given, now or before.
    Ours,
    /// Somebody else wrote it first.
    Theirs(Vec<u8>),
}

/// An object that is named by what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Blob {
    /// Its name.
    pub object: String,
    /// The checksum of what it holds, in hexadecimal digits.
    pub sha256: String,
}

impl Store {
    /// Opens a place in a store: `file:///FOLDER`, `s3://BUCKET/PREFIX`, `gs://…` or `az://CONTAINER/PREFIX`, with
    /// credentials from the environment under their makers' names.
    ///
    /// # Errors
    /// When the address or the settings make no sense. Nothing is asked yet.
    pub fn open(address: &str, options: &StoreOptions) -> Result<Self, StoreError> {
        const EXPECTED: &str = "a store's address begins with file:///, s3://, gs:// or az://";
        let (scheme, rest) = address.split_once("://").ok_or(StoreError::Address(EXPECTED))?;
        let (place, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        // The text is not repeated: it may be a password.
        if place.contains('@') || address.contains(['?', '#']) {
            return Err(StoreError::Address("a store's address has neither passwords nor parameters"));
        }
        let connector = Connector::new(options.allow_plain_http);
        let retry = RetryConfig { max_retries: 3, retry_timeout: Duration::from_secs(60), ..RetryConfig::default() };
        let settings = |error: Error| StoreError::Settings(brief(&error));
        if options.endpoint.is_some() && scheme != "s3" && scheme != "az" {
            return Err(StoreError::Settings("only s3 and az stores have an endpoint".to_owned()));
        }
        let bucket = |place: &str| {
            // Google's with dots may be longer.
            let has_length = place.len() >= MIN_BUCKET && (place.len() <= MAX_BUCKET || place.contains('.'));
            has_length.then(|| place.to_owned()).ok_or(StoreError::Address(
                "a store's address names a bucket or container, whose name has 3 to 63 characters",
            ))
        };
        let inner: Arc<dyn ObjectStore> = match scheme {
            "file" => {
                if !place.is_empty() || prefix.is_empty() {
                    return Err(StoreError::Address("the folder of a store is absolute, as in file:///srv/runs/five"));
                }
                // On Windows the path begins with a drive.
                let folder = if cfg!(windows) { prefix.to_owned() } else { format!("/{prefix}") };
                if options.must_exist && !std::path::Path::new(&folder).is_dir() {
                    return Err(StoreError::NoFolder(folder));
                }
                std::fs::create_dir_all(&folder).map_err(|error| StoreError::Failed {
                    object: address.to_owned(),
                    what: "written",
                    reason: error.to_string(),
                })?;
                let store = LocalFileSystem::new_with_prefix(&folder).map_err(settings)?.with_fsync(true);
                return Self::over(Arc::new(store), address);
            }
            "s3" => {
                let mut builder = AmazonS3Builder::from_env()
                    .with_bucket_name(bucket(place)?)
                    .with_allow_http(true)
                    .with_retry(retry)
                    .with_http_connector(connector);
                if let Some(endpoint) = &options.endpoint {
                    builder = builder.with_endpoint(endpoint);
                }
                if builder.get_config_value(&AmazonS3ConfigKey::Region).is_none() {
                    builder = builder.with_region("us-east-1");
                }
                Arc::new(builder.build().map_err(settings)?)
            }
            "gs" => Arc::new(
                GoogleCloudStorageBuilder::from_env()
                    .with_bucket_name(bucket(place)?)
                    .with_retry(retry)
                    .with_http_connector(connector)
                    .build()
                    .map_err(settings)?,
            ),
            "az" => {
                let mut builder = MicrosoftAzureBuilder::from_env()
                    .with_container_name(bucket(place)?)
                    .with_allow_http(true)
                    .with_retry(retry)
                    .with_http_connector(connector);
                if let Some(endpoint) = &options.endpoint {
                    builder = builder.with_endpoint(endpoint.clone());
                }
                Arc::new(builder.build().map_err(settings)?)
            }
            _ => return Err(StoreError::Address(EXPECTED)),
        };
        Ok(Self { prefix: Path::from(prefix), ..Self::over(inner, address)? })
    }

    /// A store that somebody else opened, under a name for messages.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn over(inner: Arc<dyn ObjectStore>, name: &str) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = Arc::new(runtime.map_err(|error| StoreError::Settings(error.to_string()))?);
        let pause = Duration::from_millis(100);
        Ok(Self { inner, prefix: Path::default(), name: name.to_owned(), runtime, pause })
    }

    /// With another first pause before something is tried again; each pause is twice as long as the one before.
    #[must_use]
    pub fn with_pause(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    /// Its address.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it keeps what it is told to keep, which everything else rests on.
    ///
    /// # Errors
    /// [`StoreError::Unconditional`] when it does not, or when it fails.
    pub fn check(&self) -> Result<(), StoreError> {
        let object = format!("probes/{}", token());
        self.tried(|| self.create_once(&object, b"first"))?;
        let kept = self.tried(|| self.create_once(&object, b"second"));
        let read = self.tried(|| self.read(&object));
        let _ = self.delete(&object);
        match (kept?, read?.as_deref()) {
            (false, Some(b"first")) => Ok(()),
            // The first write was answered and not kept; the second was the first.
            (true, Some(b"first")) | (_, None) => Err(StoreError::Forgotten(object)),
            _ => Err(StoreError::Unconditional),
        }
    }

    /// Writes an object that nobody wrote before, and looks whether it is there: an answer that was lost, a write that
    /// was done twice and one that was forgotten come out alike.
    pub(super) fn create(&self, object: &str, bytes: &[u8]) -> Result<Written, StoreError> {
        let mut pause = self.pause;
        let mut last = StoreError::Forgotten(object.to_owned());
        for attempt in 0..TRIES {
            if attempt > 0 {
                std::thread::sleep(pause);
                pause *= 2;
            }
            match self.create_once(object, bytes) {
                Ok(_) => {}
                Err(error @ StoreError::Failed { .. }) => last = error,
                Err(error) => return Err(error),
            }
            match self.read(object) {
                Ok(Some(found)) if found == bytes => return Ok(Written::Ours),
                Ok(Some(found)) => {
                    // Read again: it may have come incomplete.
                    match self.read(object) {
                        Ok(Some(again)) if again == bytes => return Ok(Written::Ours),
                        Ok(Some(again)) if again == found => return Ok(Written::Theirs(found)),
                        _ => {}
                    }
                }
                Ok(None) => {}
                Err(error @ StoreError::Failed { .. }) => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    /// One conditional write: whether it was answered that the object was written.
    pub(super) fn create_once(&self, object: &str, bytes: &[u8]) -> Result<bool, StoreError> {
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let payload = PutPayload::from(bytes.to_vec());
        let path = self.path(object);
        match self.runtime.block_on(self.inner.put_opts(&path, payload, options)) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            // Nothing has to be there before: what is not found is the bucket.
            Err(error @ Error::NotFound { .. }) => Err(StoreError::Bucket(brief(&error))),
            Err(error) => Err(failed(object, "written", &error)),
        }
    }

    /// Reads an object; `None` where there is none.
    pub(super) fn read(&self, object: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(object);
        let read = async {
            let found = self.inner.get(&path).await?;
            let size = found.meta.size;
            Ok((found.bytes().await?, size))
        };
        match self.runtime.block_on(read) {
            Ok((bytes, size)) if bytes.len() as u64 == size => Ok(Some(bytes.to_vec())),
            Ok((bytes, size)) => Err(StoreError::Failed {
                object: object.to_owned(),
                what: "read",
                reason: format!("{} of {size} bytes came", bytes.len()),
            }),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(object, "read", &error)),
        }
    }

    /// Names of the objects below a folder, without it, in their order.
    pub(super) fn list(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        let path = self.path(folder);
        let listed = self.runtime.block_on(self.inner.list(Some(&path)).try_collect::<Vec<_>>());
        let listed = listed.map_err(|error| failed(folder, "listed", &error))?;
        let before = format!("{path}/");
        let mut names: Vec<String> = listed
            .iter()
            .filter_map(|meta| meta.location.as_ref().strip_prefix(before.as_str()).map(str::to_owned))
            .collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Names of the folders in a folder.
    pub(super) fn folders(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        let path = self.path(folder);
        let listed = self.runtime.block_on(self.inner.list_with_delimiter(Some(&path)));
        let listed = listed.map_err(|error| failed(folder, "listed", &error))?;
        let mut names: Vec<String> =
            listed.common_prefixes.iter().filter_map(|path| path.filename().map(str::to_owned)).collect();
        names.sort();
        Ok(names)
    }

    pub(super) fn delete(&self, object: &str) -> Result<(), StoreError> {
        let path = self.path(object);
        match self.runtime.block_on(self.inner.delete(&path)) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(object, "deleted", &error)),
        }
    }

    /// Does something again while the store fails.
    pub(super) fn tried<T>(&self, what: impl Fn() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut pause = self.pause;
        for _ in 1..TRIES {
            match what() {
                Err(StoreError::Failed { .. }) => {}
                other => return other,
            }
            std::thread::sleep(pause);
            pause *= 2;
        }
        what()
    }

    /// A record, or `None` where there is none.
    pub(super) fn record<T: DeserializeOwned>(&self, object: &str) -> Result<Option<T>, StoreError> {
        self.tried(|| {
            let Some(bytes) = self.read(object)? else { return Ok(None) };
            // It may have come incomplete, so it is read again.
            serde_json::from_slice(&bytes).map(Some).map_err(|error| StoreError::Failed {
                object: object.to_owned(),
                what: "read",
                reason: error.to_string(),
            })
        })
    }

    /// Puts bytes where their checksum says. Where that place holds something else, a write broke off there: they go
    /// beside it.
    pub(super) fn put_blob(&self, folder: &str, bytes: &[u8], ending: &str) -> Result<Blob, StoreError> {
        let sha256 = checksum(bytes);
        for place in 0..3 {
            let beside = if place == 0 { String::new() } else { format!("-{place}") };
            let object = format!("{folder}/{sha256}{beside}.{ending}");
            if self.create(&object, bytes)? == Written::Ours {
                return Ok(Blob { object, sha256 });
            }
        }
        Err(StoreError::Damaged { object: format!("{folder}/{sha256}"), reason: "it holds something else".to_owned() })
    }

    /// Bytes that are what their checksum says.
    pub(super) fn blob(&self, blob: &Blob) -> Result<Vec<u8>, StoreError> {
        let damaged = |reason: &str| StoreError::Damaged { object: blob.object.clone(), reason: reason.to_owned() };
        let mut found = damaged("it is not there");
        for attempt in 0..TRIES {
            if attempt > 0 {
                std::thread::sleep(self.pause);
            }
            match self.tried(|| self.read(&blob.object))? {
                Some(bytes) if checksum(&bytes) == blob.sha256 => return Ok(bytes),
                Some(_) => found = damaged("its checksum is another"),
                None => {}
            }
        }
        Err(found)
    }

    fn path(&self, object: &str) -> Path {
        self.prefix.parts().chain(Path::from(object).parts()).collect()
    }
}

/// A name that nobody else has.
pub(super) fn token() -> String {
    let mut bytes = [0; 16];
    // Without chance of the system's, time and process serve: a name is no secret.
    if getrandom::fill(&mut bytes).is_err() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        bytes = (now.as_nanos() ^ u128::from(std::process::id()) << 96).to_le_bytes();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn failed(object: &str, what: &'static str, error: &Error) -> StoreError {
    let (object, reason) = (object.to_owned(), brief(error));
    // What a listing fails with has no kind of its own, only the store's code.
    let code = reason.split(':').next().unwrap_or_default();
    match error {
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => StoreError::Access { object, reason },
        _ if CODES_OF_RIGHTS.contains(&code) => StoreError::Access { object, reason },
        _ if CODES_OF_NAMES.contains(&code) => StoreError::Bucket(reason),
        Error::NotImplemented { .. } | Error::NotSupported { .. } => StoreError::Settings(reason),
        _ => StoreError::Failed { object, what, reason },
    }
}

/// What a store says, in a line. Of XML only the message is taken: the rest repeats the request and its signature.
fn brief(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = error.source();
    }
    let element = |name: &str| {
        let after = text.split_once(&format!("<{name}>"))?.1;
        Some(after.split_once(&format!("</{name}>"))?.0.to_owned())
    };
    let said = match (element("Code"), element("Message")) {
        (Some(code), Some(message)) if code != message => format!("{code}: {message}"),
        (Some(said), _) | (None, Some(said)) => said,
        (None, None) => text.split_once('<').map_or(text.as_str(), |(before, _)| before).to_owned(),
    };
    said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_REASON).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_make_no_sense_are_refused_without_repeating_them() {
        let refused = |address: &str| {
            let error = Store::open(address, &StoreOptions::default()).unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
            error
        };
        for address in [
            "runs/five",
            "ftp://host/x",
            "s3://",
            "s3://go/five",
            "gs://go",
            "az://a/five",
            "s3://a-bucket-whose-name-has-sixty-four-characters-and-that-is-too-long/x",
            "file://host/x",
            "file://",
            "s3://key:secret@bucket/x",
            "s3://bucket/x?secret=1",
        ] {
            assert!(matches!(refused(address), StoreError::Address(_)), "{address}");
        }
        let options = StoreOptions { endpoint: Some("http://127.0.0.1:1".into()), ..StoreOptions::default() };
        assert!(matches!(Store::open("gs://bucket/x", &options), Err(StoreError::Settings(_))));
    }

    #[test]
    fn a_folder_is_made_by_whoever_may_begin_a_run_and_by_nobody_else() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("typo");
        let address = format!("file://{}", folder.display());
        let options = StoreOptions { must_exist: true, ..StoreOptions::default() };
        let refused = Store::open(&address, &options).unwrap_err();
        assert_eq!(refused, StoreError::NoFolder(folder.display().to_string()));
        assert!(!folder.exists() && refused.hint().contains("address"));
        Store::open(&address, &StoreOptions::default()).unwrap();
        assert!(folder.exists() && Store::open(&address, &options).is_ok());
    }

    #[test]
    fn a_folder_keeps_what_it_is_told_to_keep() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&format!("file://{}", folder.path().display()), &StoreOptions::default()).unwrap();
        store.check().unwrap();
        assert_eq!(store.create("a/b.json", b"one").unwrap(), Written::Ours);
        assert_eq!(store.create("a/b.json", b"one").unwrap(), Written::Ours, "the same again");
        assert_eq!(store.create("a/b.json", b"two").unwrap(), Written::Theirs(b"one".to_vec()));
        assert_eq!(store.list("a").unwrap(), ["b.json"]);
        assert!(store.folders("").unwrap().contains(&"a".to_owned()));
        assert_eq!(store.read("a/c.json").unwrap(), None);
        let blob = store.put_blob("rows", b"rows", "npz").unwrap();
        assert_eq!(store.blob(&blob).unwrap(), b"rows");
        std::fs::write(folder.path().join(&blob.object), b"ro").unwrap();
        assert!(matches!(store.blob(&blob), Err(StoreError::Damaged { .. })));
        let again = store.put_blob("rows", b"rows", "npz").unwrap();
        assert_eq!((again.object == blob.object, store.blob(&again).unwrap()), (false, b"rows".to_vec()));
    }

    #[test]
    fn names_and_rights_are_told_from_a_store_that_fails() {
        let said = |code: &str| {
            let body = format!("Server returned 400: <Error><Code>{code}</Code><Message>No.</Message></Error>");
            failed("run.json", "written", &Error::Generic { store: "S3", source: body.into() })
        };
        for code in ["InvalidBucketName", "NoSuchBucket"] {
            assert_eq!(said(code), StoreError::Bucket(format!("{code}: No.")));
        }
        assert!(matches!(said("AccessDenied"), StoreError::Access { .. }));
        assert!(matches!(said("SlowDown"), StoreError::Failed { .. }));
        for refused in [said("InvalidBucketName"), said("InvalidToken")] {
            assert!(!refused.may_pass() && !refused.hint().contains("space"), "{}", refused.hint());
        }
    }

    #[test]
    fn what_a_store_says_is_told_in_a_line_without_signatures() {
        let body = "Server returned 403: <?xml?><Error><Code>SignatureDoesNotMatch</Code><Message>The request signature \
                    does not match</Message><StringToSign>secret</StringToSign></Error>";
        let error = Error::Generic { store: "S3", source: body.into() };
        assert_eq!(brief(&error), "SignatureDoesNotMatch: The request signature does not match");
    }
}
