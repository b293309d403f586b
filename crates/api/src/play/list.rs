//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Games that are played, and who plays them.
#[doc(hidden)]
#[macro_export]
macro_rules! play_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Who can be played against.
            list_opponents: NoArgs => Opponents, long, changes [], people free;
            /// Engines of others that are installed on this machine and not among the opponents yet; nothing is started.
            find_engines: NoArgs => Vec<InstalledEngineView>, long, changes [], people nothing;
            /// Starts a program to see whether it is a GTP engine.
            test_engine: EngineCommand => EngineFound, long [trial], changes [], people refused;
            /// Tries a program out and keeps it as an opponent, in `engines.yaml`.
            add_engine: AddEngine => EngineFound, long [trial], changes [], people refused;
            /// Tries a program out and keeps it in place of an engine, whose timeout stays.
            change_engine: ChangeEngine => EngineFound, long [trial], changes [], people refused;
            /// Ends the trial of a program, and the program; nothing is kept.
            cancel_trial: NoArgs => (), cancels [trial], changes [], people free;
            /// Takes an engine out of `engines.yaml`.
            remove_engine: EngineName => (), long, changes [], people refused;
            /// The person's rating on each board, and the rated games behind it.
            rated_progress: NoArgs => RatedProgress, long, changes [], people free;
            /// Begins a game against an opponent, or between two persons; `Event::Play` follows.
            start_play: StartPlay => PlayStarted, long, changes [game, library], people stores;
            /// How a game that is played stands.
            get_play: GameRef => PlayView, long, changes [game, library], people free;
            /// The person's move, or the question whether it should stand.
            play_turn: PlayTurn => PlayAnswer, long, changes [game, library], people free;
            /// Takes back to the person's last turn.
            take_back: GameRef => PlayAnswer, long, changes [game, library], people free;
            /// The person's clock stands until the next move, or runs on; not in a rated game. A game of two opponents
            /// stands as a whole.
            pause_play: PausePlay => PlayView, long, changes [game], people free;
            /// One move of a game of two opponents, which stands after it.
            step_play: GameRef => PlayView, long, changes [game], people free;
            /// A person plays on in the place of one of two opponents.
            take_seat: TakeSeat => PlayView, long, changes [game], people free;
            /// The person gives up.
            resign_play: GameRef => PlayAnswer, long, changes [game, library], people free;
            /// After both passed: ends the game with these stones dead.
            settle_play: SettlePlay => PlayAnswer, long, changes [game, library], people free;
            /// After both passed: goes on playing.
            continue_play: GameRef => PlayAnswer, long, changes [game, library], people free;
            /// Plays a game that is over once more.
            rematch: Rematch => PlayStarted, long, changes [game, library], people stores;
            /// Gives this name to the person in games that were played here against an opponent and have none.
            name_person: PlayerName => (), long, changes [game, library], people opens;
            /// Leaves a game that is played; it stays open.
            stop_play: GameRef => (), long, changes [game, library], people free;
        } }
    };
}
