"""Compares verdicts on moves for docs/experiments/hindsight.md: one pass over a game, and hindsight at equal cost, each held
against searches of fifty times the visits.

python3 scripts/lib/compare_verdicts.py searched.jsonl... >figures.json

The rule of one pass is that of crates/library/src/verdict.rs. Hindsight goes through the same searches from the end of the
game to its beginning: a position is worth for its mover at least what the move that was played turned out to be worth, and
a choice of the search that turned out worse is worth no more than that or than the next best move.
"""

import itertools
import json
import sys

ENOUGH = 50
MISTAKE = 2.0


def one_pass(positions, which):
    lost = []
    for at in range(len(positions) - 1):
        before, after, played = positions[at][which], positions[at + 1][which], positions[at]["played"]
        if not before or not after or before["visits"] < ENOUGH:
            lost.append(None)
            continue
        candidates = before["candidates"]
        if candidates and candidates[0][0] == played:
            lost.append(0.0)
            continue
        own = next((c for c in candidates if c[0] == played), None)
        lead = own[2] if own and own[1] >= max(after["visits"], ENOUGH) else after["lead"]
        best = candidates[0][2] if candidates else before["lead"]
        lost.append(max(0.0, (1 if at % 2 == 0 else -1) * (best - lead)))
    return lost


def hindsight(positions, margin, weighted, blames_own_choice):
    """`margin`: points that two searches may differ by and nothing follows. `weighted`: the move's values before and after it
    count by their visits, not the later one alone."""
    count = len(positions)
    value, visits, lost = [0.0] * count, [0] * count, [None] * (count - 1)
    last = positions[-1]["cheap"]
    value[-1], visits[-1] = last["lead"], last["visits"]
    for at in range(count - 2, -1, -1):
        before, played = positions[at]["cheap"], positions[at]["played"]
        sign, candidates = (1 if at % 2 == 0 else -1), before["candidates"]
        own = next((c for c in candidates if c[0] == played), None)
        now = value[at + 1]
        if weighted and own:
            now = (own[1] * own[2] + visits[at + 1] * now) / (own[1] + visits[at + 1])
        is_choice = bool(candidates) and candidates[0][0] == played
        best = candidates[0][2] if candidates else before["lead"]
        gained = sign * (now - best)
        value[at], visits[at], lost[at] = before["lead"], before["visits"], max(0.0, -gained)
        if gained > margin:
            # A late discovery: the position was worth more to its mover, so the move before it lost more.
            value[at], visits[at], lost[at] = before["lead"] + now - best, before["visits"] + visits[at + 1], 0.0
        elif is_choice and gained < -margin:
            others = [sign * c[2] for c in candidates[1:] if c[1] * 10 >= before["visits"]]
            fallback = max([sign * now, *others])
            value[at] = before["lead"] + sign * fallback - best
            lost[at] = max(0.0, fallback - sign * now) if blames_own_choice else 0.0
        elif is_choice:
            lost[at] = 0.0
    return lost


def compare(games, rule):
    told = {"judged": 0, "blamed": 0, "wrongly blamed": 0, "missed": 0, "differ": 0, "hindsight nearer": 0, "one pass nearer": 0,
            "blames that only it makes": 0, "of these right": 0, "blames that it takes back": 0, "of those wrong ones": 0, "error": 0.0}
    for game in games:
        positions = game["positions"]
        for true, first, found in zip(one_pass(positions, "deep"), one_pass(positions, "cheap"), rule(positions)):
            if true is None or first is None or found is None:
                continue
            told["judged"] += 1
            told["error"] += abs(found - true)
            told["blamed"] += found >= MISTAKE
            told["wrongly blamed"] += found >= MISTAKE > true
            told["missed"] += found < MISTAKE <= true
            if abs(found - first) > 0.01:
                told["differ"] += 1
                told["hindsight nearer"] += abs(found - true) < abs(first - true)
                told["one pass nearer"] += abs(found - true) > abs(first - true)
            if found >= MISTAKE > first:
                told["blames that only it makes"] += 1
                told["of these right"] += true >= MISTAKE
            if first >= MISTAKE > found:
                told["blames that it takes back"] += 1
                told["of those wrong ones"] += true < MISTAKE
    told["error"] = round(told["error"] / max(told["judged"], 1), 3)
    return told


def main():
    games = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            games += [json.loads(line) for line in file if line.strip()]
    rules = {"one pass": lambda positions: one_pass(positions, "cheap")}
    for margin, weighted, own in itertools.product((0.0, 1.0, 2.0, 4.0), (False, True), (False, True)):
        name = f"hindsight, margin {margin:g}{', by visits' if weighted else ''}{', blames own choices' if own else ''}"
        rules[name] = lambda positions, a=margin, b=weighted, c=own: hindsight(positions, a, b, c)
    figures = {"games": len(games), "moves": sum(len(game["positions"]) - 1 for game in games)}
    figures["rules"] = {name: compare(games, rule) for name, rule in rules.items()}
    json.dump(figures, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
