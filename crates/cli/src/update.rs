//! `honinbo update`: a newer version of the program, by the updater of the window.

use crate::app::data_dir;
use crate::args::{PackageArg, UpdateArgs};
use crate::failure::Failure;
use crate::net::with_progress;
use crate::output::Output;
use honinbo_evaluator::StopFlag;
use honinbo_shelf::{ListSource, Package, PackageKind, Release, Updates, Version};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Looks for a newer version, says what is new, and fetches its package unless only a look is wanted. Installs nothing.
pub(crate) fn update(args: &UpdateArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let source = match ListSource::releases() {
        Some(source) => Some(source),
        None => ListSource::releases_of_environment()?,
    };
    if source.is_none() {
        return Err(Failure::new(
            "this program was built without an address of newer versions and a key to check them",
            "look where you got it",
        ));
    }
    let running = env!("CARGO_PKG_VERSION");
    let version = Version::parse(running).unwrap_or(Version::new(0, 0, 0)); // Cargo takes nothing else for a version.
    let updates = Updates::new(&data_dir(data), source, version);
    let Some(release) = updates.look(&StopFlag::new())? else {
        if args.json {
            output.json(&json!({ "version": running, "newest": null }))?;
        } else {
            output.line(format!("Honinbo {running} is the newest version"))?;
        }
        return Ok(());
    };
    if !args.json {
        say_what_is_new(&release, output)?;
    }
    let kind = args.package.map_or_else(installed_by, |kind| Some(PackageKind::from(kind)));
    let package = kind.and_then(|kind| release.package(kind, std::env::consts::ARCH));
    if args.package.is_some() && package.is_none() {
        return Err(Failure::new(
            format!("version {} has no such package for {} processors", release.version, std::env::consts::ARCH),
            format!("see {}", release.page),
        ));
    }
    let path = match package {
        Some(package) if !args.check => {
            let work = |progress: &dyn Fn(u64, Option<u64>), stop: &StopFlag| {
                updates.fetch(package, &|bytes| progress(bytes, Some(package.bytes)), stop)
            };
            Some(with_progress(work)?)
        }
        _ => None,
    };
    if args.json {
        return Ok(output.json(&described(running, &release, package, path.as_deref()))?);
    }
    match (package, path) {
        (Some(package), Some(path)) => {
            output.line(format!("fetched and checked: {}", path.display()))?;
            output.line(how_to_install(package.kind, &path))?;
        }
        (Some(_), None) => output.line("fetch it with `honinbo update`")?,
        (None, _) => output.line(format!("no package replaces this copy of the program; see {}", release.page))?,
    }
    Ok(())
}

fn say_what_is_new(release: &Release, output: &mut Output) -> Result<(), Failure> {
    output.line(format!("Honinbo {} of {} is out", release.version, release.date))?;
    for line in release.notes.get("en").map_or("", String::as_str).trim().lines() {
        // Signed, and yet no reason to let it steer the terminal.
        output.line(line.replace(|letter: char| letter.is_control(), ""))?;
    }
    Ok(())
}

fn installed_by() -> Option<PackageKind> {
    PackageKind::of_program(&std::env::current_exe().ok()?, Path::new("/"))
}

fn how_to_install(kind: PackageKind, path: &Path) -> String {
    let path = path.display();
    match kind {
        PackageKind::Deb => format!("install it with: sudo apt install \"{path}\""),
        PackageKind::Rpm => format!("install it with: sudo dnf install \"{path}\""),
        PackageKind::Setup => "close Honinbo and open the file to install it".into(),
        PackageKind::Dmg => "open the file and move Honinbo into the folder of programs".into(),
    }
}

fn described(running: &str, release: &Release, package: Option<&Package>, path: Option<&Path>) -> serde_json::Value {
    json!({
        "version": running,
        "newest": {
            "version": release.version,
            "date": release.date,
            "page": release.page,
            "notes": release.notes,
        },
        "package": package.map(|package| json!({
            "file": package.file,
            "bytes": package.bytes,
            "sha256": package.sha256,
            "path": path.map(|path| path.display().to_string()),
        })),
    })
}

impl From<PackageArg> for PackageKind {
    fn from(kind: PackageArg) -> Self {
        match kind {
            PackageArg::Deb => Self::Deb,
            PackageArg::Rpm => Self::Rpm,
            PackageArg::Setup => Self::Setup,
            PackageArg::Dmg => Self::Dmg,
        }
    }
}
