"""Searches games for docs/experiments/hindsight.md: every position with few visits, and with fifty times as many those on
which a verdict rests that may be disputed. One line of JSON for each game goes to standard output.

python3 scripts/lib/search_verdicts.py HONINBO NETWORK VISITS all|changed FILE.sgf... >searched.jsonl

`all` looks again wherever much seems to have been lost or gained, `changed` only where the search changed its mind: the move
turned out better than the best that was known, or the search's own choice worse.

Of each file the main line of its first game is taken. Games with set-up stones, with fewer than 20 moves or on boards of
other sizes than 7 to 19 are left out, and what follows move 150.
"""

import json
import re
import subprocess
import sys

TIMES = 50
# Points that a move seems to have lost or gained from which it is looked at again, with its neighbours.
DISPUTED = 2.0
MIN_MOVES, MAX_MOVES = 20, 150
LETTERS = "ABCDEFGHJKLMNOPQRST"
TOKEN = re.compile(r"[();]|([A-Z]+)((?:\s*\[(?:\\.|[^\]\\])*\])+)", re.S)
VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.S)


def main_line(text):
    """Root properties and moves of the first game: what lies in a second variation is passed over."""
    root, moves, depth, closed, nodes = {}, [], 0, None, 0
    for token in TOKEN.finditer(text):
        mark = token.group(0)
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
            if closed is None:
                # The main line has ended; nothing after it belongs to it.
                closed = depth
            if depth == 0:
                break
        elif closed is not None:
            continue
        elif mark == ";":
            nodes += 1
        else:
            values = VALUE.findall(token.group(2))
            if token.group(1) in ("B", "W"):
                moves.append((token.group(1), values[0].strip()))
            elif nodes == 1 or token.group(1) in ("AB", "AW", "AE"):
                root.setdefault(token.group(1), values)
    return root, moves


def game(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        root, moves = main_line(file.read())
    size = int(root.get("SZ", ["19"])[0].split(":")[0])
    if any(name in root for name in ("AB", "AW", "AE")) or not 7 <= size <= 19:
        return None
    named = []
    for number, (color, at) in enumerate(moves[:MAX_MOVES]):
        if color != "BW"[number % 2]:
            return None
        is_pass = len(at) != 2 or at == "tt"
        named.append([color, "pass" if is_pass else LETTERS[ord(at[0]) - 97] + str(size - (ord(at[1]) - 97))])
    while named and named[-1][1] == "pass":
        named.pop()
    komi = float(root.get("KM", ["6.5"])[0] or 6.5)
    rules = "japanese" if "japan" in root.get("RU", ["Japanese"])[0].lower() else "chinese"
    return None if len(named) < MIN_MOVES else {"size": size, "komi": komi, "rules": rules, "moves": named}


class Engine:
    def __init__(self, program, network):
        settings = "reportAnalysisWinratesAs=BLACK"
        command = [program, "analysis", "--net", network, "--override-config", settings]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, one, turns, visits, **more):
        query = {
            "id": "q", "moves": one["moves"], "rules": one["rules"], "komi": one["komi"], "boardXSize": one["size"],
            "boardYSize": one["size"], "analyzeTurns": turns, "maxVisits": visits, **more,
        }
        self.process.stdin.write(json.dumps(query) + "\n")
        found = {}
        while len(found) < len(turns):
            answer = json.loads(self.process.stdout.readline())
            if "error" in answer:
                print(answer["error"], file=sys.stderr)
                return None
            if answer.get("isDuringSearch") or "rootInfo" not in answer:
                continue
            infos = sorted(answer["moveInfos"], key=lambda info: info["order"])
            found[answer["turnNumber"]] = {
                "visits": answer["rootInfo"]["visits"],
                "lead": round(answer["rootInfo"]["scoreLead"], 3),
                "win": round(answer["rootInfo"]["winrate"], 4),
                "candidates": [[i["move"], i["visits"], round(i["scoreLead"], 3)] for i in infos if i["visits"] > 0],
            }
            if "policy" in answer:
                found[answer["turnNumber"]]["policy"] = answer["policy"]
        return found


def disputed(moves, cheap, where):
    """Positions that are searched again."""
    wanted = set()
    for at, (color, played) in enumerate(moves):
        sign = 1 if color == "B" else -1
        candidates = cheap[at]["candidates"]
        own = bool(candidates) and candidates[0][0] == played
        best = candidates[0][2] if candidates else cheap[at]["lead"]
        lost = sign * (best - cheap[at + 1]["lead"])
        changed = lost <= -DISPUTED or (own and lost >= DISPUTED)
        if changed:
            # The move before may be to blame.
            wanted.update({max(at - 1, 0), at, at + 1})
        elif where == "all" and lost >= DISPUTED:
            wanted.update({max(at - 2, 0), max(at - 1, 0), at, at + 1})
    return sorted(wanted)


def main():
    program, network, visits, where, *files = sys.argv[1:]
    engine = Engine(program, network)
    for path in files:
        one = game(path)
        cheap = one and engine.ask(one, list(range(len(one["moves"]) + 1)), int(visits))
        if not cheap:
            continue
        turns = disputed(one["moves"], cheap, where)
        deep = engine.ask(one, turns, int(visits) * TIMES) if turns else {}
        positions = [
            {"played": one["moves"][at][1] if at < len(one["moves"]) else None, "cheap": cheap[at], "deep": deep.get(at)}
            for at in range(len(one["moves"]) + 1)
        ]
        print(json.dumps({"game": path.rsplit("/", 1)[-1], "size": one["size"], "positions": positions}), flush=True)


if __name__ == "__main__":
    main()
