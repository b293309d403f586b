//! The list of commands.

/// Calls the macro `$callback` with every command as `/// doc  name: Arguments => Answer;`.
///
/// Each is a function of the same name in [`crate::handlers`]:
/// `fn name(app: &App, caller: &Caller, args: Arguments) -> Result<Answer, ApiError>`.
/// It may block (a search, a file, the database), so a host calls it off its event loop.
/// The name is also the one on the wire.
#[macro_export]
macro_rules! for_each_command {
    ($callback:ident) => {
        $callback! {
            /// All that a window needs to draw itself for the first time.
            startup: NoArgs => Startup;
            /// Keeps what the person chose.
            set_settings: Settings => Settings;
            /// The engine as it is now.
            engine_status: NoArgs => EngineStatus;

            /// Opens a new, empty game.
            new_game: NewGame => GameView;
            /// What a new game can be: rulesets, komi and handicap for a board, and who is about as strong as the person.
            offer_game: GameTerms => GameOffer;
            /// Opens the famous game of 1846 after the move that made it famous; the one of the first start where it is still open.
            open_famous: NoArgs => GameView;
            /// Opens the game of a file given as its content; of several games none is opened, and the error says so.
            open_content: OpenContent => GameView;
            /// Opens the game of a file on this disk; of several games none is opened, and the error says so.
            open_file: FilePath => GameView;
            /// The games of a file, to choose among them.
            list_games: GameSource => GameList;
            /// Opens some games of a file.
            open_games: OpenGames => Vec<GameView>;
            /// Opens a record of the library.
            open_record: RecordRef => GameView;
            /// Closes a game; its analysis ends. It is kept among the closed ones.
            close_game: CloseGame => Closing;
            /// The games that can be opened again, the last closed first.
            closed_games: NoArgs => Vec<ClosedGame>;
            /// Opens a closed game again, with its link to the library and its file; one that was played goes on.
            reopen_game: ClosedGameRef => GameView;
            /// A whole open game once more.
            get_game: GameRef => GameView;
            /// The position at a node, without going there.
            position_at: NodeRef => PositionView;
            /// Plays at the current node.
            play: PlayMove => GameUpdate;
            /// Goes to a node.
            go_to: NodeRef => GameUpdate;
            /// Goes a step.
            navigate: Navigate => GameUpdate;
            /// Removes a node and all that follows it; the current node becomes its parent if it was among them.
            delete_variation: NodeRef => GameUpdate;
            /// Makes the variation that a node belongs to the main line.
            promote_variation: NodeRef => GameUpdate;
            /// Moves a variation among those of the same move.
            move_variation: MoveVariation => GameUpdate;
            /// A node and all that follows it as a record of its own, to be pasted.
            copy_variation: NodeRef => SgfText;
            /// Hangs copied moves below a node.
            paste_variation: PasteVariation => GameUpdate;
            /// Goes on after a variation with what the game went on with before it; moves that are not possible any
            /// more are left out.
            continue_game: ContinueGame => ContinuedGame;
            /// Puts stones on the board, or takes them off, outside of play.
            set_stones: SetStones => GameUpdate;
            /// Says who is to move.
            set_to_move: SetToMove => GameUpdate;
            /// Changes what is drawn on the board at a node.
            set_marks: SetMarks => GameUpdate;
            /// Takes the last change of the tree back.
            undo_edit: GameRef => GameUpdate;
            /// Does what was taken back once more.
            redo_edit: GameRef => GameUpdate;
            /// Changes a node's comment.
            set_comment: SetComment => GameUpdate;
            /// Changes what a game says about itself.
            set_game_info: SetGameInfo => GameView;
            /// The game as a record.
            export_sgf: GameRef => SgfText;
            /// The game as a record with what the engine found, for KaTrain, Kaya, Lizzie and Sabaki to read.
            export_evaluated: GameRef => SgfText;
            /// Writes the game to a file on this disk.
            save_file: SaveFile => GameUpdate;
            /// Writes a picture or a report to a file on this disk.
            save_content: SaveContent => ();
            /// Keeps the game in the library: a new record, or a new text for the one it came from.
            save_game: GameRef => SavedGoban;
            /// Counts the current position.
            score: ScoreRequest => ScoreView;

            /// Turns live analysis on or off; `Event::Analysis` follows.
            set_analysis: SetAnalysis => EngineStatus;
            /// What is known of a node's position, without asking the engine; null where nobody looked at its moves.
            known_analysis: NodeRef => Option<AnalysisUpdate>;
            /// Evaluates every move of the current variation in the background; `Event::Graph` follows, and says how it
            /// ended.
            sweep_game: SweepGame => SweepStarted;
            /// How the players of the current variation did, as far as its moves are judged: no engine is asked.
            review_line: GameRef => LineReview;
            /// Ends the evaluation of a whole game; what it found so far stays.
            stop_sweep: NoArgs => ();
            /// Ends everything that the engine does for this window: live analysis, sweep, hint, `run`, `play_out` and
            /// comparison. The opponent of a game that is played thinks on.
            stop_engine: NoArgs => EngineStatus;
            /// Plays a position out to the end and inserts the moves as a variation; `Event::PlayOut` tells how far it
            /// is, and `cancel` ends it with what it has.
            play_out: PlayOut => PlayedOut;
            /// Asks the network in use and another one about the current position. The other one stays in memory until
            /// `end_comparison` or until a third one is asked for; an earlier question that is under way ends.
            compare_networks: CompareNetworks => NetworkComparison;
            /// Ends a comparison and lets go of the second network.
            end_comparison: NoArgs => ();

            /// Who can be played against.
            list_opponents: NoArgs => Opponents;
            /// Starts a program to see whether it is a GTP engine.
            test_engine: EngineCommand => EngineFound;
            /// Tries a program out and keeps it as an opponent, in `engines.yaml`.
            add_engine: AddEngine => EngineFound;
            /// The person's rating on each board, and the rated games behind it.
            rated_progress: NoArgs => RatedProgress;
            /// Begins a game against an opponent, or between two persons; `Event::Play` follows.
            start_play: StartPlay => PlayStarted;
            /// How a game that is played stands.
            get_play: GameRef => PlayView;
            /// The person's move, or the question whether it should stand.
            play_turn: PlayTurn => PlayAnswer;
            /// Takes back to the person's last turn.
            take_back: GameRef => PlayAnswer;
            /// The person gives up.
            resign_play: GameRef => PlayAnswer;
            /// After both passed: ends the game with these stones dead.
            settle_play: SettlePlay => PlayAnswer;
            /// After both passed: goes on playing.
            continue_play: GameRef => PlayAnswer;
            /// Plays a game that is over once more.
            rematch: Rematch => PlayStarted;
            /// Leaves a game that is played; it stays open.
            stop_play: GameRef => ();
            /// Help for the person to move.
            hint: HintRequest => Hint;

            /// The best move on a board: the original protocol's `run`.
            run: RunRequest => RunReply;
            /// Keeps a record in the library: the original protocol's `saveGoban`.
            save_goban: SaveGoban => SavedGoban;
            /// Ends this caller's `run` or `play_out`.
            cancel: NoArgs => ();

            /// A page of the library.
            search_records: RecordQuery => RecordPage;
            /// Gives a record a name.
            rename_record: RenameRecord => ();
            /// Deletes records; `restore_records` brings them back.
            delete_records: RecordRefs => ();
            /// Brings deleted records back.
            restore_records: RecordRefs => ();
            /// Imports files and folders of this disk in the background; `Event::Import` follows.
            import_paths: ImportPaths => ();
            /// Takes a file given as its content. With the last of a batch they are imported in the background;
            /// `Event::Import` follows.
            import_content: ImportContent => ();
            /// Ends the import; what it brought so far stays.
            cancel_import: NoArgs => ();
            /// What the library holds.
            library_stats: NoArgs => LibraryStats;

            /// Records by their ids, in that order; those that are gone are left out.
            get_records: RecordRefs => Vec<RecordSummary>;
            /// A position of a record, without opening it.
            preview_record: PreviewRecord => RecordPreview;
            /// A record with its tags, folder and other versions.
            record_details: RecordRef => RecordDetails;
            /// Changes folder and tags of records.
            edit_records: EditRecords => ();
            /// The folders, by path.
            list_folders: NoArgs => Vec<RecordGroup>;
            /// Makes an empty folder.
            make_folder: FolderPath => ();
            /// Gives a folder, and those in it, another path.
            rename_folder: RenameFolder => ();
            /// Removes a folder and those in it; their records stay.
            remove_folder: FolderPath => ();
            /// The tags, by name.
            list_tags: NoArgs => Vec<RecordGroup>;
            /// The saved searches, by name.
            list_searches: NoArgs => Vec<SavedRecordSearch>;
            /// Keeps a search, in place of one of the same name.
            save_search: SavedRecordSearch => ();
            /// Forgets a saved search.
            remove_search: SearchName => ();
            /// What can be taken back and done again.
            library_history: NoArgs => LibraryHistory;
            /// Takes the last change of the library back.
            undo_library: NoArgs => LibraryHistory;
            /// Does what was taken back once more.
            redo_library: NoArgs => LibraryHistory;
            /// Finds a pattern or a position; `Event::Pattern` tells how it goes on. A search of this window that is
            /// under way ends.
            search_pattern: PatternSearch => PatternResult;
            /// Ends this window's search; it answers with what it has.
            cancel_pattern: NoArgs => ();
            /// How games went on from the current position of an open game.
            explore_position: ExploreRequest => ExplorerView;
            /// People by a part of their name.
            list_players: PlayersQuery => Vec<PlayerSummary>;
            /// A player's record.
            player_page: PlayerName => PlayerPage;
            /// Says that several names are one person.
            join_players: PlayerNames => ();
            /// Says that a name is a person of its own again.
            part_player: PlayerName => ();
            /// Figures about the whole library.
            library_report: NoArgs => LibraryReport;
            /// Writes records into a file, or gives their content.
            export_records: ExportRecords => ExportedRecords;
            /// Writes the whole library into one new file on this disk, with an empty path into one of the folder
            /// `backups` of the data folder, and answers with its path.
            backup_library: FilePath => FilePath;
            /// Reads the whole library and says, or repairs, what is wrong with it.
            check_library: CheckLibrary => LibraryCheck;
            /// Forgets what the engine found in all games; games that are open keep what is on the screen.
            clear_evaluations: NoArgs => ();
        }
    };
}
