//! What a person chose, and what a window needs when it starts.

use crate::{
    ApiError, ClosedGame, EngineStatus, FilePath, GameView, LibraryRescue, NetworkFile, NotKept, OpenGameId,
    RestoredLibrary,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use specta::Type;

/// What a person chose. Kept in `settings.toml`; what a file lacks has its default, what it holds beside is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// A language tag such as `en` or `zh-Hans`; empty follows the system.
    pub language: String,
    /// `light`, `dark`, or empty to follow the system.
    pub theme: String,
    /// The look of the board: a name that the window knows.
    pub board_theme: String,
    /// A network's file name; empty takes the one that came with the program.
    pub network: String,
    /// The folder that networks are put into and looked for in, an absolute path; empty is the data folder's own.
    pub network_folder: String,
    /// Visits at which live analysis rests on one position; 0 goes on.
    pub visits: u32,
    /// The engine of `engines.yaml` that does live analysis; empty leaves it to the network.
    pub analysis_engine: String,
    /// What computes, such as `webgpu` or `cpu`; empty takes the fastest that answers rightly.
    pub device: String,
    /// Search threads; 0 chooses by the machine.
    pub threads: u32,
    /// Memory for answers that are remembered, in MiB.
    pub memory_mib: u32,
    /// How exactly the network is computed.
    pub precision: EnginePrecision,
    /// What the engine's findings may take on the disk, in MiB; 0 keeps no new ones.
    pub evaluations_mib: u32,
    /// Live analysis starts with the game.
    pub analyse_at_start: bool,
    /// A game that ended or was opened is reviewed without being asked for.
    pub review_by_itself: bool,
    /// Own finished games that come in from accounts, folders and files are reviewed in the background; many at once only
    /// after a question.
    pub review_new: bool,
    /// The person's own name in records: the page of weaknesses is about these games, and those that come into the
    /// library or are looked at with a result are reviewed to the end by themselves. Empty where nobody said it.
    pub own_name: String,
    /// A game that is closed is first saved where it belongs, without a question.
    pub save_on_close: bool,
    /// The program asks once a day whether there is a newer version.
    pub look_for_updates: bool,
    /// The library is backed up once a week, where it has changed.
    pub back_up_by_itself: bool,
    /// What the window keeps for itself (folded panels, figures on the candidates ...), as a JSON object.
    pub window: String,
}

/// What a person chose anew; what is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct SettingsChange {
    /// As [`Settings::language`].
    pub language: Option<String>,
    /// As [`Settings::theme`].
    pub theme: Option<String>,
    /// As [`Settings::board_theme`].
    pub board_theme: Option<String>,
    /// As [`Settings::network`].
    pub network: Option<String>,
    /// As [`Settings::network_folder`].
    pub network_folder: Option<String>,
    /// As [`Settings::visits`].
    pub visits: Option<u32>,
    /// As [`Settings::analysis_engine`].
    pub analysis_engine: Option<String>,
    /// As [`Settings::device`].
    pub device: Option<String>,
    /// As [`Settings::threads`].
    pub threads: Option<u32>,
    /// As [`Settings::memory_mib`].
    pub memory_mib: Option<u32>,
    /// As [`Settings::precision`].
    pub precision: Option<EnginePrecision>,
    /// As [`Settings::evaluations_mib`].
    pub evaluations_mib: Option<u32>,
    /// As [`Settings::analyse_at_start`].
    pub analyse_at_start: Option<bool>,
    /// As [`Settings::review_by_itself`].
    pub review_by_itself: Option<bool>,
    /// As [`Settings::review_new`].
    pub review_new: Option<bool>,
    /// As [`Settings::own_name`].
    pub own_name: Option<String>,
    /// As [`Settings::save_on_close`].
    pub save_on_close: Option<bool>,
    /// As [`Settings::look_for_updates`].
    pub look_for_updates: Option<bool>,
    /// As [`Settings::back_up_by_itself`].
    pub back_up_by_itself: Option<bool>,
    /// A JSON object: its entries replace those of the same name in [`Settings::window`]. Empty for none.
    pub window: Option<String>,
}

/// The most that a window may keep for itself, in bytes.
const MAX_WINDOW_BYTES: usize = 1 << 20;

