//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Problems and their answers.
#[doc(hidden)]
#[macro_export]
macro_rules! problems_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Takes the problems of a file in as a collection; one that is there already is found again.
            open_problems: OpenProblems => ProblemsOpened, long, changes [library], people stores;
            /// Takes the problems of a theme in that come with the program, with what was tried of them before.
            open_shipped_problems: OneTheme => ProblemsOpened, long, changes [library], people stores;
            /// The collections, and how strong the person is at problems.
            problem_state: NoArgs => ProblemState, long, changes [], people free;
            /// Puts a collection away; taking its file in again brings it back with what was tried.
            remove_problems: OneCollection => ProblemState, long, changes [library], people free;
            /// The problem of a collection that comes next. One that was tried before is turned.
            next_problem: NextProblemOf => ProblemAsked, long, changes [], people free;
            /// Tries a move. The file answers as far as it knows; then the engine does. The first try of a day that is
            /// right or wrong moves both ratings.
            try_problem: TryProblem => ProblemTry, long [lesson], changes [library], people free;
            /// What the group of a problem is, by proof: alive, dead, in seki or a ko, and which first moves are right.
            judge_problem: JudgeProblem => ProblemRuling, long [lesson], changes [], people free;
            /// What the file holds to be right. Who gives up has not solved it.
            problem_solution: ShowProblem => ProblemSolution, long, changes [library], people free;
            /// Begins a set of problems against the clock; an earlier one ends.
            start_problem_set: StartProblemSet => ProblemAsked, long, changes [], people free;
            /// The next problem of the set; none when it is over.
            next_in_set: NoArgs => ProblemAsked, long, changes [], people free;
            /// Ends the set.
            end_problem_set: NoArgs => ProblemState, long, changes [], people free;
        } }
    };
}
