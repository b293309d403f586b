//! `honinbo net info`: what a network file is.

use super::{locate, read};
use crate::failure::Failure;
use crate::output::Output;
use std::path::PathBuf;

pub(crate) fn info(name: Option<&str>, json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let path = locate(name, data)?;
    let info = read(&path)?.info();
    if json {
        output.json(&info)?;
    } else {
        output.line(format!("file           {}", path.display()))?;
        output.line(info.to_string())?;
    }
    Ok(())
}
