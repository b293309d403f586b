//! Libraries out of a Python wheel, or a library as it is.

use super::unusable;
use crate::error::RuntimeShelfError;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use zip::ZipArchive;

/// What all files of a wheel may have together; the largest published one has 0.35 GB.
const MAX_UNPACKED: u64 = 4 << 30;
const MAX_FILES: usize = 500;

/// Puts the libraries of `file` and their notices into a folder.
pub(super) fn unpack(file: &Path, into: &Path) -> Result<(), RuntimeShelfError> {
    let opened = File::open(file).map_err(|error| unusable(file, error))?;
    match ZipArchive::new(opened) {
        Ok(archive) => from_wheel(archive, file, into),
        Err(_) => from_library(file, into),
    }
}

fn from_wheel(mut archive: ZipArchive<File>, file: &Path, into: &Path) -> Result<(), RuntimeShelfError> {
    let damaged =
        |error: &dyn std::fmt::Display| RuntimeShelfError::Damaged { path: file.to_owned(), reason: error.to_string() };
    let mut left = MAX_UNPACKED;
    let mut found = 0;
    for index in 0..archive.len().min(MAX_FILES) {
        let entry = archive.by_index(index).map_err(|error| damaged(&error))?;
        // Only the last part of a name counts: nothing is written elsewhere.
        let path = entry.name().map_err(|error| damaged(&error))?.into_owned();
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        if !entry.is_file() || !(is_library(&name) || is_notice(&path)) || name.starts_with('.') {
            continue;
        }
        let target = into.join(&name);
        let mut written = File::create(&target).map_err(|error| unusable(&target, error))?;
        let count = io::copy(&mut entry.take(left + 1), &mut written).map_err(|error| damaged(&error))?;
        if count > left {
            return Err(damaged(&"it unpacks to more than any runtime has"));
        }
        left -= count;
        found += usize::from(name.contains("onnxruntime") && is_library(&name));
    }
    if found == 0 {
        return Err(RuntimeShelfError::NoLibrary(file.to_owned()));
    }
    Ok(())
}

/// A library, with the providers that lie beside it.
fn from_library(file: &Path, into: &Path) -> Result<(), RuntimeShelfError> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !is_library(&name) {
        return Err(RuntimeShelfError::NeitherWheelNorLibrary(file.to_owned()));
    }
    let mut copied = vec![(file.to_path_buf(), name)];
    for entry in file.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.contains("onnxruntime_providers_") && is_library(&name) {
            copied.push((entry.path(), name));
        }
    }
    for (from, name) in copied {
        fs::copy(&from, into.join(name)).map_err(|error| unusable(&from, error))?;
    }
    Ok(())
}

/// A shared library of any system. Python's own part of a wheel is none that is wanted.
fn is_library(name: &str) -> bool {
    let is_kind = [".dll", ".so", ".dylib"].iter().any(|end| name.ends_with(end)) || name.contains(".so.");
    is_kind && !name.contains("pybind")
}

fn is_notice(path: &str) -> bool {
    path.ends_with("/LICENSE") || path.ends_with("/ThirdPartyNotices.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_notices_are_taken_and_nothing_else() {
        for good in ["libonnxruntime.so.1.31.1", "libopenvino.so", "DirectML.dll", "libonnxruntime.1.31.dylib"] {
            assert!(is_library(good), "{good}");
        }
        for bad in ["onnxruntime_pybind11_state.cpython-312-x86_64-linux-gnu.so", "__init__.py", "model.onnx"] {
            assert!(!is_library(bad), "{bad}");
        }
        assert!(is_notice("onnxruntime/LICENSE") && !is_notice("onnxruntime/tools/a.py"));
    }
}
