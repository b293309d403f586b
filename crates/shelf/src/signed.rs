//! Small files that the maintainers publish and sign, kept in a folder with their signatures: the list of networks, and what
//! is said of the newest version.

use crate::download::Download;
use crate::error::DownloadError;
use crate::part::Part;
use crate::signature::ListSource;
use honinbo_evaluator::StopFlag;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Such files are small; one that is not is none.
const MAX_BYTES: u64 = 1 << 20;

/// What stands in such a file.
pub(crate) trait Published: Sized {
    type Error: From<DownloadError> + From<minisign_verify::Error>;

    /// Reads it, and checks all of it.
    fn parse(json: &[u8]) -> Result<Self, Self::Error>;
    /// Its number, which grows with every one that is published.
    fn serial(&self) -> u32;
    /// A number before the one that is known.
    fn older(found: u32, current: u32) -> Self::Error;
    /// A file or folder that refuses.
    fn unusable(path: &Path, source: io::Error) -> Self::Error;
}

/// One of these files: where it comes from and where it is kept.
pub(crate) struct SignedFile<'s> {
    pub(crate) source: &'s ListSource,
    pub(crate) folder: PathBuf,
    /// Its name in the folder, without an ending.
    pub(crate) name: &'static str,
}

/// One that was fetched, with a signature that holds.
pub(crate) struct Fetched<T> {
    pub(crate) content: T,
    text: Vec<u8>,
    signature: Vec<u8>,
}

impl SignedFile<'_> {
    /// The file and its signature.
    pub(crate) fn paths(&self) -> (PathBuf, PathBuf) {
        let named = |ending: &str| self.folder.join(format!("{}.{ending}", self.name));
        (named("json"), named("minisig"))
    }

    /// What was kept last; `None` where nothing is there.
    pub(crate) fn kept<T: Published>(&self) -> Result<Option<T>, T::Error> {
        let read = |path: &Path| match fs::metadata(path) {
            Ok(metadata) if metadata.len() <= MAX_BYTES => {
                fs::read(path).map(Some).map_err(|error| T::unusable(path, error))
            }
            _ => Ok(None),
        };
        let (text, signature) = self.paths();
        let (Some(text), Some(signature)) = (read(&text)?, read(&signature)?) else { return Ok(None) };
        self.source.key.verify(&text, &String::from_utf8_lossy(&signature))?;
        T::parse(&text).map(Some)
    }

    /// Fetches what is published now. What is `current` is asked for when that has come; an older one is refused.
    pub(crate) fn fetch<T: Published>(
        &self,
        silence: Duration,
        stop: &StopFlag,
        current: impl FnOnce() -> Result<u32, T::Error>,
    ) -> Result<Fetched<T>, T::Error> {
        fs::create_dir_all(&self.folder).map_err(|error| T::unusable(&self.folder, error))?;
        let fetch = |address: &str| -> Result<Vec<u8>, T::Error> {
            let part = Part::hold(&self.folder, address.rsplit('/').next().unwrap_or_default())?;
            part.remove(); // Never gone on with: it may have changed since.
            let done = Download { silence, ..Download::new(address, &part, MAX_BYTES) }.run(&|_, _| {}, stop);
            let bytes = done
                .map_err(T::Error::from)
                .and_then(|()| fs::read(part.path()).map_err(|error| T::unusable(part.path(), error)));
            part.remove();
            bytes
        };
        let text = fetch(&self.source.address)?;
        let signature = fetch(&format!("{}.minisig", self.source.address))?;
        self.source.key.verify(&text, &String::from_utf8_lossy(&signature))?;
        let content = T::parse(&text)?;
        let (found, current) = (content.serial(), current()?);
        if found < current {
            return Err(T::older(found, current));
        }
        Ok(Fetched { content, text, signature })
    }

    /// Keeps what was fetched in the place of what was there.
    pub(crate) fn keep<T: Published>(&self, fetched: Fetched<T>) -> Result<T, T::Error> {
        let (path, signature) = self.paths();
        // In between the two do not belong together, and nothing of them counts.
        fs::write(&signature, fetched.signature).map_err(|error| T::unusable(&signature, error))?;
        let fresh = path.with_extension("new");
        fs::write(&fresh, fetched.text).map_err(|error| T::unusable(&fresh, error))?;
        fs::rename(&fresh, &path).map_err(|error| T::unusable(&path, error))?;
        Ok(fetched.content)
    }
}
