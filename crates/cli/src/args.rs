//! What can be asked for on the command line.

use crate::library::{FilterArgs, SortArg};
use crate::match_games::MatchArgs;
use crate::net::Boards;
use crate::new_file::OutFile;
use crate::oidc::OidcOption;
use crate::play_game::PlayArgs;
use crate::review::ReviewArgs;
use crate::store::StoreOption;
use crate::store_copy::CopyStoreArgs;
use crate::train::TrainArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum, ValueHint};
use honinbo_api::{ApiError, EnginePrecision, booklet_languages};
use honinbo_record::{Charset, FILE_KINDS, RecordFormat};
use honinbo_remote::{Authorities, DEFAULT_MODEL, Endpoint, RemoteOptions, Token};
use honinbo_rules::{BoardSize, Topology};
use honinbo_server::TrustedProxy;
use std::ffi::OsString;
use std::path::PathBuf;

/// Analyse games of Go, keep them, and serve them to other programs.
#[derive(Debug, Parser)]
#[command(name = "honinbo", version, propagate_version = true)]
#[command(after_help = "Exit status: 0 success, 1 a failure that the message explains, 2 wrong usage.")]
pub(crate) struct Args {
    /// The data folder: library, networks, settings [default: the platform's own place]
    #[arg(long, global = true, env = "HONINBO_DATA", value_name = "DIR", hide_env_values = true)]
    pub(crate) data: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Analyse one position of a record
    Run(RunArgs),
    /// Analyse whole games, and say what each player lost where
    Review(ReviewArgs),
    /// Set positions to solve on paper, or on a page that plays: problems, decks, or the cards of the data folder
    Booklet(BookletArgs),
    /// Say what the groups of problems are, by proof: alive, dead, seki or ko
    Referee(RefereeArgs),
    /// Play and analyse for another program's board, by the Go Text Protocol
    Gtp(GtpArgs),
    /// Analyse many positions at once for another program, by the JSON protocol of KataGo's analysis engine
    Analysis(AnalysisArgs),
    /// Give assistants tools for positions, searches, reviews and the library, by the Model Context Protocol
    Mcp(McpArgs),
    /// Serve the window to a browser, and the JSON protocol over TCP
    Serve(Box<ServeArgs>),
    /// Play a game in the terminal
    Play(PlayArgs),
    /// Let two engines play many games, and say how much stronger one is
    Match(MatchArgs),
    /// Make networks that learn from games against themselves
    Train(TrainArgs),
    /// Networks: what a file is, convert, fetch, check, measure
    #[command(subcommand)]
    Net(NetCommand),
    /// Write records in another format
    Convert(ConvertRecordsArgs),
    /// The library of games
    #[command(subcommand)]
    Library(LibraryCommand),
    /// The accounts, rooms and games of a server
    #[command(subcommand)]
    Store(StoreCommand),
    /// The search itself
    #[command(subcommand)]
    Search(SearchCommand),
    /// Say with how many threads searches are fastest here, as KataGo's command of this name does
    Benchmark(BenchmarkArgs),
    /// Write a configuration file for gtp, with what each line means
    Genconfig(GenconfigArgs),
    /// Measure parts of the program on this machine
    Bench(BenchArgs),
    /// Look for a newer version, say what is new in it, and fetch its package
    Update(UpdateArgs),
    /// Write what a package gives the system: manual pages, completions, kinds of files
    #[command(hide = true)]
    Pages {
        /// The folder to write them into
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UpdateArgs {
    /// Only look and say what is new
    #[arg(long)]
    pub(crate) check: bool,
    /// The package to fetch [default: the kind that this copy was installed by]
    #[arg(long, value_name = "KIND", conflicts_with = "check")]
    pub(crate) package: Option<PackageArg>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A kind of package.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PackageArg {
    Deb,
    Rpm,
    Setup,
    Dmg,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    #[arg(value_name = "FILE", help = format!("The record ({}); `-` reads standard input", readable_kinds()))]
    pub(crate) file: PathBuf,
    /// The position after this many moves of the main line [default: after the last]
    #[arg(long = "move", value_name = "N")]
    pub(crate) after_move: Option<u32>,
    /// Stop after this many visits [default: as set in the window, otherwise 100]
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) visits: Option<u32>,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    /// Stop as soon as more visits change little
    #[arg(long)]
    pub(crate) until_settled: bool,
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH")]
    pub(crate) net: Option<String>,
    /// A ruleset such as chinese or japanese [default: the record's]
    #[arg(long, value_name = "R")]
    pub(crate) rules: Option<String>,
    /// Points for White [default: the record's]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) komi: Option<f64>,
    /// The device to compute on, such as cpu or cuda
    #[arg(long, value_name = "D")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) precision: PrecisionOption,
    #[command(flatten)]
    pub(crate) inference: InferenceOption,
    /// Print one `run` reply of the JSON protocol and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "KataGo's own options (-model, -human-model, -config, -override-config, -override-version) are understood, so that \
                        it can stand in for KataGo."
)]
pub(crate) struct GtpArgs {
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH", alias = "model")]
    pub(crate) net: Option<String>,
    /// A second network, of human style, for kata-raw-human-nn and KataGo's humanSL settings
    #[arg(long, value_name = "PATH", alias = "human-model")]
    pub(crate) human_net: Option<String>,
    /// Settings in the form of KataGo's configuration files; of several, later ones win
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    /// Settings by KataGo's names, which win over the file: NAME=VALUE, several with commas
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    pub(crate) override_config: Vec<String>,
    /// Answer `name` and `version` as KataGo does, for programs that offer their best to KataGo alone
    #[arg(long)]
    pub(crate) as_katago: bool,
    /// The answer to `version`
    #[arg(long, value_name = "VERSION")]
    pub(crate) override_version: Option<String>,
    /// Visits of a move [default: 400, or no limit where seconds, a setting or a clock limit it]
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) visits: Option<u32>,
    /// Seconds of a move
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    /// Think on the opponent's time, too
    #[arg(long)]
    pub(crate) ponder: bool,
    /// Play as a level does: easy, medium, hard, expert, custom, rank_20k to rank_9d (with a style: rank_5k+local),
    /// preaz_20k to preaz_9d, proyear_1800 to proyear_2023, pupil_1 to pupil_5 on small boards, or an engine of
    /// engines.yaml
    #[arg(long, value_name = "L", conflicts_with_all = ["visits", "seconds"])]
    pub(crate) level: Option<String>,
    /// Search threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,
    /// Fixes everything random: with one thread and a number of visits the same moves are answered the same [default:
    /// another each time]
    #[arg(long, value_name = "N", conflicts_with = "level")]
    pub(crate) seed: Option<u64>,
    /// The device to compute on, such as cpu or cuda
    #[arg(long, value_name = "D")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) precision: PrecisionOption,
    #[command(flatten)]
    pub(crate) inference: InferenceOption,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "KataGo's own options (-model, -human-model, -config, -override-config, -analysis-threads, \
                        -quit-without-waiting) are understood, so that it can stand in for KataGo.")]
