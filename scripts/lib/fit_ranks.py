"""Fits crates/players/src/estimate.rs to games with known ranks: DIR holds NAME.sgf and NAME.json (honinbo review --json).

Needs numpy. Prints the table, and the error and the coverage on games that were not fitted on.
"""

import glob
import json
import math
import os
import random
import re
import sys

import numpy as np

KNOTS = [-4, 4, 12, 20, 28]  # ranks above 20 kyu
MAX_LOST, OFFSET, DECIDED, MIN_MOVES, COVERED = 15, 0.1, 0.95, 25, 0.9


def rank_of(text):
    """Ranks above 20 kyu; None where the text says none."""
    found = re.match(r"\s*(\d+)\s*(k|d|级|段)", text or "")
    if not found:
        return None
    number = int(found.group(1))
    return 20 - number if found.group(2) in ("k", "级") else 19 + number


def halves(folder):
    """Each player's half of each game whose rank is known."""
    rows = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        games = json.load(open(path))["games"]
        sgf = open(path[:-5] + ".sgf", encoding="utf8", errors="replace").read()
        for color, key in (("black", "BR"), ("white", "WR")):
            written = re.search(key + r"\[([^\]]*)\]", sgf)
            rank = rank_of(written and written.group(1))
            if rank is None or not games:
                continue
            lost, chance = [], 0.5
            for move in games[0]["moves"]:
                if move["color"] == color and 1 - DECIDED <= chance <= DECIDED:
                    lost.append(min(move["lost"], MAX_LOST))
                chance = move["blackWinProb"]
            if len(lost) >= MIN_MOVES:
                rows.append((os.path.basename(path), rank, len(lost), math.log(np.mean(lost) + OFFSET)))
    return rows


def basis(rank):
    """The share of each knot at a rank."""
    return [np.interp(rank, KNOTS, np.eye(len(KNOTS))[at]) for at in range(len(KNOTS))]


def fit(rows):
    """The usual logarithm at each knot, and its variance: from game to game, and of a single move."""
    shares, found = np.array([basis(row[1]) for row in rows]), np.array([row[3] for row in rows])
    usual = np.linalg.lstsq(shares, found, rcond=None)[0]
    of_moves = np.array([[1, 1 / row[2]] for row in rows])
    variance = np.linalg.lstsq(of_moves, (found - shares @ usual) ** 2, rcond=None)[0]
    return usual, variance


def estimate(row, usual, variance):
    """Middle, low and high."""
    ranks = np.arange(-5, 29)
    spread = max(variance[0], 0.02) + max(variance[1], 0) / row[2]
    weight = np.exp(-((row[3] - np.interp(ranks, KNOTS, usual)) ** 2) / 2 / spread)
    so_far = (weight / weight.sum()).cumsum()
    at = lambda part: ranks[min(np.searchsorted(so_far, part), len(ranks) - 1)]
    return at(0.5), at((1 - COVERED) / 2), at((1 + COVERED) / 2)


def report(name, rows, usual, variance):
    """Prints what the estimate is worth on some halves."""
    told = [estimate(row, usual, variance) for row in rows]
    errors = [abs(row[1] - one[0]) for row, one in zip(rows, told)]
    held = [one[1] <= row[1] <= one[2] for row, one in zip(rows, told)]
    width = [one[2] - one[1] for one in told]
    print(f"{name}: {len(rows)} halves, mean error {np.mean(errors):.2f}, covered {np.mean(held):.3f}, width {np.mean(width):.1f}")


rows = halves(sys.argv[1])
games = sorted({row[0] for row in rows})
random.seed(7)
random.shuffle(games)
held_out = set(games[: len(games) * 3 // 10])
fitted = [row for row in rows if row[0] not in held_out]
others = [row for row in rows if row[0] in held_out]
usual, variance = fit(fitted)
print("knots", dict(zip(KNOTS, usual.round(3))), "variance", variance.round(4))
report("fitted", fitted, usual, variance)
report("held out", others, usual, variance)
for low in sorted({row[1] // 4 * 4 for row in others}):
    report(f"  from {low} ranks above 20 kyu", [row for row in others if row[1] // 4 * 4 == low], usual, variance)
