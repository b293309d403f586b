//! The list of commands.

/// Calls the macro `$callback` with every command:
///
/// ```text
/// /// What it does.
/// name: Arguments => Answer, quick, changes [];
/// name: Arguments => Answer, long [work], changes [game for caller, library for all];
/// name: Arguments => Answer, cancels [work], changes [];
/// ```
///
/// `quick` ones are done in their order; `long` ones hold nobody up, and an earlier one of the same work and client
/// ends; what `cancels` is heard at once ([`crate::Pace`]). What a command may change, and who hears of it, is said at
/// its end ([`crate::Change`], [`crate::Heard`]).
/// Each is a function of the same name in `handlers.rs`; hosts call it as one of [`crate::commands`] or by its name
/// ([`crate::dispatch()`]).
#[macro_export]
macro_rules! for_each_command {
    ($callback:ident) => {
        $callback! {
            /// All that a window needs to draw itself for the first time.
            startup: NoArgs => Startup, long, changes [];
            /// Keeps what the person chose.
            set_settings: Settings => Settings, quick, changes [settings for caller];
            /// The engine as it is now.
            engine_status: NoArgs => EngineStatus, quick, changes [];

            /// Opens a new, empty game.
            new_game: NewGame => GameView, quick, changes [game for caller];
            /// What a new game can be: rulesets, komi and handicap for a board, and who is about as strong as the person.
            offer_game: GameTerms => GameOffer, quick, changes [];
            /// Opens the famous game of 1846 after the move that made it famous; the one of the first start where it is still open.
            open_famous: NoArgs => GameView, long, changes [game for caller];
            /// Opens the game of a file given as its content; of several games none is opened, and the error says so.
            open_content: OpenContent => GameView, long, changes [game for caller];
            /// Opens the game of a file on this disk; of several games none is opened, and the error says so.
            open_file: FilePath => GameView, long, changes [game for caller];
            /// The games of a file, to choose among them.
            list_games: GameSource => GameList, long, changes [];
            /// Opens some games of a file.
            open_games: OpenGames => Vec<GameView>, long, changes [game for caller];
            /// Opens a record of the library.
            open_record: RecordRef => GameView, long, changes [game for caller];
            /// Closes a game; its analysis ends. It is kept among the closed ones.
            close_game: CloseGame => Closing, long, changes [game for caller, library for all, closed_games for all];
            /// The games that can be opened again, the last closed first.
            closed_games: NoArgs => Vec<ClosedGame>, long, changes [];
            /// Opens a closed game again, with its link to the library and its file; one that was played goes on.
            reopen_game: ClosedGameRef => GameView, long, changes [game for caller, closed_games for all];
            /// A whole open game once more.
            get_game: GameRef => GameView, quick, changes [];
            /// The position at a node, without going there.
            position_at: NodeRef => PositionView, quick, changes [];
            /// Plays at the current node.
            play: PlayMove => GameUpdate, quick, changes [game for caller];
            /// Goes to a node.
            go_to: NodeRef => GameUpdate, quick, changes [game for caller];
            /// Goes a step.
            navigate: Navigate => GameUpdate, quick, changes [game for caller];
            /// Removes a node and all that follows it; the current node becomes its parent if it was among them.
            delete_variation: NodeRef => GameUpdate, quick, changes [game for caller];
            /// Makes the variation that a node belongs to the main line.
            promote_variation: NodeRef => GameUpdate, quick, changes [game for caller];
            /// Moves a variation among those of the same move.
            move_variation: MoveVariation => GameUpdate, quick, changes [game for caller];
            /// A node and all that follows it as a record of its own, to be pasted.
            copy_variation: NodeRef => SgfText, quick, changes [];
            /// Hangs copied moves below a node.
            paste_variation: PasteVariation => GameUpdate, quick, changes [game for caller];
            /// Goes on after a variation with what the game went on with before it; moves that are not possible any
            /// more are left out.
            continue_game: ContinueGame => ContinuedGame, quick, changes [game for caller];
            /// Puts stones on the board, or takes them off, outside of play.
            set_stones: SetStones => GameUpdate, quick, changes [game for caller];
            /// Says who is to move.
            set_to_move: SetToMove => GameUpdate, quick, changes [game for caller];
            /// Changes what is drawn on the board at a node.
            set_marks: SetMarks => GameUpdate, quick, changes [game for caller];
            /// Takes the last change of the tree back.
            undo_edit: GameRef => GameUpdate, quick, changes [game for caller];
            /// Does what was taken back once more.
            redo_edit: GameRef => GameUpdate, quick, changes [game for caller];
            /// Changes a node's comment.
            set_comment: SetComment => GameUpdate, quick, changes [game for caller];
            /// Changes what a game says about itself.
            set_game_info: SetGameInfo => GameView, quick, changes [game for caller];
            /// The game as a record.
            export_sgf: GameRef => SgfText, quick, changes [];
            /// The game as a record with what the engine found, for KaTrain, Kaya, Lizzie and Sabaki to read.
            export_evaluated: GameRef => SgfText, long, changes [];
            /// Writes the game to a file on this disk.
            save_file: SaveFile => GameUpdate, long, changes [game for caller];
            /// Writes a picture or a report to a file on this disk.
            save_content: SaveContent => (), long, changes [];
            /// Keeps the game in the library: a new record, or a new text for the one it came from.
            save_game: GameRef => SavedGoban, long, changes [game for caller, library for all];
            /// Counts the current position.
            score: ScoreRequest => ScoreView, long, changes [];

            /// Turns live analysis on or off; `Event::Analysis` follows.
            set_analysis: SetAnalysis => EngineStatus, quick, changes [];
            /// What is known of a node's position, without asking the engine; null where nobody looked at its moves.
            known_analysis: NodeRef => Option<AnalysisUpdate>, long, changes [];
            /// Evaluates every move of the current variation in the background; `Event::Graph` follows, and says how it
            /// ended.
            sweep_game: SweepGame => SweepStarted, quick, changes [];
            /// How the players of the current variation did, as far as its moves are judged: no engine is asked.
            review_line: GameRef => LineReview, long, changes [];
            /// Ends the evaluation of a whole game; what it found so far stays.
            stop_sweep: NoArgs => (), cancels [], changes [];
            /// Ends everything that the engine does for this window: live analysis, sweep, hint, `run`, `play_out` and
            /// comparison. The opponent of a game that is played thinks on.
            stop_engine: NoArgs => EngineStatus, cancels [run, advice, comparison], changes [];
            /// Plays a position out to the end and inserts the moves as a variation; `Event::PlayOut` tells how far it
            /// is, and `cancel` ends it with what it has.
            play_out: PlayOut => PlayedOut, long [run], changes [game for caller];
            /// Asks the network in use and another one about the current position. The other one stays in memory until
            /// `end_comparison` or until a third one is asked for; an earlier question that is under way ends.
            compare_networks: CompareNetworks => NetworkComparison, long [comparison], changes [];
            /// Ends a comparison and lets go of the second network.
            end_comparison: NoArgs => (), cancels [comparison], changes [];

            /// Who can be played against.
            list_opponents: NoArgs => Opponents, long, changes [];
            /// Starts a program to see whether it is a GTP engine.
            test_engine: EngineCommand => EngineFound, long, changes [];
            /// Tries a program out and keeps it as an opponent, in `engines.yaml`.
            add_engine: AddEngine => EngineFound, long, changes [];
            /// The person's rating on each board, and the rated games behind it.
            rated_progress: NoArgs => RatedProgress, long, changes [];
            /// Begins a game against an opponent, or between two persons; `Event::Play` follows.
            start_play: StartPlay => PlayStarted, long, changes [game for caller, library for all];
            /// How a game that is played stands.
            get_play: GameRef => PlayView, long, changes [game for caller, library for all];
            /// The person's move, or the question whether it should stand.
            play_turn: PlayTurn => PlayAnswer, long, changes [game for caller, library for all];
            /// Takes back to the person's last turn.
            take_back: GameRef => PlayAnswer, long, changes [game for caller, library for all];
            /// The person gives up.
            resign_play: GameRef => PlayAnswer, long, changes [game for caller, library for all];
            /// After both passed: ends the game with these stones dead.
            settle_play: SettlePlay => PlayAnswer, long, changes [game for caller, library for all];
            /// After both passed: goes on playing.
            continue_play: GameRef => PlayAnswer, long, changes [game for caller, library for all];
            /// Plays a game that is over once more.
            rematch: Rematch => PlayStarted, long, changes [game for caller, library for all];
            /// Leaves a game that is played; it stays open.
            stop_play: GameRef => (), long, changes [game for caller, library for all];
            /// Help for the person to move.
            hint: HintRequest => Hint, long [advice], changes [];

            /// The best move on a board: the original protocol's `run`.
            run: RunRequest => RunReply, long [run], changes [];
            /// Keeps a record in the library: the original protocol's `saveGoban`.
            save_goban: SaveGoban => SavedGoban, long, changes [library for all];
            /// Ends this caller's `run` or `play_out`.
            cancel: NoArgs => (), cancels [run], changes [];

            /// A page of the library.
            search_records: RecordQuery => RecordPage, long, changes [];
            /// Gives a record a name.
            rename_record: RenameRecord => (), long, changes [library for all];
            /// Deletes records; `restore_records` brings them back.
            delete_records: RecordRefs => (), long, changes [library for all];
            /// Brings deleted records back.
            restore_records: RecordRefs => (), long, changes [library for all];
            /// Imports files and folders of this disk in the background; `Event::Import` follows.
            import_paths: ImportPaths => (), long, changes [library for all];
            /// Takes a file given as its content. With the last of a batch they are imported in the background;
            /// `Event::Import` follows.
            import_content: ImportContent => (), quick, changes [library for all];
            /// Ends the import; what it brought so far stays.
            cancel_import: NoArgs => (), cancels [], changes [];
            /// What the library holds.
            library_stats: NoArgs => LibraryStats, long, changes [];

            /// Records by their ids, in that order; those that are gone are left out.
            get_records: RecordRefs => Vec<RecordSummary>, long, changes [];
            /// A position of a record, without opening it.
            preview_record: PreviewRecord => RecordPreview, long, changes [];
            /// A record with its tags, folder and other versions.
            record_details: RecordRef => RecordDetails, long, changes [];
            /// Changes folder and tags of records.
            edit_records: EditRecords => (), long, changes [library for all];
            /// The folders, by path.
            list_folders: NoArgs => Vec<RecordGroup>, long, changes [];
            /// Makes an empty folder.
            make_folder: FolderPath => (), long, changes [library for all];
            /// Gives a folder, and those in it, another path.
            rename_folder: RenameFolder => (), long, changes [library for all];
            /// Removes a folder and those in it; their records stay.
            remove_folder: FolderPath => (), long, changes [library for all];
            /// The tags, by name.
            list_tags: NoArgs => Vec<RecordGroup>, long, changes [];
            /// The saved searches, by name.
            list_searches: NoArgs => Vec<SavedRecordSearch>, long, changes [];
            /// Keeps a search, in place of one of the same name.
            save_search: SavedRecordSearch => (), long, changes [library for all];
            /// Forgets a saved search.
            remove_search: SearchName => (), long, changes [library for all];
            /// What can be taken back and done again.
            library_history: NoArgs => LibraryHistory, long, changes [];
            /// Takes the last change of the library back.
            undo_library: NoArgs => LibraryHistory, long, changes [library for all];
            /// Does what was taken back once more.
            redo_library: NoArgs => LibraryHistory, long, changes [library for all];
            /// Finds a pattern or a position; `Event::Pattern` tells how it goes on. A search of this window that is
            /// under way ends.
            search_pattern: PatternSearch => PatternResult, long [pattern], changes [];
            /// Ends this window's search; it answers with what it has.
            cancel_pattern: NoArgs => (), cancels [pattern], changes [];
            /// How games went on from the current position of an open game.
            explore_position: ExploreRequest => ExplorerView, long, changes [];
            /// People by a part of their name.
            list_players: PlayersQuery => Vec<PlayerSummary>, long, changes [];
            /// A player's record.
            player_page: PlayerName => PlayerPage, long, changes [];
            /// Says that several names are one person.
            join_players: PlayerNames => (), long, changes [library for all];
            /// Says that a name is a person of its own again.
            part_player: PlayerName => (), long, changes [library for all];
            /// Figures about the whole library.
            library_report: NoArgs => LibraryReport, long, changes [];
            /// Writes records into a file, or gives their content.
            export_records: ExportRecords => ExportedRecords, long, changes [];
            /// Writes the whole library into one new file on this disk, with an empty path into one of the folder
            /// `backups` of the data folder, and answers with its path.
            backup_library: FilePath => FilePath, long, changes [];
            /// Reads the whole library and says, or repairs, what is wrong with it.
            check_library: CheckLibrary => LibraryCheck, long, changes [];
            /// Forgets what the engine found in all games; games that are open keep what is on the screen.
            clear_evaluations: NoArgs => (), long, changes [];
        }
    };
}
