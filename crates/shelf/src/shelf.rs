//! Fetching, listing and removing networks of a folder.

use crate::checksums::Checksums;
use crate::download::{Download, SILENCE};
use crate::error::{DownloadError, FetchError, ListError};
use crate::list::{ListedNetwork, NetworkList};
use crate::part::Part;
use crate::signature::ListSource;
use crate::signed::{Published as _, SignedFile};
use honinbo_evaluator::StopFlag;
use honinbo_net::{Limits, NetworkFile, sha256_of};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How far a fetch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchStage {
    /// Bytes so far, and in all where the server says it.
    Downloading(u64, Option<u64>),
    /// All of it is there and is read.
    Checking,
}

/// The shelf of one data folder. Knows no state but what lies in its folders, so that several programs may have one.
#[derive(Clone)]
pub struct Shelf {
    /// Holds the renewed list and the checksums.
    data_dir: PathBuf,
    /// Where networks are put.
    networks: PathBuf,
    list: ListFrom,
    silence: Duration,
}

#[derive(Clone)]
enum ListFrom {
    /// The list in the program, or a signed one in the data folder that is newer.
    Signed(Option<ListSource>),
    /// A list that the person named.
    File(PathBuf),
}

impl Shelf {
    /// A shelf that puts networks into the folder `networks` and takes its list from the program, or from `source`
    /// once it was renewed.
    pub fn new(data_dir: &Path, networks: &Path, source: Option<ListSource>) -> Self {
        Self::with(data_dir, networks, ListFrom::Signed(source))
    }

    /// A shelf with the list of a file on this machine, which nobody has to have signed.
    pub fn with_list_file(data_dir: &Path, networks: &Path, list: PathBuf) -> Self {
        Self::with(data_dir, networks, ListFrom::File(list))
    }

    fn with(data_dir: &Path, networks: &Path, list: ListFrom) -> Self {
        Self { data_dir: data_dir.to_owned(), networks: networks.to_owned(), list, silence: SILENCE }
    }

    /// Gives up a download after so long without a byte.
    #[must_use]
    pub fn with_silence(self, silence: Duration) -> Self {
        Self { silence, ..self }
    }

    /// The folder that networks are put into.
    pub fn folder(&self) -> &Path {
        &self.networks
    }

    /// The list as it is now. A renewed list counts only while its signature holds, it can be read and it is newer
    /// than the program's own.
    ///
    /// # Errors
    /// [`ListError`] for a list that the person named; the program's own is always there.
    pub fn list(&self) -> Result<NetworkList, ListError> {
        match &self.list {
            ListFrom::File(path) => {
                NetworkList::parse(&fs::read(path).map_err(|source| NetworkList::unusable(path, source))?)
            }
            ListFrom::Signed(None) => Ok(NetworkList::own()),
            ListFrom::Signed(Some(source)) => {
                let own = NetworkList::own();
                match self.renewed(source).kept::<NetworkList>() {
                    Ok(Some(renewed)) if renewed.serial > own.serial => Ok(renewed),
                    Ok(_) => Ok(own),
                    Err(error) => {
                        tracing::warn!(%error, "the renewed list of networks is not used");
                        Ok(own)
                    }
                }
            }
        }
    }

    /// Whether the list can be renewed: the program knows where from and who signs it.
    pub fn can_renew(&self) -> bool {
        matches!(self.list, ListFrom::Signed(Some(_)))
    }

    /// Fetches the list that the maintainers have now. Answers with `None` where the one in use is the newest, or where
    /// nobody is known who could renew it.
    ///
    /// # Errors
    /// [`ListError`]; the list in use stays.
    pub fn renew(&self, stop: &StopFlag) -> Result<Option<NetworkList>, ListError> {
        let ListFrom::Signed(Some(source)) = &self.list else { return Ok(None) };
        let file = self.renewed(source);
        let mut current = 0;
        let fetched = file.fetch::<NetworkList>(self.silence, stop, || {
            current = self.list()?.serial;
            Ok(current)
        })?;
        if fetched.content.serial == current { Ok(None) } else { file.keep(fetched).map(Some) }
    }

