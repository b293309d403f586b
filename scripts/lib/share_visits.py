"""Shares the visits of a review out in several ways, for "A ledger of visits over a review" in docs/experiments/search.md.

python3 scripts/lib/share_visits.py search HONINBO NETWORK GAMES SEED >searched.jsonl
python3 scripts/lib/share_visits.py share searched.jsonl... >figures.json

`search` draws the moves of games on 9x9 from the network's policy and searches every position with each of LEVELS; `share`
replays over them what a review would have done, and counts the verdicts that differ from those of the last level. The rule of
a verdict is that of crates/library/src/verdict.rs, "near" that of crates/api/src/analysis/ledger.rs.
"""

import json
import math
import random
import sys

from compare_verdicts import one_pass
from search_verdicts import LETTERS, Engine

SIZE, MOVES, KOMI, RULES = 9, 60, 7, "chinese"
LEVELS = (50, 100, 200, 400, 600)
# Visits that one position may get.
MOST = 400
MISTAKE, BLUNDER = 2.0, 6.0


def searched(engine, generator):
    one = {"moves": [], "size": SIZE, "komi": KOMI, "rules": RULES}
    while len(one["moves"]) < MOVES:
        at = len(one["moves"])
        policy = engine.ask(one, [at], 1, includePolicy=True)[at]["policy"][:-1]
        if max(policy) <= 0:
            break
        place = generator.choices(range(SIZE * SIZE), [max(share, 0) for share in policy])[0]
        one["moves"].append(["BW"[at % 2], LETTERS[place % SIZE] + str(SIZE - place // SIZE)])
    turns = list(range(len(one["moves"]) + 1))
    levels = {visits: engine.ask(one, turns, visits) for visits in LEVELS}
    played = [made for _, made in one["moves"]] + [None]
    return [{"played": played[at], **{str(visits): levels[visits][at] for visits in LEVELS}} for at in turns]


def losses(positions, given):
    chosen = [{"played": position["played"], "found": position[str(visits)]} for position, visits in zip(positions, given)]
    # Searches end a visit or two early where nothing is left to look at.
    return [lost or 0.0 for lost in one_pass(chosen, "found")]


def near(lost, visits, _changed):
    return 1 / (1 + min(abs(lost - MISTAKE), abs(lost - BLUNDER))) / math.sqrt(visits)


def change(lost, visits, changed):
    return near(lost, visits, changed) * (0.2 + changed)


def shared(positions, first, mean, worth):
    """Visits of each position: `first` each, then doubled where it is worth most as long as the mean allows it."""
    given = [first] * len(positions)
    left = (mean - first) * len(positions)
    while True:
        lost, best = losses(positions, given), None
        for at, visits in enumerate(given):
            if visits >= MOST or visits > left:
                continue
            before = positions[at].get(str(visits // 2))
            changed = abs(positions[at][str(visits)]["lead"] - before["lead"]) if before and visits > first else 1.0
            value = max(worth(lost[move], visits, changed) for move in (at - 1, at) if 0 <= move < len(lost))
            if best is None or value > best[0]:
                best = (value, at)
        if best is None:
            return given
        left -= given[best[1]]
        given[best[1]] *= 2


def kind(lost):
    return (lost >= MISTAKE) + (lost >= BLUNDER)


def figures(games, first, mean, worth):
    told = {"verdicts": 0, "wrong": 0, "put right": 0, "spoiled": 0, "points off": 0.0}
    for positions in games:
        count = len(positions)
        truth, even = losses(positions, [LEVELS[-1]] * count), losses(positions, [mean] * count)
        found = losses(positions, shared(positions, first, mean, worth)) if worth else even
        for true, evenly, now in zip(truth, even, found):
            told["verdicts"] += 1
            told["wrong"] += kind(now) != kind(true)
            told["put right"] += kind(evenly) != kind(true) == kind(now)
            told["spoiled"] += kind(evenly) == kind(true) != kind(now)
            told["points off"] += abs(now - true)
    told["points off"] = round(told["points off"] / max(told["verdicts"], 1), 3)
    return told


def main():
    what, *rest = sys.argv[1:]
    if what == "search":
        program, network, count, seed = rest
        engine, generator = Engine(program, network), random.Random(int(seed))
        for _ in range(int(count)):
            print(json.dumps(searched(engine, generator)), flush=True)
        return
    games = []
    for path in rest:
        with open(path, encoding="utf-8") as file:
            games += [json.loads(line) for line in file if line.strip()]
    ways = [(mean, first, name, worth) for mean, first in ((100, 50), (200, 100), (200, 50)) for name, worth in (("near", near), ("change", change))]
    ways += [(mean, mean, "evenly", None) for mean in (100, 200)]
    halves = {"first half": games[: len(games) // 2], "second half": games[len(games) // 2 :]}
    told = [
        {"mean": mean, "first share": first, "way": name, **{half: figures(part, first, mean, worth) for half, part in halves.items()}}
        for mean, first, name, worth in ways
    ]
    json.dump({"games": len(games), "ways": told}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
