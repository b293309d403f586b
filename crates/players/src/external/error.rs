//! What can be wrong with a program that should be an engine.

use std::io;

/// Why another program did not do its part.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It could not be started.
    #[error("{program} cannot be started: {source}")]
    Start {
        /// The program as it was written.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// It ended when it should have answered.
    #[error("{program} ended {how} instead of answering `{command}`{said}")]
    Ended {
        /// The program.
        program: String,
        /// `with status 1`, `by signal 9`.
        how: String,
        /// What it was asked.
        command: String,
        /// The last line that it wrote on standard error, after a colon; empty when it wrote none.
        said: String,
    },
    /// It did not answer in time.
    #[error("{program} did not answer `{command}` within {seconds} s")]
    Late {
        /// The program.
        program: String,
        /// What it was asked.
        command: String,
        /// How long it had.
        seconds: f64,
    },
    /// What it printed is no GTP.
    #[error("{program} answered `{command}` with something that is no GTP: `{line}`")]
    Nonsense {
        /// The program.
        program: String,
        /// What it was asked.
        command: String,
        /// The beginning of a line.
        line: String,
    },
    /// What it printed is not the JSON of KataGo's analysis engine.
    #[error("{program} answered with something that is not the JSON of an analysis engine: `{line}`")]
    NoJson {
        /// The program.
        program: String,
        /// The beginning of a line.
        line: String,
    },
    /// It answered what nobody asked.
    #[error("{program} answered without being asked: `{line}`")]
    OutOfTurn {
        /// The program.
        program: String,
        /// The beginning of the answer.
        line: String,
    },
    /// Its answer does not end.
    #[error("{program} gave more than {limit} bytes in answer to `{command}`")]
    TooMuch {
        /// The program.
        program: String,
        /// What it was asked.
        command: String,
        /// Where reading ended.
        limit: usize,
    },
    /// It understood, and said no.
    #[error("{program} refused `{command}`: {message}")]
    Refused {
        /// The program.
        program: String,
        /// What it was asked.
        command: String,
        /// Its own words.
        message: String,
    },
    /// It answered something that is no move on this board.
    #[error("{program} answered `{command}` with `{answer}`, which is no move on a {board} board")]
    NoMove {
        /// The program.
        program: String,
        /// What it was asked.
        command: String,
        /// What it said.
        answer: String,
        /// The board's size.
        board: String,
    },
    /// It plays, but does not say what it thinks.
    #[error("{program} gives no analysis: it knows neither kata-analyze nor lz-analyze")]
    NoAnalysis {
        /// The program.
        program: String,
    },
    /// It looks at other moves than those that it is asked about.
    #[error("{program} does not keep to the moves that it is asked about")]
    NoRegions {
        /// The program.
        program: String,
    },
    /// It cannot play on this kind of board.
    #[error("{program} cannot play on a board that is a {topology}")]
    Topology {
        /// The program.
        program: String,
        /// The kind of board.
        topology: String,
    },
    /// It was given up after an earlier failure.
    #[error("{program} is not running any more")]
    Gone {
        /// The program.
        program: String,
    },
}

impl EngineError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            EngineError::Start { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => "check the path, and whether the program is installed".into(),
                io::ErrorKind::PermissionDenied => "allow the file to be executed, or choose the program itself".into(),
                _ => "check that the file is a program for this system".into(),
            },
            EngineError::Ended { program, .. } => {
                format!("run {program} in a terminal to see why; its own files may be missing")
            }
            EngineError::Late { .. } => "give it more time, or fewer visits".into(),
            EngineError::Nonsense { .. } | EngineError::OutOfTurn { .. } | EngineError::TooMuch { .. } => {
                "check that the command line starts it as a GTP engine, such as `gnugo --mode gtp` or `katago gtp`"
                    .into()
            }
            EngineError::NoJson { .. } => {
                "check that the program is KataGo, and its configuration one for `katago analysis`".into()
            }
            EngineError::Refused { .. } => "choose another board, komi or set of rules for this engine".into(),
            EngineError::NoMove { .. } => {
                "report this to the engine's authors; another engine can play meanwhile".into()
            }
            EngineError::NoAnalysis { .. } => {
                "choose KataGo, Leela Zero or another engine that knows one of them".into()
            }
            EngineError::NoRegions { .. } => {
                "analyse the whole board with it, or choose KataGo or the network for a part of it".into()
            }
            EngineError::Topology { .. } => {
                "choose a level, or an engine that knows the GTP command honinbo-topology".into()
            }
            EngineError::Gone { .. } => "start it again".into(),
        }
    }

    /// Whether the program can go on after this: it said no, or cannot play here.
    #[must_use]
    pub fn leaves_it_running(&self) -> bool {
        matches!(
            self,
            EngineError::Refused { .. }
                | EngineError::NoMove { .. }
                | EngineError::NoAnalysis { .. }
                | EngineError::NoRegions { .. }
                | EngineError::Topology { .. }
        )
    }
}