impl SettingsChange {
    /// The settings after this change of `kept`.
    ///
    /// # Errors
    /// [`ApiError::InvalidRequest`] where `window` is no object or grows too large.
    pub(crate) fn over(self, kept: Settings) -> Result<Settings, ApiError> {
        Ok(Settings {
            language: self.language.unwrap_or(kept.language),
            theme: self.theme.unwrap_or(kept.theme),
            board_theme: self.board_theme.unwrap_or(kept.board_theme),
            network: self.network.unwrap_or(kept.network),
            network_folder: self.network_folder.unwrap_or(kept.network_folder),
            visits: self.visits.unwrap_or(kept.visits),
            analysis_engine: self.analysis_engine.unwrap_or(kept.analysis_engine),
            device: self.device.unwrap_or(kept.device),
            threads: self.threads.unwrap_or(kept.threads),
            memory_mib: self.memory_mib.unwrap_or(kept.memory_mib),
            precision: self.precision.unwrap_or(kept.precision),
            evaluations_mib: self.evaluations_mib.unwrap_or(kept.evaluations_mib),
            analyse_at_start: self.analyse_at_start.unwrap_or(kept.analyse_at_start),
            review_by_itself: self.review_by_itself.unwrap_or(kept.review_by_itself),
            review_new: self.review_new.unwrap_or(kept.review_new),
            own_name: self.own_name.unwrap_or(kept.own_name),
            save_on_close: self.save_on_close.unwrap_or(kept.save_on_close),
            look_for_updates: self.look_for_updates.unwrap_or(kept.look_for_updates),
            back_up_by_itself: self.back_up_by_itself.unwrap_or(kept.back_up_by_itself),
            window: match self.window.as_deref() {
                None | Some("") => kept.window,
                Some(entries) => window_with(&kept.window, entries)?,
            },
        })
    }
}

/// What a window keeps, with some entries new. What was kept and is no object (damaged, say) gives way.
fn window_with(kept: &str, entries: &str) -> Result<String, ApiError> {
    let refused = |message: &str| ApiError::InvalidRequest { message: format!("set_settings: window {message}") };
    let entries: Map<String, Value> = serde_json::from_str(entries).map_err(|_| refused("is no JSON object"))?;
    let mut window: Map<String, Value> = serde_json::from_str(kept).unwrap_or_default();
    window.extend(entries);
    let text = Value::Object(window).to_string();
    if text.len() > MAX_WINDOW_BYTES { Err(refused("is larger than 1 MiB")) } else { Ok(text) }
}

/// What another program keeps for its window, with what became otherwise here between `before` and `now`.
pub(crate) fn merged_windows(theirs: &str, before: &str, now: &str) -> String {
    let entries = |text| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (mut merged, before) = (entries(theirs), entries(before));
    merged.extend(entries(now).into_iter().filter(|(name, value)| before.get(name) != Some(value)));
    Value::Object(merged).to_string()
}

/// How exactly a network is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EnginePrecision {
    /// As `Fast` where that was shown to cost no strength, and as `Exact` elsewhere.
    #[default]
    Auto,
    /// With 32 bits for each number, everywhere.
    Exact,
    /// With 16 bits where the processor multiplies such numbers, and on a graphics card that is faster with them and
    /// answers nearly the same; as `Exact` elsewhere.
    Fast,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: String::new(),
            theme: String::new(),
            board_theme: "wood".into(),
            network: String::new(),
            network_folder: String::new(),
            visits: 0,
            analysis_engine: String::new(),
            device: String::new(),
            threads: 0,
            memory_mib: 128,
            precision: EnginePrecision::Auto,
            evaluations_mib: 512,
            analyse_at_start: true,
            review_by_itself: true,
            review_new: true,
            own_name: String::new(),
            save_on_close: false,
            look_for_updates: false,
            back_up_by_itself: true,
            window: String::new(),
        }
    }
}

/// What this host can do; a window asks instead of testing for the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    /// Paths on this disk may be opened, saved and imported.
    pub paths: bool,
    /// There are native dialogs for files.
    pub native_dialogs: bool,
    /// The system shows a menu bar, whose menus the window names.
    pub menu_bar: bool,
}

/// All that a window needs to draw itself for the first time.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Startup {
    /// The program's version.
    pub version: String,
    /// Whether this program can look for newer versions.
    pub can_update: bool,
    /// Whether the library is backed up by itself here, where the person wants it.
    pub can_back_up: bool,
    /// Whether the folder of a training run can be watched here.
    pub can_watch_training: bool,
    /// What the host can do.
    pub capabilities: Capabilities,
    /// What the person chose.
    pub settings: Settings,
    /// The engine.
    pub engine: EngineStatus,
    /// Networks at hand.
    pub networks: Vec<NetworkFile>,
    /// Games that are open, the one to show first at the front.
    pub games: Vec<GameView>,
    /// Games that were closed and can be opened again, the last closed first.
    pub closed_games: Vec<ClosedGame>,
    /// The game that the program opened by itself at the first start, as long as it is open and unchanged.
    pub first_game: Option<OpenGameId>,
    /// Games with unsaved changes that are open again after the program ended without saying so.
    pub recovered: u32,
    /// Files of open and closed games that were kept and cannot be read, under the names that they were given then.
    pub set_aside: Vec<String>,
    /// Why open games are not kept at present; null where they are.
    pub not_kept: Option<NotKept>,
    /// Files that were given to the program and not opened: the window asks about them, or says what is wrong.
    pub given: Vec<FilePath>,
    /// The backup that took the library's place at this start; null where none did.
    pub restored: Option<RestoredLibrary>,
    /// What became of a damaged library that was to be rescued at this start; null where none was.
    pub rescued: Option<LibraryRescue>,
    /// A network that suits the measured speed of this machine better than the one in use, by its file.
    pub proposed_network: Option<String>,
    /// What went wrong while starting and still matters, a sentence each (a damaged library, say).
    pub notices: Vec<String>,
}

/// A command that takes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Type)]
pub struct NoArgs {}