    fn renewed<'s>(&self, source: &'s ListSource) -> SignedFile<'s> {
        SignedFile { source, folder: self.data_dir.clone(), name: "network-list" }
    }

    /// Bytes of a network that an earlier, broken-off fetch left.
    pub fn begun(&self, file: &str) -> u64 {
        fs::metadata(Part::path_in(&self.networks, file)).map_or(0, |metadata| metadata.len())
    }

    /// Fetches a listed network into the folder and gives its path. What was broken off goes on where it was; where one
    /// address fails the next one is asked.
    ///
    /// # Errors
    /// [`FetchError`]; nothing that is not the right network is kept under its name.
    pub fn fetch(
        &self,
        network: &ListedNetwork,
        progress: &dyn Fn(FetchStage),
        stop: &StopFlag,
    ) -> Result<PathBuf, FetchError> {
        let file = &network.file;
        check_name(file)?;
        let unusable = |path: &Path, source| FetchError::Folder { path: path.to_owned(), source };
        fs::create_dir_all(&self.networks).map_err(|source| unusable(&self.networks, source))?;
        let (part, target) = (Part::hold(&self.networks, file)?, self.networks.join(file));
        let mut failed = None;
        for address in &network.addresses {
            match self.fetch_from(address, network, &part, progress, stop) {
                Ok(sha256) => {
                    fs::rename(part.path(), &target).map_err(|source| unusable(&target, source))?;
                    if network.sha256.is_none()
                        && let Err(error) = Checksums::in_folder(&self.data_dir).keep(file, &sha256)
                    {
                        tracing::warn!(%error, network = file, "the checksum of a fetched network is not remembered");
                    }
                    return Ok(target);
                }
                Err(error) if error.is_stopped() || stop.is_set() => return Err(error),
                // A full disk is full for the next address too.
                Err(error @ (FetchError::Folder { .. } | FetchError::Download(DownloadError::Unwritable { .. }))) => {
                    return Err(error);
                }
                Err(error) => {
                    tracing::warn!(%error, "the next address is asked");
                    failed = Some(error);
                }
            }
        }
        Err(failed.unwrap_or_else(|| FetchError::NotListed(file.clone())))
    }

    fn fetch_from(
        &self,
        address: &str,
        network: &ListedNetwork,
        part: &Part,
        progress: &dyn Fn(FetchStage),
        stop: &StopFlag,
    ) -> Result<String, FetchError> {
        let limit = Limits::default().file_bytes;
        let download = Download { silence: self.silence, ..Download::new(address, part, limit) };
        download.run(&|bytes, total| progress(FetchStage::Downloading(bytes, total)), stop)?;
        progress(FetchStage::Checking);
        let expected = network.sha256.clone().or_else(|| Checksums::in_folder(&self.data_dir).get(&network.file));
        let accepted = accept(&network.file, address, part.path(), expected.as_deref());
        part.forget();
        if accepted.is_err() {
            part.remove(); // What is not the right file is nothing to go on from.
        }
        accepted
    }

    /// Takes a network, or what was begun of it, out of the folder. Answers whether there was one.
    ///
    /// # Errors
    /// [`FetchError::BadName`], [`FetchError::Folder`], and [`DownloadError::Busy`] where another program fetches it.
    pub fn remove(&self, file: &str) -> Result<bool, FetchError> {
        check_name(file)?;
        if !self.networks.is_dir() {
            return Ok(false);
        }
        let part = Part::hold(&self.networks, file)?;
        part.forget();
        let mut was_there = false;
        for path in [part.path().to_owned(), self.networks.join(file)] {
            match fs::remove_file(&path) {
                Ok(()) => was_there = true,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(FetchError::Folder { path, source }),
            }
        }
        Ok(was_there)
    }
}

/// Checks that what came into `part` from `address` is a network that can be read and, where a SHA-256 is expected, that
/// one; gives its SHA-256.
///
/// # Errors
/// [`FetchError::Unreadable`], [`FetchError::Checksum`], [`FetchError::Folder`]. The file is left as it is.
pub fn accept(file: &str, address: &str, part: &Path, expected: Option<&str>) -> Result<String, FetchError> {
    let unreadable = |source| FetchError::Folder { path: part.to_owned(), source };
    let found = sha256_of(part).map_err(unreadable)?;
    let bytes = fs::read(part).map_err(unreadable)?;
    // A page in the place of a file says more than its checksum.
    NetworkFile::from_bytes(file, &bytes, &Limits::default())
        .map_err(|source| FetchError::Unreadable { address: address.to_owned(), source })?;
    match expected.filter(|expected| *expected != found) {
        Some(expected) => Err(FetchError::Checksum { file: file.to_owned(), expected: expected.to_owned(), found }),
        None => Ok(found),
    }
}

/// Whether a file of this name can be a network of the folder: a plain name everywhere, of a kind that is found again.
pub fn is_network_file(name: &str) -> bool {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte));
    let known = name.ends_with(".bin.gz") || name.ends_with(".txt.gz");
    plain && known && !name.starts_with(['.', '-']) && name.len() <= 200
}

/// As [`is_network_file`], as an error.
///
/// # Errors
/// [`FetchError::BadName`].
pub fn check_name(name: &str) -> Result<(), FetchError> {
    if is_network_file(name) { Ok(()) } else { Err(FetchError::BadName(name.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for bad in ["", "a", ".bin.gz", "../a.bin.gz", "a b.bin.gz", "-a.bin.gz", "a%2f.bin.gz", "a.onnx"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
        assert!(check_name("kata1-b18c384nbt-s9996604416-d4316597426.bin.gz").is_ok());
    }
}
