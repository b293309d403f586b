//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Open games: opening, editing, saving, closing them.
#[doc(hidden)]
#[macro_export]
macro_rules! games_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Opens a new, empty game.
            new_game: NewGame => GameView, quick, changes [game], people free;
            /// What a new game can be: rulesets, komi and handicap for a board, and who is about as strong as the person.
            offer_game: GameTerms => GameOffer, long, changes [], people free;
            /// Opens the famous game of 1846 after the move that made it famous; the one of the first start where it is still open.
            open_famous: NoArgs => GameView, long, changes [game], people free;
            /// Opens the game of a file given as its content; of several games none is opened, and the error says so.
            open_content: OpenContent => GameView, long, changes [game], people stores;
            /// Opens the game of a file on this disk; of several games none is opened, and the error says so.
            open_file: FilePath => GameView, long, changes [game], people refused;
            /// The games of a file, to choose among them.
            list_games: GameSource => GameList, long, changes [], people free;
            /// Opens some games of a file.
            open_games: OpenGames => Vec<GameView>, long, changes [game], people stores;
            /// Opens a record of the library.
            open_record: RecordRef => GameView, long, changes [game], people opens;
            /// Closes a game; its analysis ends. It is kept among the closed ones.
            close_game: CloseGame => Closing, long, changes [game, library, closed_games], people opens;
            /// The games that can be opened again, the last closed first.
            closed_games: NoArgs => Vec<ClosedGame>, long, changes [], people free;
            /// Opens a closed game again, with its link to the library and its file; one that was played goes on.
            reopen_game: ClosedGameRef => GameView, long, changes [game, closed_games], people opens;
            /// A whole open game once more.
            get_game: GameRef => GameView, quick, changes [], people free;
            /// The position at a node, without going there.
            position_at: NodeRef => PositionView, quick, changes [], people free;
            /// Plays at the current node.
            play: PlayMove => GameUpdate, quick, changes [game], people free;
            /// Goes to a node.
            go_to: NodeRef => GameUpdate, quick, changes [game], people free;
            /// Goes a step.
            navigate: Navigate => GameUpdate, quick, changes [game], people free;
            /// Begins to try out moves that the record is not to have, or ends it and drops or keeps them.
            try_out: TryOut => GameUpdate, quick, changes [game], people free;
            /// Removes a node and all that follows it; the current node becomes its parent if it was among them.
            delete_variation: NodeRef => GameUpdate, quick, changes [game], people free;
            /// Removes every variation beside the line to a node; what follows the node stays.
            keep_variation: NodeRef => GameUpdate, quick, changes [game], people free;
            /// Opens a new game that begins with the position at a node, its stones set up, and goes on with all that
            /// follows there; the other game stays as it is.
            open_from: NodeRef => GameView, long, changes [game], people stores;
            /// Looks for words in the comments and the names of a game's positions.
            find_places: FindPlaces => FoundPlaces, long, changes [], people free;
            /// Makes the variation that a node belongs to the main line.
            promote_variation: NodeRef => GameUpdate, quick, changes [game], people free;
            /// Moves a variation among those of the same move.
            move_variation: MoveVariation => GameUpdate, quick, changes [game], people free;
            /// A node and all that follows it as a record of its own, to be pasted.
            copy_variation: NodeRef => SgfText, quick, changes [], people free;
            /// Hangs copied moves below a node.
            paste_variation: PasteVariation => GameUpdate, quick, changes [game], people stores;
            /// Hangs a line of moves below a node, as far as they are not there already; the position stays.
            add_line: AddLine => GameUpdate, quick, changes [game], people free;
            /// Goes on after a variation with what the game went on with before it; moves that are not possible any
            /// more are left out.
            continue_game: ContinueGame => ContinuedGame, quick, changes [game], people free;
            /// Puts stones on the board, or takes them off, outside of play.
            set_stones: SetStones => GameUpdate, quick, changes [game], people free;
            /// Puts a frame of living stones around the position in a corner or at a side, so that an engine looks at
            /// nothing else; the error says where there is no room.
            frame_position: GameRef => GameUpdate, quick, changes [game], people free;
            /// Says who is to move.
            set_to_move: SetToMove => GameUpdate, quick, changes [game], people free;
            /// Changes what is drawn on the board at a node.
            set_marks: SetMarks => GameUpdate, quick, changes [game], people free;
            /// Changes a node's annotations: how its move was, whom its position favours, that it is worth a look.
            set_annotations: SetAnnotations => GameUpdate, quick, changes [game], people free;
            /// Changes a node's name.
            set_node_name: SetNodeName => GameUpdate, quick, changes [game], people opens;
            /// Takes the last change of the tree back.
            undo_edit: GameRef => GameUpdate, quick, changes [game], people free;
            /// Does what was taken back once more.
            redo_edit: GameRef => GameUpdate, quick, changes [game], people free;
            /// Changes a node's comment.
            set_comment: SetComment => GameUpdate, quick, changes [game], people opens;
            /// Changes what a game says about itself.
            set_game_info: SetGameInfo => GameView, quick, changes [game], people opens;
            /// The ways to read the texts of a game: the one in force first, the others by how common the characters are
            /// that come out, at most ten.
            text_readings: GameRef => Vec<TextReading>, long, changes [], people free;
            /// Reads all texts of a game in another way; one after the other they are one change.
            read_texts: ReadTexts => GameView, long, changes [game], people stores;
            /// The game as a record.
            export_sgf: GameRef => SgfText, quick, changes [], people free;
            /// The game as a record with what the engine found, for KaTrain, Kaya, Lizzie and Sabaki to read.
            export_evaluated: GameRef => SgfText, long, changes [], people free;
            /// Writes the game to a file on this disk.
            save_file: SaveFile => GameUpdate, long, changes [game], people refused;
            /// Writes a picture or a report to a file on this disk.
            save_content: SaveContent => (), long, changes [], people refused;
            /// Begins to drag the game out of the window as a file, while the button that took hold of it is still
            /// down; answers with the file, which stays until another one is dragged.
            drag_file: GameRef => FilePath, long, changes [], people refused;
            /// Counts the current position.
            score: ScoreRequest => ScoreView, long, changes [], people free;
        } }
    };
}