pub(crate) struct AnalysisArgs {
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH", alias = "model")]
    pub(crate) net: Option<String>,
    /// A second network, of human style, for queries that name a profile
    #[arg(long, value_name = "PATH", alias = "human-model")]
    pub(crate) human_net: Option<String>,
    /// Settings in the form of KataGo's configuration files; of several, later ones win
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    /// Settings by KataGo's names, which win over the file: NAME=VALUE, several with commas
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    pub(crate) override_config: Vec<String>,
    /// Visits of a position that a query asks for without saying how many [default: 500]
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) visits: Option<u32>,
    /// Positions searched at the same time [default: as many as there are threads, at least 2]
    #[arg(long, value_name = "N", alias = "analysis-threads", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) positions: Option<u32>,
    /// Search threads of all positions together [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,
    /// The device to compute on, such as cpu or cuda
    #[arg(long, value_name = "D")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) precision: PrecisionOption,
    #[command(flatten)]
    pub(crate) inference: InferenceOption,
    /// End the searches that are under way, too, when the input ends
    #[arg(long)]
    pub(crate) quit_without_waiting: bool,
}

/// The command line, with the single dashes that KataGo and its users write before long options doubled.
pub(crate) fn as_katago_writes_it(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.collect();
    let katagos = ["analysis", "gtp", "benchmark", "genconfig"];
    // After `--data DIR`, which may stand before the command.
    let command = match args.get(1).and_then(|first| first.to_str()) {
        Some("--data") => 3,
        Some(first) if first.starts_with("--data=") => 2,
        _ => 1,
    };
    if args.get(command).is_some_and(|command| katagos.iter().any(|known| command == known)) {
        for arg in args.iter_mut().skip(command + 1) {
            let doubled = arg.to_str().and_then(|text| {
                let name = text.strip_prefix('-')?;
                let is_long = name.len() > 1 && name.starts_with(|c: char| c.is_ascii_lowercase());
                is_long.then(|| format!("--{name}"))
            });
            if let Some(doubled) = doubled {
                *arg = doubled.into();
            }
        }
    }
    args
}

#[derive(Debug, ClapArgs)]
pub(crate) struct McpArgs {
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH")]
    pub(crate) net: Option<String>,
    /// The device to compute on, such as cpu or cuda
    #[arg(long, value_name = "D")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) precision: PrecisionOption,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConvertRecordsArgs {
    #[arg(value_name = "PATH", required = true, help = format!(
        "Records ({}), and folders with all that are in them; of several games in a file every one is written; `-` reads \
         standard input",
        readable_kinds()
    ))]
    pub(crate) files: Vec<PathBuf>,
    /// The format to write: SGF holds everything, the others the main line
    #[arg(long, value_name = "FORMAT", default_value = "sgf", value_parser = written_format())]
    pub(crate) to: RecordFormat,
    /// Write a file for each game here, never over another [default: standard output]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Read the files in this character set, such as gb18030, big5, shift_jis, euc-jp or euc-kr, whatever they say
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) charset: Option<Charset>,
}

/// A character set by its name, as `CA` gives it.
fn charset(name: &str) -> Result<Charset, String> {
    Charset::for_label(name).ok_or_else(|| "it is no character set that records are read in".into())
}

/// The kinds of files that records are read from, for help texts.
pub(crate) fn readable_kinds() -> String {
    let (packed, plain): (Vec<_>, Vec<_>) = FILE_KINDS.into_iter().partition(|kind| kind.packed);
    let plain: Vec<_> = plain.iter().map(|kind| kind.name).collect();
    let packed: Vec<_> = packed.iter().map(|kind| kind.extensions[0]).collect();
    format!("{}, also {}", plain.join(", "), packed.join(" and "))
}

