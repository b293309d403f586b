//! `honinbo net fetch`: a network into the data folder.

use super::shelf::fetch_listed;
use crate::app::data_dir;
use crate::args::FetchArgs;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::output::Output;
use crate::progress;
use honinbo_api::network_folder;
use honinbo_evaluator::StopFlag;
use honinbo_net::{Limits, sha256_of};
use honinbo_shelf::{Download, FetchError, Part, accept, check_address, check_name};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn fetch(args: &FetchArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let is_address = args.source.contains("://");
    let data = data_dir(data);
    if !is_address && !Path::new(&args.source).exists() {
        return fetch_listed(args, &data, output);
    }
    if is_address {
        check_address(&args.source)?;
    }
    let name = match &args.name {
        Some(name) => name.clone(),
        None => own_name(&args.source, is_address),
    };
    check_network_name(&name)?;
    let folder = network_folder(&data);
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let target = folder.join(&name);
    if target.exists() && !args.force {
        let there = sha256_of(&target).map_err(|error| unwritable(&target, &error))?;
        let wanted = match &args.sha256 {
            Some(sha256) => Some(sha256.clone()),
            None if !is_address => sha256_of(Path::new(&args.source)).ok(),
            None => None,
        };
        if wanted.as_ref() == Some(&there) {
            return say(args, &target, &there, "was there already", output);
        }
        return Err(Failure::new(
            format!("a network {name} is there already, with SHA-256 {there}"),
            "give it another name with --name, or say --force to replace it",
        ));
    }

    let part = Part::hold(&folder, &name)?;
    if is_address {
        download(&args.source, &part, Limits::default().file_bytes)?;
    } else {
        copy(Path::new(&args.source), part.path())?;
    }
    let accepted = accept(&name, &args.source, part.path(), args.sha256.as_deref());
    let outcome = accepted.map_err(Failure::from).and_then(|sha256| {
        fs::rename(part.path(), &target).map_err(|error| unwritable(&target, &error))?;
        Ok(sha256)
    });
    if outcome.is_err() {
        part.remove(); // What is not the right file is nothing to go on from.
    }
    let done = if is_address { "fetched" } else { "copied" };
    say(args, &target, &outcome?, done, output)
}

pub(super) fn say(
    args: &FetchArgs,
    target: &Path,
    sha256: &str,
    done: &str,
    output: &mut Output,
) -> Result<(), Failure> {
    let file_name = target.file_name().unwrap_or_default().to_string_lossy();
    if args.json {
        output.json(&json!({ "network": file_name, "path": target.display().to_string(), "sha256": sha256 }))?;
    } else {
        output.line(format!("{file_name} {done}: {}", target.display()))?;
        output.line(format!("SHA-256 {sha256}"))?;
        output.line(format!("use it with --net {file_name}, or choose it in the settings of the window"))?;
    }
    Ok(())
}

/// The last part of a path or an address.
fn own_name(source: &str, is_address: bool) -> String {
    let path = if is_address { source.split(['?', '#']).next().unwrap_or_default() } else { source };
    path.rsplit(['/', '\\']).next().unwrap_or_default().to_string()
}

/// As [`check_name`], with the option that gives another name.
fn check_network_name(name: &str) -> Result<(), Failure> {
    check_name(name).map_err(|error: FetchError| {
        let hint = format!("name it with --name: {}", error.hint());
        Failure::new(error.to_string(), hint)
    })
}

fn copy(source: &Path, part: &Path) -> Result<(), Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::new(
            format!("{} cannot be read: {error}", source.display()),
            "give a file, or an address that begins with https://",
        )
    };
    let size = fs::metadata(source).map_err(unreadable)?.len();
    if size > Limits::default().file_bytes {
        return Err(Failure::new(format!("{} is larger than any network", source.display()), "choose another file"));
    }
    fs::copy(source, part).map_err(unreadable)?;
    Ok(())
}

/// Downloads at most `limit` bytes, with a bar of progress on standard error; Ctrl-C stops it.
fn download(address: &str, part: &Part, limit: u64) -> Result<(), Failure> {
    with_progress(|progress, stop| Download::new(address, part, limit).run(progress, stop))?;
    part.forget();
    Ok(())
}

/// Shows a bar of progress on standard error while `work` tells it bytes so far and in all; Ctrl-C stops it.
pub(crate) fn with_progress<T, E>(
    work: impl FnOnce(&dyn Fn(u64, Option<u64>), &StopFlag) -> Result<T, E>,
) -> Result<T, E> {
    let stop = until_interrupted();
    let template = "{bar:30} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left";
    let bar = progress::bar(None, template);
    let result = work(
        &|bytes, total| {
            if let Some(total) = total {
                bar.set_length(total);
            }
            bar.set_position(bytes);
        },
        &stop,
    );
    bar.finish_and_clear();
    result
}

/// What to say of a file of the data folder that refused.
pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(
        format!("{} cannot be read or written: {error}", path.display()),
        "check the data folder and the room on the disk",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_end_of_a_path_or_address() {
        assert_eq!(own_name("https://example.org/nets/a.bin.gz?x=1/2#y", true), "a.bin.gz");
        assert_eq!(own_name("dir/b.txt.gz", false), "b.txt.gz");
        assert_eq!(own_name("https://example.org/", true), "");
    }
}
