"""How often levels play what people played, and where people look: DIR holds SGF files, those of 9x9 are taken.

  like_people.py HONINBO DIR level pupil_1 rank_20k   the share of moves that a level would have played, too
  like_people.py HONINBO DIR net pupil-1.bin.gz       what fits people best beside that network's odds
"""

import glob
import json
import math
import os
import random
import re
import subprocess
import sys

SIDE, LEAST_MOVES, COLUMNS = 9, 20, "ABCDEFGHJ"
FACTORS = [
    "beside", "diagonal", "two away", "three away", "first line alone", "first line", "second line alone", "touching",
]


def records(folder):
    """Komi, stones and moves of the main line of each game."""
    for path in sorted(glob.glob(os.path.join(folder, "**/*.sgf"), recursive=True)):
        text = open(path, encoding="utf8", errors="replace").read()
        root, moves, nodes = {}, [], 0
        for name, values, mark in re.findall(r"([A-Z]+)((?:\s*\[(?:\\.|[^\]\\])*\])+)|([;()])", text, re.S):
            if mark == ")":
                break
            nodes += mark == ";"
            values = re.findall(r"\[((?:\\.|[^\]\\])*)\]", values, re.S)
            if name in ("B", "W"):
                moves.append((name, values[0]))
            elif name and nodes == 1:
                root[name] = values
            elif name in ("AB", "AW", "AE"):
                break
        if root.get("SZ") == [str(SIDE)] and len(moves) >= LEAST_MOVES:
            yield root, moves


def vertex(sgf):
    return COLUMNS[ord(sgf[0]) - 97] + str(SIDE - ord(sgf[1]) + 97)


class Program:
    def __init__(self, honinbo, *options):
        self.process = subprocess.Popen(
            [honinbo, "gtp", "--threads", "1", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = []
        while line := self.process.stdout.readline():
            if line.strip():
                answer.append(line)
            elif answer:
                return "".join(answer)
        sys.exit(f"the program ended at {command}")


def positions(program, folder):
    """Each move of each game, before it is played: the game's number, colour, point and the point before it."""
    for number, (root, moves) in enumerate(records(folder)):
        komi = root.get("KM", ["6.5"])[0]
        for command in (f"boardsize {SIDE}", "clear_board", "kata-set-rules japanese", f"komi {komi}"):
            program.ask(command)
        for color in "BW":
            for stone in root.get("A" + color, []):
                program.ask(f"play {color} {vertex(stone)}")
        last = None
        for color, sgf in moves:
            passed = sgf in ("", "tt")
            if not passed:
                yield number, color, sgf, last
            if not program.ask(f"play {color} {'pass' if passed else vertex(sgf)}").startswith("="):
                break
            last = None if passed else sgf


def agreement(honinbo, folder, level):
    program, games = Program(honinbo, "--level", level), {}
    for number, color, sgf, _ in positions(program, folder):
        answer = program.ask(f"genmove {color}")[1:].strip()
        if answer != "resign":
            program.ask("undo")
        same = games.setdefault(number, [0, 0])
        same[0] += answer == vertex(sgf)
        same[1] += 1
    share = lambda drawn: sum(same for same, _ in drawn) / sum(of for _, of in drawn)
    games, rng = list(games.values()), random.Random(1)
    drawn = sorted(share([rng.choice(games) for _ in games]) for _ in range(1000))
    moves = sum(of for _, of in games)
    interval = [drawn[25], drawn[974]]
    return {"level": level, "games": len(games), "moves": moves, "same": share(games), "interval": interval}


def looks(grid, at, last):
    """Which of FACTORS hold of a point."""
    y, x = divmod(at, SIDE)
    far = (9, 9) if last is None else (abs(x - ord(last[0]) + 97), abs(y - ord(last[1]) + 97))
    line = min(x, y, SIDE - 1 - x, SIDE - 1 - y)
    beside = [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
    touches = any(grid[v * SIDE + h] is None for v, h in beside if 0 <= v < SIDE and 0 <= h < SIDE)
    return (
        [0] * (sum(far) == 1) + [1] * (far == (1, 1)) + [max(far)] * (2 <= max(far) <= 3)
        + [4] * (line == 0 and not touches) + [5] * (line == 0 and touches) + [6] * (line == 1 and not touches)
        + [7] * touches
    )


def fit(honinbo, folder, net):
    """Newton's steps on the logarithms of the factors and on the power of the network's odds."""
    program, found = Program(honinbo, "--net", net, "--precision", "exact"), []
    for number, color, sgf, last in positions(program, folder):
        odds = re.search(r"\npolicy\s*\n((?:.*\n){%d})" % SIDE, program.ask(f"kata-raw-nn {color} 0")).group(1).split()
        grid = [None if one == "NAN" else float(one) for one in odds]
        played = (ord(sgf[1]) - 97) * SIDE + ord(sgf[0]) - 97
        if grid[played] is not None:
            legal = [(at, one) for at, one in enumerate(grid) if one is not None]
            points = [(math.log(max(one, 1e-5)), looks(grid, at, last), at == played) for at, one in legal]
            found.append((number, points))
    fitted = [points for number, points in found if number % 2 == 0]
    others = [points for number, points in found if number % 2]

    def shares(points, power, logs):
        weights = [math.exp(power * odds + sum(logs[one] for one in held)) for odds, held, _ in points]
        return [weight / sum(weights) for weight in weights]

    def nats(power, logs):
        total = 0
        for points in others:
            weighed = zip(shares(points, power, logs), points)
            total -= math.log(sum(share for share, (_, _, played) in weighed if played))
        return total / len(others)

    power, logs = 0.5, [0.0] * len(FACTORS)
    for _ in range(25):
        slope, bend = [0.0] * (len(FACTORS) + 1), [1e-3] * (len(FACTORS) + 1)
        for points in fitted:
            mean = [0.0] * (len(FACTORS) + 1)
            square = 0.0
            for share, (odds, held, played) in zip(shares(points, power, logs), points):
                mean[-1] += share * odds
                square += share * odds * odds
                slope[-1] += odds * played
                for one in held:
                    mean[one] += share
                    slope[one] += played
            for one, value in enumerate(mean):
                slope[one] -= value
                bend[one] += value * (1 - value) if one < len(FACTORS) else square - value * value
        power += 0.5 * slope[-1] / bend[-1]
        logs = [log + 0.5 * slope[one] / bend[one] for one, log in enumerate(logs)]
    return {
        "net": os.path.basename(net), "moves": len(found), "power": power,
        "factors": {name: math.exp(log) for name, log in zip(FACTORS, logs)},
        "nats": {"of its odds": nats(1.0, [0.0] * len(FACTORS)), "fitted, on the other games": nats(power, logs)},
    }


if __name__ == "__main__":
    honinbo, folder, kind, *names = sys.argv[1:]
    for name in names:
        print(json.dumps((agreement if kind == "level" else fit)(honinbo, folder, name)), flush=True)