/// The formats that records are written in, by the endings of their files.
fn written_format() -> impl TypedValueParser<Value = RecordFormat> {
    let names = RecordFormat::written().map(RecordFormat::extension);
    PossibleValuesParser::new(names).try_map(|name| {
        RecordFormat::written().find(|format| format.extension() == name).ok_or("records are not written in it")
    })
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchmarkArgs {
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH", alias = "model")]
    pub(crate) net: Option<String>,
    /// Visits of each position
    #[arg(short, long, value_name = "V", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) visits: u32,
    /// Numbers of threads to try [default: up to twice as many as there are cores]
    #[arg(short, long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Vec<u32>,
    /// The device to compute on, such as cpu or cuda
    #[arg(long, value_name = "D")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) precision: PrecisionOption,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) katagos: KatagosBenchmark,
}

/// What programs give KataGo's benchmark besides.
#[derive(Debug, ClapArgs)]
pub(crate) struct KatagosBenchmark {
    #[arg(long, hide = true)]
    config: Vec<PathBuf>,
    #[arg(long, hide = true)]
    override_config: Vec<String>,
    #[arg(short = 's', hide = true)]
    search_for_best: bool,
    #[arg(short = 'n', hide = true)]
    positions: Option<u32>,
    #[arg(long, hide = true)]
    time: Option<f64>,
    #[arg(long, hide = true)]
    boardsize: Option<u32>,
    #[arg(long, hide = true)]
    fixed_batch_size: Option<u32>,
}

impl KatagosBenchmark {
    /// Those that are given, in KataGo's spelling.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        [
            ("-config", !self.config.is_empty()),
            ("-override-config", !self.override_config.is_empty()),
            ("-n", self.positions.is_some()),
            ("-s", self.search_for_best),
            ("-time", self.time.is_some()),
            ("-boardsize", self.boardsize.is_some()),
            ("-fixed-batch-size", self.fixed_batch_size.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, given)| given.then_some(name))
        .collect()
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GenconfigArgs {
    /// The new file
    #[arg(short, long, value_name = "FILE", default_value = "gtp.cfg", value_hint = ValueHint::FilePath)]
    pub(crate) output: OutFile,
    /// The rules of the first game
    #[arg(long, value_name = "R", default_value = "tromp-taylor")]
    pub(crate) rules: String,
    /// Visits of a move
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) visits: Option<u32>,
    /// Seconds of a move
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "visits")]
    pub(crate) seconds: Option<f64>,
    /// Threads of a search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,
    /// Think on the opponent's time, too
    #[arg(long)]
    pub(crate) ponder: bool,
    /// Write over a file that is there
    #[arg(long)]
    pub(crate) force: bool,
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if seconds > 0.0 && seconds.is_finite() { Ok(seconds) } else { Err("must be above 0".into()) }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServeArgs {
    /// Serve the web app here: a port, or address:port; port 0 takes any [default without --tcp: 127.0.0.1:8090]
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<String>,
    /// Serve the JSON protocol here: a port, or address:port
    #[arg(long, value_name = "ADDR")]
    pub(crate) tcp: Option<String>,
    /// The folder of the built interface [default: the one that came with the program]
    #[arg(long, value_name = "DIR")]
    pub(crate) web: Option<PathBuf>,
    /// Answer under this name too (behind a reverse proxy, say); may be repeated
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    pub(crate) allow_host: Vec<String>,
    /// Take a client's address from the X-Forwarded-For of this proxy: an address, a network (10.0.0.0/8), or loopback;
    /// may be repeated
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) trusted_proxy: Vec<TrustedProxy>,
    /// Encrypt the web app with this certificate and its chain (PEM); the file is read again when it changes
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Draw a QR code of the address even where the output is no terminal
    #[arg(long)]
    pub(crate) qr: bool,
    /// Announce the name NAME.local on the local network by multicast DNS [NAME: honinbo]
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "honinbo", value_parser = crate::local_name::parse_name)]
    pub(crate) mdns: Option<String>,
    /// Make a new access token: addresses that were printed before, and icons on home screens, let nobody in any more
    #[arg(long)]
    pub(crate) new_token: bool,
    /// Serve accounts, and rooms in which people play each other and the engine, on the address of the web app
    #[arg(long)]
    pub(crate) rooms: bool,
    /// Let people into rooms without an account
    #[arg(long, requires = "rooms")]
    pub(crate) guests: bool,
    /// Only people with a code from you make an account
    #[arg(long, requires = "rooms")]
    pub(crate) by_invitation: bool,
    #[command(flatten)]
    pub(crate) oidc: OidcOption,
    #[command(flatten)]
    pub(crate) store: StoreOption,
    /// Engines that think at a time in rooms; others wait in the order they were asked
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) engines: u32,
    /// Positions a second that everybody may have computed on the own board; 0 does not limit
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub(crate) thinking: u32,
    /// Let the window watch the training run in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) training: Option<PathBuf>,
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH")]
    pub(crate) net: Option<String>,
    /// The device to compute on, such as cpu or cuda
    #[arg(long, value_name = "D")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) precision: PrecisionOption,
    #[command(flatten)]
    pub(crate) inference: InferenceOption,
}

/// A name as it stands in the `Host` of a request, where nothing but it is compared.
fn host_name(text: &str) -> Result<String, String> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = text.chars().all(is_allowed) && text.starts_with(|c: char| c.is_ascii_alphanumeric());
    if is_name { Ok(text.to_owned()) } else { Err("a name alone, without https:// and port".into()) }
}

