"""Holds the review that people get against one pass over a game, for docs/experiments/hindsight.md.

python3 scripts/lib/compare_reviews.py HONINBO NETWORK VISITS FILE.sgf... >judged.jsonl

Every game is judged twice with so many visits on each position: by `honinbo review`, whose tree goes from the end of the game
to its beginning, and by searches that begin anew at each position. Where one of them calls a move a mistake and the other
does not, the positions before and after it are searched anew with fifty times the visits. One line of JSON for each game
goes to standard output, the sums so far to standard error.
"""

import json
import shutil
import subprocess
import sys
import tempfile

from compare_verdicts import MISTAKE, one_pass
from search_verdicts import TIMES, Engine, game


def reviewed(program, network, visits, path, one):
    """Points that each move lost as `honinbo review` says, which knows nothing of the game before."""
    data = tempfile.mkdtemp()
    try:
        command = [program, "review", "--data", data, "--net", network, "--visits", str(visits), "--json"]
        command += ["--rules", one["rules"], "--komi", str(one["komi"]), path]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        games = json.loads(done.stdout)["games"] if done.returncode == 0 else []
        moves = games[0]["moves"][: len(one["moves"])] if games else []
    finally:
        shutil.rmtree(data)
    same = [(move["color"][0].upper(), move["move"].lower()) for move in moves] == [(c, m.lower()) for c, m in one["moves"]]
    return [move["lost"] for move in moves] if same else None


def main():
    program, network, visits, *files = sys.argv[1:]
    engine = Engine(program, network)
    total = {"games": 0, "moves": 0, "both blame": 0}
    for way in ("review", "one pass"):
        total |= {f"only {way} blames": 0, f"only {way} blames, wrongly": 0}
    for path in files:
        one = game(path)
        lost = one and reviewed(program, network, visits, path, one)
        cheap = lost and engine.ask(one, list(range(len(one["moves"]) + 1)), int(visits))
        if not cheap:
            continue
        positions = [
            {"played": one["moves"][at][1] if at < len(one["moves"]) else None, "cheap": cheap[at], "deep": None}
            for at in range(len(one["moves"]) + 1)
        ]
        first = one_pass(positions, "cheap")
        differ = [at for at, (a, b) in enumerate(zip(lost, first)) if b is not None and (a >= MISTAKE) != (b >= MISTAKE)]
        turns = sorted({turn for at in differ for turn in (at, at + 1)})
        for turn, found in (engine.ask(one, turns, int(visits) * TIMES) if turns else {}).items():
            positions[turn]["deep"] = found
        true = one_pass(positions, "deep")
        total["games"] += 1
        total["moves"] += len(lost)
        total["both blame"] += sum(b is not None and min(a, b) >= MISTAKE for a, b in zip(lost, first))
        judged = []
        for at in differ:
            if true[at] is None:
                continue
            way = "review" if lost[at] >= MISTAKE else "one pass"
            total[f"only {way} blames"] += 1
            total[f"only {way} blames, wrongly"] += true[at] < MISTAKE
            judged.append({"move": at + 1, "review": lost[at], "one pass": round(first[at], 3), "deep": round(true[at], 3)})
        print(json.dumps({"game": path.rsplit("/", 1)[-1], "size": one["size"], "moves": len(lost), "differ": judged}), flush=True)
        print(json.dumps(total), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
