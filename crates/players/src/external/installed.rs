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
    /// Whether it wants a configuration file and none was found.
    pub lacks_config: bool,
}

/// Programs by the names of their files, without an ending.
const KNOWN: [(&str, &str); 4] =
    [("katago", "KataGo"), ("leelaz", "Leela Zero"), ("gnugo", "GNU Go"), ("pachi", "Pachi")];

/// Debian's package of this name is a game of another kind.
const NO_ENGINES: [&str; 1] = ["/usr/games/pachi"];

/// Looks for KataGo, Leela Zero, GNU Go and Pachi in the folders of `path` (the variable `PATH`) and in those where
/// installers put programs. Nothing is started. `networks` are files that KataGo can read where it has none of its own,
/// `home` is the person's folder, where it may have a configuration.
#[must_use]
pub fn installed_engines(path: Option<&OsStr>, home: Option<&Path>, networks: &[PathBuf]) -> Vec<InstalledEngine> {
    KNOWN
        .iter()
        .filter_map(|(file, name)| Some(engine(file, name, &find_program(file, path)?, home, networks)))
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

fn engine(
    file: &str,
    name: &'static str,
    program: &Path,
    home: Option<&Path>,
    networks: &[PathBuf],
) -> InstalledEngine {
    let mut command = quoted(program);
    let mut lacks_config = false;
    match file {
        "gnugo" => command.push_str(" --mode gtp"),
        "leelaz" => command.push_str(" --gtp --noponder"),
        "katago" => {
            command.push_str(" gtp");
            let near = katago_folders(program);
            let beside = near.iter().find_map(|folder| network_in(folder));
            if let Some(network) = beside.as_ref().or(networks.first()) {
                command.push_str(&format!(" -model {}", quoted(network)));
            }
            let config = katago_config(&near, home);
            if let Some(config) = &config {
                command.push_str(&format!(" -config {}", quoted(config)));
            }
            lacks_config = config.is_none();
        }
        _ => {}
    }
    InstalledEngine { name, command, lacks_config }
}

/// Folders in which a network or a configuration of KataGo's may lie: beside the program and beside what it links to,
/// where installers put them, and in its sources.
fn katago_folders(program: &Path) -> Vec<PathBuf> {
    let target = program.canonicalize().ok();
    let mut parents: Vec<&Path> =
        [Some(program), target.as_deref()].into_iter().flatten().filter_map(Path::parent).collect();
    parents.dedup();
    let near =
        |parent: &&Path| ["", "../share/katago", "../configs", "../cpp/configs"].map(|folder| parent.join(folder));
    parents.iter().flat_map(near).collect()
}

/// The configuration that KataGo is started with, the last the one that it takes by itself.
fn katago_config(near: &[PathBuf], home: Option<&Path>) -> Option<PathBuf> {
    let names = ["gtp.cfg", "default_gtp.cfg", "gtp_example.cfg", "configs/gtp_example.cfg"];
    let configs = near.iter().flat_map(|folder| names.map(|name| folder.join(name)));
    configs.chain(home.map(|home| home.join(".katago/default_gtp.cfg"))).find(|path| path.is_file())
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
        let found = installed_engines(Some(folder.path().as_os_str()), None, &[]);
        let command = |name: &str| found.iter().find(|engine| engine.name == name).map(|engine| engine.command.clone());
        let at = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(command("GNU Go"), Some(format!("{} --mode gtp", at("gnugo"))));
        let katago = format!("{} gtp -model {} -config {}", at("katago"), at("net.bin.gz"), at("gtp_example.cfg"));
        assert_eq!(command("KataGo"), Some(katago));
        assert!(command("Leela Zero").is_none_or(|command| !command.starts_with(&at("leelaz"))), "{found:?}");
    }

    #[test]
    fn a_configuration_is_found_behind_a_link_and_in_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let put = |name: &str| {
            std::fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            std::fs::write(at(name), "").unwrap();
        };
        let found = |program: &str, home: Option<&Path>| {
            let engine = engine("katago", "KataGo", &at(program), home, &[]);
            let words = CommandLine::parse(&engine.command).unwrap().arguments().to_owned();
            let value = |key: &str| {
                let value = words.iter().position(|word| word == key).map(|at| PathBuf::from(&words[at + 1]));
                value.map(|path| {
                    path.canonicalize().unwrap().strip_prefix(folder.path().canonicalize().unwrap()).unwrap().to_owned()
                })
            };
            assert_eq!(engine.lacks_config, value("-config").is_none());
            (value("-config"), value("-model"))
        };
        let path = |name: &str| Some(PathBuf::from(name));
        // Unpacked, and linked into PATH.
        put("kt/katago");
        put("kt/configs/gtp_example.cfg");
        put("kt/net.bin.gz");
        std::fs::create_dir(at("bin")).unwrap();
        std::os::unix::fs::symlink("../kt/katago", at("bin/katago")).unwrap();
        assert_eq!(found("bin/katago", None), (path("kt/configs/gtp_example.cfg"), path("kt/net.bin.gz")));
        // Built from source, in either place that its instructions name.
        put("KataGo/cpp/configs/gtp_example.cfg");
        for program in ["KataGo/cpp/katago", "KataGo/cpp/build/katago", "KataGo/build/katago"] {
            put(program);
            assert_eq!(found(program, None).0, path("KataGo/cpp/configs/gtp_example.cfg"), "{program}");
        }
        put("alone/katago");
        assert_eq!(found("alone/katago", Some(folder.path())), (None, None));
        put(".katago/default_gtp.cfg");
        assert_eq!(found("alone/katago", Some(folder.path())).0, path(".katago/default_gtp.cfg"));
    }

    #[test]
    fn a_path_with_blanks_and_marks_is_one_word_of_the_command() {
        let path = Path::new("/anna's \"new\" engines/gnugo");
        let line = CommandLine::parse(&engine("gnugo", "GNU Go", path, None, &[]).command).unwrap();
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
