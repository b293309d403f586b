//! Engines of others that are installed on this machine, found by their names.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::CommandLine;

/// A program that was found, and how it would be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledEngine {
    /// What it is called: `KataGo`.
    pub name: &'static str,
    /// The command line that starts it as an engine.
    pub command: String,
}

/// Programs by the names of their files, without an ending.
const KNOWN: [(&str, &str); 4] =
    [("katago", "KataGo"), ("leelaz", "Leela Zero"), ("gnugo", "GNU Go"), ("pachi", "Pachi")];

/// Debian's package of this name is a game of another kind.
const NO_ENGINES: [&str; 1] = ["/usr/games/pachi"];

/// Looks for KataGo, Leela Zero, GNU Go and Pachi in the folders of `path` (the variable `PATH`) and in those where
/// installers put programs. Nothing is started. `networks` are files that KataGo can read where it has none of its own.
#[must_use]
pub fn installed_engines(path: Option<&OsStr>, networks: &[PathBuf]) -> Vec<InstalledEngine> {
    KNOWN
        .iter()
        .filter_map(|(file, name)| {
            let program = find_program(file, path)?;
            Some(InstalledEngine { name, command: command(file, &program, networks) })
        })
        .collect()
}

/// The program of a name without a folder: in the folders of `path` (the variable `PATH`), otherwise where installers put
/// programs. What is opened from the Dock of a Mac has a `PATH` without the latter.
pub(super) fn find_program(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let ending = std::env::consts::EXE_SUFFIX;
    let file = if name.ends_with(ending) { name.to_owned() } else { format!("{name}{ending}") };
    folders(path).into_iter().map(|folder| folder.join(&file)).find(|path| is_program(path))
}

fn folders(path: Option<&OsStr>) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = path.map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
    // Relative ones depend on where the program is started.
    folders.retain(|folder| folder.is_absolute());
    let usual = ["/usr/games", "/usr/local/bin", "/opt/homebrew/bin", "/opt/katago", "/usr/local/games"];
    folders.extend(usual.map(PathBuf::from));
    for variable in ["ProgramFiles", "LOCALAPPDATA"] {
        if let Some(programs) = std::env::var_os(variable) {
            folders.extend(["KataGo", "katago", "LeelaZero", "GNU Go"].map(|name| Path::new(&programs).join(name)));
        }
    }
    folders
}

fn is_program(path: &Path) -> bool {
    let Ok(there) = path.metadata() else { return false };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&there.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    there.is_file() && runs && !NO_ENGINES.contains(&path.to_string_lossy().as_ref())
}

fn command(file: &str, program: &Path, networks: &[PathBuf]) -> String {
    let program_text = quoted(program);
    match file {
        "gnugo" => format!("{program_text} --mode gtp"),
        "leelaz" => format!("{program_text} --gtp --noponder"),
        "katago" => {
            let mut command = format!("{program_text} gtp");
            // Installers put a network and a configuration beside it; without them it looks for its own defaults.
            let near = program.parent().map(|folder| [folder.to_owned(), folder.join("../share/katago")]);
            let beside = near.iter().flatten().find_map(|folder| network_in(folder));
            if let Some(network) = beside.as_ref().or(networks.first()) {
                command.push_str(&format!(" -model {}", quoted(network)));
            }
            let configs = near.iter().flatten().flat_map(|folder| {
                ["gtp.cfg", "default_gtp.cfg", "gtp_example.cfg", "configs/gtp_example.cfg"]
                    .map(|name| folder.join(name))
            });
            if let Some(config) = configs.into_iter().find(|path| path.is_file()) {
                command.push_str(&format!(" -config {}", quoted(&config)));
            }
            command
        }
        _ => program_text,
    }
}

/// The first network in a folder, by name.
fn network_in(folder: &Path) -> Option<PathBuf> {
    let names = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_network = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        name.ends_with(".bin.gz") || name.ends_with(".txt.gz")
    };
    names.filter(is_network).min()
}

/// A path as a command line has it.
fn quoted(path: &Path) -> String {
    CommandLine::word(&path.display().to_string())
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn programs_are_found_by_their_names_and_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, mode: u32| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        put("gnugo", 0o755);
        put("leelaz", 0o644);
        put("katago", 0o755);
        put("net.bin.gz", 0o644);
        put("gtp_example.cfg", 0o644);
        let found = installed_engines(Some(folder.path().as_os_str()), &[]);
        let command = |name: &str| found.iter().find(|engine| engine.name == name).map(|engine| engine.command.clone());
        let at = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(command("GNU Go"), Some(format!("{} --mode gtp", at("gnugo"))));
        let katago = format!("{} gtp -model {} -config {}", at("katago"), at("net.bin.gz"), at("gtp_example.cfg"));
        assert_eq!(command("KataGo"), Some(katago));
        assert!(command("Leela Zero").is_none_or(|command| !command.starts_with(&at("leelaz"))), "{found:?}");
    }

    #[test]
    fn a_path_with_blanks_and_marks_is_one_word_of_the_command() {
        let path = Path::new("/anna's \"new\" engines/gnugo");
        let line = CommandLine::parse(&command("gnugo", path, &[])).unwrap();
        assert_eq!((Path::new(line.program()), line.arguments()), (path, &["--mode".to_owned(), "gtp".to_owned()][..]));
    }

    #[test]
    fn a_name_is_looked_for_where_installers_put_programs_too() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("my-engine");
        std::fs::write(&program, "").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find_program("my-engine", Some(folder.path().as_os_str())), Some(program));
        assert_eq!(find_program("my-engine", None), None);
        // What the Dock of a Mac gives.
        let folders = folders(Some(OsStr::new("/usr/bin:/bin:here")));
        assert_eq!(folders[..2], ["/usr/bin", "/bin"].map(PathBuf::from));
        assert!(folders.contains(&PathBuf::from("/opt/homebrew/bin")) && folders.iter().all(|one| one.is_absolute()));
    }

    #[test]
    fn the_platform_game_of_that_name_is_no_engine() {
        assert!(!is_program(Path::new("/usr/games/pachi")));
    }
}
