//! The commands as hosts give them: by their function, or by name and JSON.

use crate::failure::fault;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{ApiError, App, Caller, for_each_command};
use serde_json::Value;

/// What a command is, apart from what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Its name, on the wire too.
    pub name: &'static str,
    /// What it does, in sentences.
    pub documentation: &'static str,
    /// How it goes together with the others of the same client.
    pub pace: Pace,
    /// What it may change; every window hears of that by an event.
    pub changes: &'static [Change],
    /// What people with an account on a server may do with it.
    pub people: Permission,
}

/// How a command goes together with the others of the same client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Done at once, in the order in which these were asked for; waits for neither disk nor library.
    Quick,
    /// May take long: begins after what was asked for before it, and holds nobody up. An earlier one of the same work
    /// ends.
    Long(&'static [Work]),
    /// Heard at once; ends what its client has under way of this.
    Cancels(&'static [Work]),
}

/// Work of which a client has one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// `run` and `play_out`.
    Run,
    /// A search for a pattern.
    Pattern,
    /// Asking two networks.
    Comparison,
    /// Measuring devices.
    Devices,
    /// Judging an answer to a card or a problem.
    Lesson,
    /// Trying an engine out.
    Trial,
}

/// What a command may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// An open game, or which games are open.
    Game,
    /// Records, or what is said of them.
    Library,
    /// The list of closed games.
    ClosedGames,
    /// What the person chose.
    Settings,
}

/// What somebody may do with a command on a machine that another person runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// It concerns what is the person's own.
    Free,
    /// It puts more into the person's folder, or into memory.
    Stores,
    /// It opens or closes what is there already, or says something about it.
    Opens,
    /// Settings of the look alone are the person's.
    Settings,
    /// Answers with an empty list.
    Nothing,
    /// It is about the machine: its programs, networks, devices and folders.
    Refused,
}

macro_rules! pace {
    (quick) => {
        Pace::Quick
    };
    (long) => {
        Pace::Long(&[])
    };
    (long $($work:ident)+) => {
        Pace::Long(&[$(pace!(@ $work)),+])
    };
    (cancels $($work:ident)*) => {
        Pace::Cancels(&[$(pace!(@ $work)),*])
    };
    (@ run) => {
        Work::Run
    };
    (@ pattern) => {
        Work::Pattern
    };
    (@ comparison) => {
        Work::Comparison
    };
    (@ devices) => {
        Work::Devices
    };
    (@ lesson) => {
        Work::Lesson
    };
    (@ trial) => {
        Work::Trial
    };
}

macro_rules! change {
    (game) => {
        Change::Game
    };
    (settings) => {
        Change::Settings
    };
    (library) => {
        Change::Library
    };
    (closed_games) => {
        Change::ClosedGames
    };
}

macro_rules! permission {
    (free) => {
        Permission::Free
    };
    (stores) => {
        Permission::Stores
    };
    (opens) => {
        Permission::Opens
    };
    (settings) => {
        Permission::Settings
    };
    (nothing) => {
        Permission::Nothing
    };
    (refused) => {
        Permission::Refused
    };
}

macro_rules! make_commands {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident: $args:ty => $answer:ty,
        $pace:ident $([$($work:ident),*])?,
        changes [$($change:ident),*],
        people $permission:ident;
    )*) => {
        /// The commands, in the order of the list.
        pub const COMMANDS: &[Command] = &[$(Command {
            name: stringify!($name),
            documentation: concat!($($doc),*),
            pace: pace!($pace $($($work)*)?),
            changes: &[$(change!($change)),*],
            people: permission!($permission),
        }),*];

        /// The commands as functions. Each may block, so a host calls it off its event loop; every window has been informed
        /// of what it changed when it answers.
        pub mod commands {
            #[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
            use crate::types::*;
            use super::{Change, Pace, Work};
            use crate::quick::Doing;
            use crate::{ApiError, App, Caller, handlers};

            $(
                $(#[doc = $doc])*
                ///
                /// # Errors
                /// What the command cannot do, as [`ApiError`].
                pub fn $name(app: &App, caller: &Caller, args: $args) -> Result<$answer, ApiError> {
                    let doing = Doing::begin(stringify!($name), pace!($pace $($($work)*)?));
                    let answer = handlers::$name(app, caller, args);
                    drop(doing);
                    super::report(app, &[$(change!($change)),*]);
                    answer
                }
            )*
        }

        /// Gives the command `name` with `args` as JSON and returns its answer as JSON.
        ///
        /// # Errors
        /// [`ApiError::InvalidRequest`] for a name that is not in the list and for arguments of another form;
        /// otherwise what the command itself answers.
        pub fn dispatch(app: &App, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError> {
            match name {
                $(stringify!($name) => {
                    let args: $args = serde_json::from_value(args).map_err(|error| ApiError::InvalidRequest {
                        message: format!("{name}: {error}"),
                    })?;
                    let answer: $answer = commands::$name(app, caller, args)?;
                    serde_json::to_value(answer).map_err(|error| fault(&**app.host(), "an answer is no JSON", &error))
                })*
                _ => Err(ApiError::InvalidRequest { message: format!("there is no command {name:?}") }),
            }
        }
    };
}

for_each_command!(make_commands);

impl Pace {
    /// The pace of the command `name`; one that is not in the list is refused quickly.
    #[must_use]
    pub fn of(name: &str) -> Self {
        COMMANDS.iter().find(|command| command.name == name).map_or(Self::Quick, |command| command.pace)
    }
}

impl Permission {
    /// What people may do with the command `name`; one that is not in the list is refused.
    #[must_use]
    pub fn of(name: &str) -> Self {
        COMMANDS.iter().find(|command| command.name == name).map_or(Self::Refused, |command| command.people)
    }
}

/// Emits what every window is to hear.
fn report(app: &App, changes: &[Change]) {
    for change in changes {
        match change {
            Change::Game => app.games.report_changes(),
            Change::Library => app.library.report_changes(),
            Change::ClosedGames => app.games.report_closed_games(),
            Change::Settings => app.settings.report_changes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once_and_have_their_pace() {
        for (index, command) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[..index].iter().all(|earlier| earlier.name != command.name), "{}", command.name);
        }
        assert_eq!(Pace::of("play"), Pace::Quick);
        assert_eq!(Pace::of("offer_game"), Pace::Long(&[]), "it reads rated games out of the library");
        assert_eq!(Pace::of("search_pattern"), Pace::Long(&[Work::Pattern]));
        assert_eq!(Pace::of("cancel_pattern"), Pace::Cancels(&[Work::Pattern]));
    }
}
