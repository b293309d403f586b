//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// What is asked of the engine about an open game.
#[doc(hidden)]
#[macro_export]
macro_rules! analysis_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Turns live analysis on or off; `Event::Analysis` follows.
            set_analysis: SetAnalysis => EngineStatus, quick, changes [], people free;
            /// What is known of a node's position, without asking the engine; null where nobody looked at its moves.
            known_analysis: NodeRef => Option<AnalysisUpdate>, long, changes [], people free;
            /// Evaluates every move of the current variation in the background; `Event::Graph` follows, and says how it
            /// ended.
            sweep_game: SweepGame => SweepStarted, long, changes [], people free;
            /// Reviews an open game that nobody asked about, where that is wished for, disturbs nothing and can say something:
            /// the network's first thoughts, then visits where it is open which moves decided. Null where it is not done.
            review_by_itself: GameRef => Option<SweepStarted>, long, changes [], people free;
            /// How the players of the current variation did, as far as its moves are judged: no engine is asked.
            review_line: GameRef => LineReview, long, changes [], people free;
            /// Ends the evaluation of a whole game; what it found so far stays.
            stop_sweep: NoArgs => (), cancels [], changes [], people free;
            /// Ends everything that the engine does for this window: live analysis, sweep, `run`, `play_out` and
            /// comparison. The opponent of a game that is played thinks on.
            stop_engine: NoArgs => EngineStatus, cancels [run, comparison, lesson], changes [], people free;
            /// Plays a position out to the end and inserts the moves as a variation; `Event::PlayOut` says how far it
            /// is, and `cancel` ends it with what it has.
            play_out: PlayOut => PlayedOut, long [run], changes [game], people free;
            /// Asks the network in use and another one about the current position. The other one stays in memory until
            /// `end_comparison` or until a third one is asked for; an earlier question that is under way ends.
            compare_networks: CompareNetworks => NetworkComparison, long [comparison], changes [], people refused;
            /// Ends a comparison and lets go of the second network.
            end_comparison: NoArgs => (), cancels [comparison], changes [], people free;
        } }
    };
}
