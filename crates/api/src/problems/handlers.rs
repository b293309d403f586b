//! What the commands of this subject do.

use crate::disk::path_of;
use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn open_problems(app: &App, caller: &Caller, args: OpenProblems) -> Answer<ProblemsOpened> {
    if let GameSource::Path { path } = &args.source {
        path_of(app, path)?;
    }
    app.problems.open(&args.source, caller.stop())
}

pub(crate) fn open_shipped_problems(app: &App, _: &Caller, args: OneTheme) -> Answer<ProblemsOpened> {
    app.problems.open_shipped(args.theme)
}

pub(crate) fn problem_state(app: &App, _: &Caller, _: NoArgs) -> Answer<ProblemState> {
    app.problems.state()
}

pub(crate) fn remove_problems(app: &App, _: &Caller, args: OneCollection) -> Answer<ProblemState> {
    app.problems.remove(&args.collection_id)
}

pub(crate) fn next_problem(app: &App, _: &Caller, args: NextProblemOf) -> Answer<ProblemAsked> {
    app.problems.next(&args)
}

pub(crate) fn try_problem(app: &App, caller: &Caller, args: TryProblem) -> Answer<ProblemTry> {
    app.problems.try_move(&args, caller.stop())
}

pub(crate) fn judge_problem(app: &App, caller: &Caller, args: JudgeProblem) -> Answer<ProblemRuling> {
    app.problems.judge(&args, caller.stop())
}

pub(crate) fn problem_solution(app: &App, _: &Caller, args: ShowProblem) -> Answer<ProblemSolution> {
    app.problems.solution(&args)
}

pub(crate) fn start_problem_set(app: &App, _: &Caller, args: StartProblemSet) -> Answer<ProblemAsked> {
    app.problems.start_set(&args)
}

pub(crate) fn next_in_set(app: &App, _: &Caller, _: NoArgs) -> Answer<ProblemAsked> {
    app.problems.next_in_set()
}

pub(crate) fn end_problem_set(app: &App, _: &Caller, _: NoArgs) -> Answer<ProblemState> {
    app.problems.end_set()
}