#[derive(Debug, Subcommand)]
pub(crate) enum NetCommand {
    /// Say what a network file is
    Info {
        /// The file, or the name of a network that is at hand [default: the network in use]
        #[arg(value_name = "FILE")]
        file: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a network as ONNX
    Convert(ConvertArgs),
    /// Write a network for an inference server: as ONNX, with the configuration that the server wants
    Export(ExportArgs),
    /// Say which networks are here and which can be fetched, with size, licence and speed
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Put a network into the folder of networks: one of `list`, a file, or an address
    Fetch(FetchArgs),
    /// Take a network off the disk
    Remove {
        /// Its name, as `list` says it
        #[arg(value_name = "NAME")]
        network: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Compare a network's answers with recorded ones
    Check(CheckArgs),
    /// Measure evaluations a second
    Bench(NetBenchArgs),
    /// Say what can compute here, and how fast
    Devices(DevicesArgs),
    /// ONNX Runtime libraries beside the program's own: for CUDA, TensorRT, DirectML, OpenVINO
    #[command(subcommand)]
    Runtime(RuntimeCommand),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DevicesArgs {
    /// Compare every device with the processor and measure it; the findings are kept
    #[arg(long)]
    pub(crate) measure: bool,
    /// A network: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH")]
    pub(crate) net: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RuntimeCommand {
    /// Say which runtime is in use, which were added and which can be
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Fetch a runtime by its checksum, or take one from a file, and use it from the next start on
    Add(AddRuntimeArgs),
    /// Take a runtime away
    Remove {
        /// Its name, as `list` says it
        #[arg(value_name = "NAME")]
        name: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AddRuntimeArgs {
    /// A name of `list`, a wheel or library on this machine, or an https address with --sha256
    #[arg(value_name = "NAME|FILE|ADDRESS")]
    pub(crate) source: String,
    /// The name to keep it under
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Refuse anything whose SHA-256 is another
    #[arg(long, value_name = "HEX", value_parser = sha256)]
    pub(crate) sha256: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConvertArgs {
    /// The network: .bin.gz or .txt.gz
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT.onnx", value_hint = ValueHint::FilePath)]
    pub(crate) output: OutFile,
    /// The board: a side or WxH for boards of exactly this size, or any
    #[arg(long, value_name = "WxH|any", default_value = "any")]
    pub(crate) size: Boards,
    /// How numbers are stored
    #[arg(long, value_enum, default_value_t = PrecisionArg::Fp32)]
    pub(crate) precision: PrecisionArg,
    /// Write over a file that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    /// The server
    #[arg(long = "for", value_enum, value_name = "SERVER")]
    pub(crate) server: ServerKind,
    /// The folder to write into: Triton's model repository, or the one for OpenVINO Model Server's config.json
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// A network: a file, or the name of one that is at hand [default: the network in use]
    #[arg(long, value_name = "PATH")]
    pub(crate) net: Option<String>,
    /// Name of the model
    #[arg(long, value_name = "NAME", default_value = DEFAULT_MODEL)]
    pub(crate) model: String,
    /// The boards: any, or a side or WxH for boards up to this size in arrays of exactly this size
    #[arg(long, value_name = "WxH|any", default_value = "any")]
    pub(crate) size: Boards,
    /// How numbers are stored
    #[arg(long, value_enum, default_value_t = StoredPrecision::Fp32)]
    pub(crate) precision: StoredPrecision,
    /// Write over a model that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServerKind {
    /// NVIDIA Triton Inference Server
    Triton,
    /// OpenVINO Model Server
    Ovms,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoredPrecision {
    /// 32-bit floats
    Fp32,
    /// 16-bit floats, norms in 32 bits
    Fp16,
}

impl From<StoredPrecision> for honinbo_net::onnx::Precision {
    fn from(precision: StoredPrecision) -> Self {
        match precision {
            StoredPrecision::Fp32 => Self::Fp32,
            StoredPrecision::Fp16 => Self::Fp16,
        }
    }
}

/// Which servers compute the network, for commands that play, analyse or serve.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct InferenceOption {
    /// Have the network computed by these inference servers, such as http://gpu-1:8000 or grpc://gpu-1:8001; several with
    /// commas [default: the settings' choice]
    #[arg(long, value_name = "URL", value_delimiter = ',')]
    inference: Vec<Endpoint>,
    /// Name of the model there
    #[arg(long, value_name = "NAME", requires = "inference", default_value = DEFAULT_MODEL)]
    inference_model: String,
    /// A file with the token that the servers want [default: the variable HONINBO_INFERENCE_TOKEN]
    #[arg(long, value_name = "FILE", requires = "inference")]
    inference_token_file: Option<PathBuf>,
    /// The certificates of the only authorities that the servers' certificates may be of (PEM) [default: the system's]
    #[arg(long, value_name = "FILE", requires = "inference")]
    inference_ca: Option<PathBuf>,
}

/// The token for inference servers, where no file holds it.
const TOKEN_VARIABLE: &str = "HONINBO_INFERENCE_TOKEN";

impl InferenceOption {
    /// The servers, if any are named.
    pub(crate) fn get(&self) -> Result<Option<RemoteOptions>, ApiError> {
        if self.inference.is_empty() {
            return Ok(None);
        }
        let unusable = |message: String, hint: &str| ApiError::EngineUnavailable { message, hint: hint.to_owned() };
        let token = match (&self.inference_token_file, std::env::var(TOKEN_VARIABLE)) {
            (Some(path), _) => {
                Some(Token::from_file(path).map_err(|error| unusable(error.to_string(), "name another file"))?)
            }
            (None, Ok(text)) => Token::new(&text),
            (None, Err(_)) => None,
        };
        let authorities = self.inference_ca.as_deref().map(Authorities::from_file).transpose();
        let authorities = authorities.map_err(|error| unusable(error.to_string(), "name another file"))?;
        let authorities = authorities.unwrap_or_default();
        let model = self.inference_model.clone();
        let options = RemoteOptions { token, authorities, model, ..RemoteOptions::new(self.inference.clone()) };
        options.check().map_err(|error| unusable(error.to_string(), error.hint()))?;
        Ok(Some(options))
    }
}

/// How exactly the network is computed, for every command that plays or analyses.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct PrecisionOption {
    /// How exactly to compute [default: the settings' choice]
    #[arg(long, value_enum, value_name = "P")]
    precision: Option<Exactness>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Exactness {
    /// `fast` where that costs no strength, `exact` elsewhere
    Auto,
    /// 32 bits for each number
    Exact,
    /// 16 bits where the processor or the graphics card multiplies such numbers
    Fast,
}

impl PrecisionOption {
    pub(crate) fn get(self) -> Option<EnginePrecision> {
        self.precision.map(|precision| match precision {
            Exactness::Auto => EnginePrecision::Auto,
            Exactness::Exact => EnginePrecision::Exact,
            Exactness::Fast => EnginePrecision::Fast,
        })
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PrecisionArg {
    /// 32-bit floats
    #[value(alias = "exact")]
    Fp32,
    /// 16-bit floats
    Fp16,
    /// 16-bit floats with the range of 32-bit ones, where the processor multiplies them
    Bf16,
    /// 16-bit whole numbers with a scale for each row and column, where the processor multiplies them
    Int16,
    /// The fastest on this processor of those that answer nearly as 32 bits do
    Fast,
    /// 8-bit whole numbers where most of the work is
    Int8,
}

impl From<PrecisionArg> for honinbo_net::onnx::Precision {
    fn from(precision: PrecisionArg) -> Self {
        match precision {
            PrecisionArg::Fp32 => Self::Fp32,
            PrecisionArg::Fp16 => Self::Fp16,
            PrecisionArg::Bf16 => Self::Bf16,
            PrecisionArg::Int16 => Self::Int16,
            PrecisionArg::Fast => Self::fast(),
            PrecisionArg::Int8 => Self::Int8,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FetchArgs {
    /// A name of `list`, a file on this machine, or an https address
    #[arg(value_name = "NAME|FILE|ADDRESS")]
    pub(crate) source: String,
    /// The name to keep it under [default: the name it has there]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Refuse anything whose SHA-256 is another
    #[arg(long, value_name = "HEX", value_parser = sha256)]
    pub(crate) sha256: Option<String>,
    /// Write over a network of that name
    #[arg(long)]
    pub(crate) force: bool,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn topology(text: &str) -> Result<Topology, String> {
    Topology::parse(text).ok_or_else(|| "expected plane, cylinder or torus".to_owned())
}

fn sha256(text: &str) -> Result<String, String> {
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("a SHA-256 has 64 hexadecimal digits".into())
    }
}

/// Kernels of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kernels {
    /// The project's own for the blocks of a network
    Own,
    /// ONNX Runtime's for everything
    #[value(name = "onnxruntime")]
    OnnxRuntime,
}

/// Instructions of the own kernels, to see what a processor without wider ones does.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum InstructionsArg {
    /// What every processor of this kind has
    Plain,
    /// Four numbers at once, on Arm
    Neon,
    /// Eight numbers at once
    Avx2,
    /// The same, and pairs of 16-bit whole numbers
    AvxVnni,
    /// Sixteen numbers at once
    Avx512,
}

impl From<InstructionsArg> for honinbo_net::Instructions {
    fn from(instructions: InstructionsArg) -> Self {
        match instructions {
            InstructionsArg::Plain => Self::Plain,
            InstructionsArg::Neon => Self::Neon,
            InstructionsArg::Avx2 => Self::Avx2,
            InstructionsArg::AvxVnni => Self::AvxVnni,
            InstructionsArg::Avx512 => Self::Avx512,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// The folder with NAME.jsonl[.gz] of each network NAME
    #[arg(long, value_name = "DIR")]
    pub(crate) golden: PathBuf,
    /// The folder with the networks [default: the data folder's and the program's own]
    #[arg(long, value_name = "DIR")]
    pub(crate) nets: Option<PathBuf>,
    /// Check only networks whose name contains this
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Option<String>,
    /// Check at most this many positions of each network
    #[arg(long, value_name = "N")]
    pub(crate) positions: Option<usize>,
    /// The device to compute on
    #[arg(long, value_name = "D")]
    pub(crate) device: Option<String>,
    /// Who computes on the processor [default: own where they are the faster ones]
    #[arg(long, value_enum)]
    pub(crate) kernels: Option<Kernels>,
    /// The widest instructions of the own kernels [default: the widest of this processor]
    #[arg(long, value_enum)]
    pub(crate) instructions: Option<InstructionsArg>,
    /// How numbers are stored
    #[arg(long, value_enum, default_value_t = PrecisionArg::Fp32)]
    pub(crate) precision: PrecisionArg,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct NetBenchArgs {
    /// Networks: files or names of those at hand [default: the network in use]
    #[arg(value_name = "FILE")]
    pub(crate) nets: Vec<String>,
    /// Positions evaluated at a time; may be repeated [default: 1 4 8]
    #[arg(long, value_name = "N")]
    pub(crate) batch: Vec<usize>,
    /// Threads; may be repeated [default: 1 and all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Vec<usize>,
    /// Seconds for each figure
    #[arg(long, value_name = "S", default_value = "3", value_parser = seconds)]
    pub(crate) seconds: f64,
    /// The board: a side, or WxH
    #[arg(long, value_name = "S", default_value = "19")]
    pub(crate) size: BoardSize,
    /// The device to compute on
    #[arg(long, value_name = "D")]
    pub(crate) device: Option<String>,
    /// Who computes on the processor [default: own where they are the faster ones]
    #[arg(long, value_enum)]
    pub(crate) kernels: Option<Kernels>,
    /// The widest instructions of the own kernels [default: the widest of this processor]
    #[arg(long, value_enum)]
    pub(crate) instructions: Option<InstructionsArg>,
    /// How numbers are stored
    #[arg(long, value_enum, default_value_t = PrecisionArg::Fp32)]
    pub(crate) precision: PrecisionArg,
    /// What subnormal weights cost instead: the network with and without some, by turns
    #[arg(long)]
    pub(crate) subnormals: bool,
    /// What asking servers costs instead: one session here and one request to the servers, by turns
    #[command(flatten)]
    pub(crate) inference: InferenceOption,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LibraryCommand {
    /// Import records: files and folders
    Import {
        /// Files and folders
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
        /// Read the files in this character set, such as gb18030, big5, shift_jis, euc-jp or euc-kr, whatever they say
        #[arg(long, value_name = "NAME", value_parser = charset)]
        charset: Option<Charset>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Find games by players, title, event, place, comment or date
    Search {
        /// Words that must all occur, or be the game's year, month or day (2003, 2003-09, 2003-09-25); none lists the
        /// newest games
        #[arg(value_name = "QUERY")]
        words: Vec<String>,
        #[command(flatten)]
        filter: Box<FilterArgs>,
        /// What to sort by
        #[arg(long, value_enum, default_value = "added")]
        sort: SortArg,
        /// First ones first instead of last ones first
        #[arg(long)]
        ascending: bool,
        /// Games to skip
        #[arg(long, value_name = "N", default_value_t = 0)]
        offset: u32,
        /// Games to show
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Find a position or a pattern, and how games went on from it
    Pattern(PatternArgs),
    /// Review games, so that their mistakes are known: what is broken off goes on with the next call, or in the window
    Review {
        /// Only games in which these words occur
        #[arg(value_name = "QUERY")]
        words: Vec<String>,
        #[command(flatten)]
        filter: Box<FilterArgs>,
        /// Only those that wait already
        #[arg(long, conflicts_with = "words")]
        go_on: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Take new games from accounts at game servers, and from folders that other programs save into
    Sources {
        #[command(subcommand)]
        command: SourcesCommand,
        /// As JSON
        #[arg(long, global = true)]
        json: bool,
    },
    /// Say what the library holds
    Stats {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Read the whole library and say what is wrong with it
    Check {
        /// Repair what can be repaired
        #[arg(long)]
        repair: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Take what can be read of a damaged library into a new file, which `restore` puts in its place
    Rescue {
        /// The new file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: OutFile,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Write games as one SGF collection, as a zip archive or as a table
    Export {
        /// The file to write; `.zip` and `.csv` at its end make an archive and a table [default: standard output]
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        out: Option<OutFile>,
        /// Only games in which these words occur
        #[arg(value_name = "QUERY")]
        words: Vec<String>,
        #[command(flatten)]
        filter: Box<FilterArgs>,
        /// With what the library knows of their positions from the network in use, for KaTrain, Kaya, Lizzie and Sabaki;
        /// needs --out
        #[arg(long, requires = "out")]
        evaluations: bool,
        /// Write over a file that is there
        #[arg(long, requires = "out")]
        force: bool,
        /// Say as JSON what was written; needs --out
        #[arg(long, requires = "out")]
        json: bool,
    },
    /// Show one game: its facts, folder and tags; with --json its record too
    Show {
        /// The game's number, as `search` lists it
        #[arg(value_name = "ID")]
        id: String,
        /// The records of its other versions, too
        #[arg(long)]
        versions: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Give a game a title; an empty one takes it away
    Rename {
        /// The game's number
        #[arg(value_name = "ID")]
        id: String,
        /// The title
        #[arg(value_name = "TITLE")]
        title: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Put games into a folder, give or take tags, and write facts into their records
    Edit {
        /// Numbers of games
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
        /// The folder, such as openings/sanrensei; made when it is new
        #[arg(long, value_name = "FOLDER", conflicts_with = "no_folder")]
        folder: Option<String>,
        /// Out of their folders
        #[arg(long)]
        no_folder: bool,
        /// Give this tag; may be repeated
        #[arg(long, value_name = "TAG")]
        tag: Vec<String>,
        /// Take this tag away; may be repeated
        #[arg(long, value_name = "TAG")]
        untag: Vec<String>,
        /// Write a fact as SGF names it, such as EV=Honinbo or DT=1953-05-01, KM=4.5, PB, BR, PC, RU, RE; nothing behind the
        /// sign takes it away; may be repeated
        #[arg(long, value_name = "NAME=TEXT", value_parser = named_fact)]
        set: Vec<(String, String)>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete games; `undelete` and `undo` bring them back
    Delete {
        /// Numbers of games
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Bring deleted games back; `search --deleted` lists them
    Undelete {
        /// Numbers of games
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// List, make, rename and remove folders
    Folders {
        #[command(subcommand)]
        command: Option<FolderCommand>,
        /// As JSON
        #[arg(long, global = true)]
        json: bool,
    },
    /// List the tags
    Tags {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// List, keep and forget searches
    Searches {
        #[command(subcommand)]
        command: Option<SearchesCommand>,
        /// As JSON
        #[arg(long, global = true)]
        json: bool,
    },
    /// Take the last change of the library back
    Undo {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Do the change again that was taken back last
    Redo {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Say what `undo` and `redo` would do
    History {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the whole library into one new file
    Backup {
        /// The file [default: the next number in the folder `backups` of the data folder]
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: Option<OutFile>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// List the backups in the folder `backups` of the data folder, the newest first
    Backups {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Put a backup in the library's place; what was there becomes a backup of its own
    Restore {
        /// The backup
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum FolderCommand {
    /// Make an empty folder
    Make {
        /// Its path, such as openings/sanrensei
        #[arg(value_name = "FOLDER")]
        path: String,
    },
    /// Give a folder, and those in it, another path
    Rename {
        /// The path it has
        #[arg(value_name = "FROM")]
        from: String,
        /// The path it gets
        #[arg(value_name = "TO")]
        to: String,
    },
    /// Remove a folder and those in it; their games stay
    Remove {
        /// Its path
        #[arg(value_name = "FOLDER")]
        path: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BookletArgs {
    /// Records with problems, or decks of cards; none takes the cards of the data folder
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write: `.pdf` has the solutions at its end, `.html` plays, `.apkg` is a deck for Anki of the cards
    /// of the data folder
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: OutFile,
    /// Its title [default: the name of the first file]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The paper
    #[arg(long, value_enum, default_value = "a4")]
    pub(crate) paper: PaperArg,
    /// Columns of a page
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) columns: u8,
    /// The language of its own words
    #[arg(long, value_name = "TAG", default_value = "en", value_parser = PossibleValuesParser::new(booklet_languages()))]
    pub(crate) language: String,
    /// Write over a file that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RefereeArgs {
    /// Records with problems
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Judge every first move, with the line that refutes it
    #[arg(long)]
    pub(crate) moves: bool,
    /// Positions that are looked at for one question
    #[arg(long, value_name = "N", default_value_t = 400_000)]
    pub(crate) positions: u64,
    /// Seconds for one problem; where they run out, nothing more of it is proved
    #[arg(long, value_name = "S", default_value_t = 5)]
    pub(crate) seconds: u32,
    /// Problems of each file to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: usize,
    /// Problems of each file to judge at most
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// A line of JSON for each problem
    #[arg(long)]
    pub(crate) json: bool,
}

/// A size of paper.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PaperArg {
    /// 210 by 297 mm
    A4,
    /// 148 by 210 mm
    A5,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SourcesCommand {
    /// Add an account or a folder; nobody is asked yet
    Add {
        /// What it is
        #[arg(value_enum, value_name = "KIND")]
        kind: SourceKindArg,
        /// The name there, or the folder
        #[arg(value_name = "NAME")]
        name: String,
        /// Another name of the same person in the library
        #[arg(long = "as", value_name = "PLAYER")]
        person: Option<String>,
    },
    /// Say what there is
    List,
    /// Ask the servers and look into the folders for new games, politely: it may take a while, and Ctrl-C ends it
    Sync {
        /// Numbers of those to ask; none asks all
        #[arg(value_name = "ID")]
        ids: Vec<u32>,
    },
    /// Forget an account or a folder; its games stay
    Remove {
        /// Its number
        #[arg(value_name = "ID")]
        id: u32,
    },
}

/// Where games come from.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SourceKindArg {
    /// The Online-Go Server, online-go.com
    Ogs,
    /// The KGS Go Server, gokgs.com
    Kgs,
    /// A folder, also those in it
    Folder,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SearchesCommand {
    /// Keep a search under a name, for the window too
    Save {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
        /// Words that must all occur
        #[arg(value_name = "QUERY")]
        words: Vec<String>,
        #[command(flatten)]
        filter: Box<FilterArgs>,
        /// What to sort by
        #[arg(long, value_enum, default_value = "added")]
        sort: SortArg,
        /// First ones first instead of last ones first
        #[arg(long)]
        ascending: bool,
    },
    /// Forget a search
    Remove {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PatternArgs {
    #[arg(value_name = "FILE", help = format!(
        "A diagram (X black, O white, . empty, * anything, # a stone, x black or empty, o white or empty), or a record ({}) \
         whose last position is looked for; `-` reads standard input",
        readable_kinds()
    ))]
    pub(crate) file: PathBuf,
    /// Only games in which these words occur
    #[arg(value_name = "QUERY")]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) filter: Box<FilterArgs>,
    /// Where the diagram may lie
    #[arg(long, value_enum, default_value = "anywhere")]
    pub(crate) anchor: PatternPlace,
    /// Columns and rows of the boards, for a diagram
    #[arg(long, value_name = "WxH", default_value = "19")]
    pub(crate) size: BoardSize,
    /// How the edges of the boards meet, for a diagram
    #[arg(long, value_name = "plane|cylinder|torus", default_value = "plane", value_parser = topology)]
    pub(crate) topology: Topology,
    /// The same as --topology torus
    #[arg(long, conflicts_with = "topology")]
    pub(crate) torus: bool,
    /// Neither turned nor mirrored
    #[arg(long)]
    pub(crate) as_drawn: bool,
    /// Also with colours exchanged
    #[arg(long)]
    pub(crate) any_color: bool,
    /// After this many moves or later
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) first_move: u32,
    /// After this many moves or earlier
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    pub(crate) last_move: u32,
    /// Moves to follow in a tree of continuations
    #[arg(long, value_name = "DEPTH", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=30))]
    pub(crate) tree: u8,
    /// Games to show
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PatternPlace {
    /// Anywhere on the board
    Anywhere,
    /// Its top left in a corner
    Corner,
    /// Its top row on a side
    Side,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Copy all of a server's store into an empty one: from its file into PostgreSQL, or back
    Copy(CopyStoreArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum SearchCommand {
    /// Compare searches with KataGo's recorded ones
    Check {
        /// The folder with NAME.jsonl[.gz] of each network NAME
        #[arg(long, value_name = "DIR")]
        golden: PathBuf,
        /// The folder with the networks [default: the data folder's and the program's own]
        #[arg(long, value_name = "DIR")]
        nets: Option<PathBuf>,
        /// Check at most this many searches of each network
        #[arg(long, value_name = "N")]
        searches: Option<usize>,
        /// The device to compute on
        #[arg(long, value_name = "D")]
        device: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// What to measure
    #[arg(value_enum)]
    pub(crate) what: BenchSubject,
    /// Seconds for each figure
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    pub(crate) seconds: f64,
    /// A network, for `search`: a file, or the name of one that is at hand
    #[arg(long, value_name = "PATH")]
    pub(crate) net: Option<String>,
    /// Another engine to measure in the same run, for `search`: the command line of a GTP engine that knows
    /// `kata-analyze` and `kata-set-param numSearchThreads`, with the same network
    #[arg(long, value_name = "COMMAND", requires = "net")]
    pub(crate) beside: Option<String>,
    /// Records to import and search, for `library`: a file or a folder; may be named again
    #[arg(long, value_name = "PATH")]
    pub(crate) games: Vec<PathBuf>,
    /// How often these are imported, each time but the first with other moves, names and dates: 75 times 20,000 games
    /// make a library of 1,500,000
    #[arg(long, value_name = "N", default_value = "1", requires = "games", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) times: u32,
    /// Rooms in which two play, for `server`
    #[arg(long, value_name = "N", default_value = "1000", value_parser = count_of_clients)]
    pub(crate) rooms: usize,
    /// Seconds between two moves of a room, for `server`
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    pub(crate) pace: f64,
    /// Connections to rooms where nothing happens, for `server`
    #[arg(long, value_name = "N", default_value = "5000", value_parser = count_of_clients)]
    pub(crate) idle: usize,
    /// Clients of the JSON service that ask at once, for `server`
    #[arg(long, value_name = "N", default_value = "200", value_parser = count_of_clients)]
    pub(crate) clients: usize,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn named_fact(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is no NAME=TEXT, such as EV=Honinbo")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn count_of_clients(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (1..=8000).contains(&count) => Ok(count),
        _ => Err("a whole number from 1 to 8000".into()),
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BenchSubject {
    /// Playouts, copies, legal moves, ladders
    Rules,
    /// Inputs of the network
    Features,
    /// Visits a second
    Search,
    /// Saving, listing, finding
    Library,
    /// What `honinbo serve --rooms` carries on this machine: games, idle connections, clients that never read
    Server,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;
    use std::any::TypeId;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    /// Arguments that are read wherever they are.
    const READ: &[&str] = &[
        "data",
        "config",
        "golden",
        "nets",
        "inference_token_file",
        "inference_ca",
        "store_password_file",
        "store_ca",
        "oidc_client_secret_file",
        "oidc_ca",
        "password_file",
        "ca",
        "tls_cert",
        "tls_key",
        "web",
        "training",
        "files",
    ];
    /// Arguments of one command that are read, or are folders of a training run.
    const READ_BY_ONE: &[&str] = &[
        "run file",
        "net convert input",
        "library import paths",
        "library restore file",
        "library pattern file",
        "bench games",
        "train from",
        "train folder",
        "train selfplay folder",
        "train shuffle folder",
        "train fit folder",
        "train gate folder",
        "train export folder",
        "train status folder",
        "train rows from",
        "train history folder",
    ];
    /// Folders in which new files get a name that is free; one that takes `--force` itself; one that packages are made of.
    const FOLDERS: &[&str] = &["convert out", "review out", "match sgf", "net export folder", "pages folder"];

    #[test]
    fn whatever_is_written_is_written_over_by_force_alone() {
        // Copies of the library, which nobody could make again.
        let never_over = ["library backup file", "library rescue file"];
        let mut wrong = Vec::new();
        let mut left = vec![(String::new(), Args::command())];
        while let Some((path, command)) = left.pop() {
            for arg in command.get_arguments() {
                let name = format!("{path}{}", arg.get_id());
                let is_kind = |kind: TypeId| arg.get_value_parser().type_id() == kind;
                let is_known = READ.contains(&arg.get_id().as_str())
                    || [READ_BY_ONE, FOLDERS].iter().any(|list| list.contains(&name.as_str()));
                if is_kind(TypeId::of::<PathBuf>()) && !is_known {
                    wrong.push(format!("{name}: is it written? then it is an OutFile"));
                } else if is_kind(TypeId::of::<OutFile>()) {
                    let has_force = command.get_arguments().any(|other| other.get_id() == "force");
                    if has_force == never_over.contains(&name.as_str()) {
                        wrong.push(format!("{name}: --force"));
                    }
                    if arg.get_value_hint() != ValueHint::FilePath {
                        wrong.push(format!("{name}: shells complete no file"));
                    }
                }
            }
            for below in command.get_subcommands() {
                left.push((format!("{path}{} ", below.get_name()), below.clone()));
            }
        }
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn every_command_has_a_row_on_the_page_about_the_protocol() {
        let page = include_str!("../../../docs/protocol.md");
        let words_of = |cell: &'static str| -> Vec<&'static str> {
            cell.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).filter(|word| !word.is_empty()).collect()
        };
        let cells =
            page.lines().filter(|line| line.starts_with("| `honinbo ")).filter_map(|line| line.split_once(" | "));
        let rows: Vec<Vec<&str>> = cells.map(|(cell, _)| words_of(cell)).collect();
        let mut missing = Vec::new();
        let mut left = vec![(Vec::<String>::new(), Args::command())];
        while let Some((path, command)) = left.pop() {
            let is_row = |row: &Vec<&str>| {
                row.get(1).copied() == path.first().map(String::as_str)
                    && path.iter().all(|part| row.contains(&part.as_str()))
            };
            if !path.is_empty() && !rows.iter().any(is_row) {
                missing.push(path.join(" "));
            }
            for below in command.get_subcommands().filter(|command| !command.is_hide_set()) {
                let path = path.iter().cloned().chain([below.get_name().to_owned()]).collect();
                left.push((path, below.clone()));
            }
        }
        assert_eq!(missing, [""; 0]);
    }
}
