"""Measures `honinbo train` beside KataGo's own programs, for docs/experiments/self-play.md.

python3 scripts/lib/compare_training.py fit HONINBO KATAGO_PYTHON RUN [--kind b4c32] [--from NET] [--batch N] [--compile]
python3 scripts/lib/compare_training.py selfplay HONINBO KATAGO NET [--side N] [--games N] [--visits N] [--cheap N]
Both: [--threads N,...] [--rounds N]

`fit`: steps of `honinbo train fit` and of `train.py` in KATAGO_PYTHON, the folder `python` of KataGo's sources, for a
network of the same shape, by the same rows: those of RUN, a folder of `honinbo train`, which is left as it is. Python must
have PyTorch and NumPy.
`selfplay`: games of `honinbo train selfplay` and of `KATAGO selfplay`, with the same network and board, and nothing else of
KataGo's that costs visits: no handicap, forks, leads or unequal sides. Visits are those that games of either are said to
have had.

Both programs run by turns, the first of them changing with each round. Everything is counted in processor time, of which
what a program needs to begin is taken away by two lengths of each. Prints one JSON object a measurement, and at the end
one with the medians for each program and number of threads.
"""

import argparse
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

import numpy as np


def processor_seconds(command, folder, threads):
    """Runs a program to its end; what it and its children computed, and what it printed."""
    surroundings = {**os.environ, "RAYON_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    # What it says goes to a file: nobody has to read while it runs.
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, cwd=folder, env=surroundings, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{text[-2000:]}")
    return usage.ru_utime + usage.ru_stime, text


def by_turns(names, threads, rounds, measure):
    """Calls `measure(name, threads)` for each, and prints what comes of it."""
    found = {}
    for turn in range(rounds):
        for count in threads:
            for name in names if turn % 2 == 0 else names[::-1]:
                values = measure(name, count)
                found.setdefault((name, count), []).append(values)
                print(json.dumps({"program": name, "threads": count, "round": turn + 1, **values}), flush=True)
    for (name, count), values in found.items():
        medians = {key: round(statistics.median(value[key] for value in values), 4) for key in values[0]}
        print(json.dumps({"program": name, "threads": count, "rounds": len(values), "medians": medians}))


def settings(text, **wanted):
    """The text of a run.toml with other values."""
    for key, value in wanted.items():
        text, changed = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
        if changed == 0:
            sys.exit(f"run.toml has no {key}")
    return text


def fit(args):
    with tempfile.TemporaryDirectory() as folder:
        rows = sorted(glob.glob(os.path.join(args.run, "rows", "*", "*.npz")))[: args.files]
        text = open(os.path.join(args.run, "run.toml"), encoding="utf-8").read()
        text = settings(text, batch=args.batch, least_rows=4_000_000, most_rows=4_000_000, rows_used=1000.0)
        begins = args.start or os.path.join(args.run, "networks", "000000.bin.gz")

        def run(steps):
            """A run whose games are played and whose fit makes so many steps."""
            place = os.path.join(folder, f"run{steps}")
            os.makedirs(os.path.join(place, "rows", "000001"))
            os.makedirs(os.path.join(place, "networks"))
            os.makedirs(os.path.join(place, "shuffled"))
            with open(os.path.join(place, "run.toml"), "w", encoding="utf-8") as file:
                file.write(settings(text, most_steps=steps))
            for number, path in enumerate(rows):
                os.symlink(os.path.abspath(path), os.path.join(place, "rows", "000001", f"{number:06}.npz"))
            os.symlink(os.path.abspath(begins), os.path.join(place, "networks", "000000.bin.gz"))
            return place

        shuffled = None
        for steps in args.steps:
            place = run(steps)
            if shuffled is None:
                processor_seconds([args.honinbo, "train", "shuffle", place], folder, 1)
                shuffled = os.path.join(place, "shuffled", "000001.npz")
                with np.load(shuffled) as file:
                    arrays = {name: file[name] for name in file.files}
            else:
                os.symlink(shuffled, os.path.join(place, "shuffled", "000001.npz"))
        side = int(round((arrays["policyTargetsNCMove"].shape[2] - 1) ** 0.5))
        for steps in args.steps:
            # As many rows as the steps take, in one file, so that the number of steps is known.
            data = os.path.join(folder, f"data{steps}")
            os.makedirs(os.path.join(data, "train"))
            wanted = np.arange(steps * args.batch) % len(arrays["globalInputNC"])
            np.savez(os.path.join(data, "train", "data0.npz"), **{key: value[wanted] for key, value in arrays.items()})
            with open(os.path.join(data, "train", "data0.json"), "w", encoding="utf-8") as file:
                json.dump({"num_rows": len(wanted)}, file)
            with open(os.path.join(data, "train.json"), "w", encoding="utf-8") as file:
                json.dump({"range": [0, len(wanted)]}, file)

        def once(name, threads, steps, again):
            if name == "honinbo":
                place = os.path.join(folder, f"run{steps}")
                for path in glob.glob(os.path.join(place, "checkpoint*")) + glob.glob(os.path.join(place, "candidates", "*")):
                    os.remove(path)
                seconds, text = processor_seconds([args.honinbo, "train", "fit", place, "--json"], folder, threads)
                made = json.loads(text.splitlines()[-1])["steps"]
                assert made == steps, f"{made} steps, not {steps}"
                return seconds
            with tempfile.TemporaryDirectory() as place:
                command = [
                    sys.executable, "train.py", "-traindir", place, "-datadir", os.path.join(folder, f"data{steps}"),
                    "-pos-len", str(side), "-batch-size", str(args.batch), "-samples-per-epoch", str(steps * args.batch),
                    "-model-kind", args.kind, "-no-export", "-max-epochs-this-instance", "1", "-quit-if-no-data",
                ] + ([] if args.compile else ["-no-compile"])
                seconds, text = processor_seconds(command, args.katago, threads)
                assert f"with {steps} usable batches" in text, text[-2000:]
                if args.compile and not again:
                    # What was compiled is kept: the second time tells.
                    return once(name, threads, steps, True)
                return seconds

        def measure(name, threads):
            short, long = (once(name, threads, steps, False) for steps in args.steps)
            step = (long - short) / (args.steps[1] - args.steps[0])
            return {"secondsAStep": round(step, 5), "rowsASecond": round(args.batch / step, 1)}

        by_turns(["honinbo", "katago"], args.threads, args.rounds, measure)


# Of KataGo's own configuration for small boards; what costs visits that ours does not spend is off.
SELFPLAY = """
logSearchInfo = false
logMoves = false
logGamesEvery = 1000000
logToStdout = true
maxDataQueueSize = 2000
maxRowsPerTrainFile = 20000
firstFileRandMinProp = 1.0
earlyForkGameProb = 0
earlyForkGameExpectedMoveProp = 0.025
forkGameProb = 0
forkGameMinChoices = 3
earlyForkGameMaxChoices = 12
forkGameMaxChoices = 36
sekiForkHackProb = 0
initGamesWithPolicy = true
policyInitAreaProp = 0.04
compensateAfterPolicyInitProb = 0
sidePositionProb = 0
cheapSearchProb = 0.75
cheapSearchTargetWeight = 0.0
reduceVisits = false
handicapAsymmetricPlayoutProb = 0
normalAsymmetricPlayoutProb = 0
policySurpriseDataWeight = 0
valueSurpriseDataWeight = 0
estimateLeadProb = 0
switchNetsMidGame = false
maxMovesPerGame = 1600
koRules = POSITIONAL
scoringRules = AREA
taxRules = NONE
multiStoneSuicideLegals = true
hasButtons = false
allowRectangleProb = 0
komiAuto = true
komiStdev = 1.0
handicapProb = 0
handicapCompensateKomiProb = 0
forkCompensateKomiProb = 0
sgfCompensateKomiProb = 0
drawRandRadius = 0.5
noResultStdev = 0.1666
numSearchThreads = 1
nnMaxBatchSize = 16
nnCacheSizePowerOfTwo = 18
nnMutexPoolSizePowerOfTwo = 14
numNNServerThreadsPerModel = 1
nnRandomize = true
chosenMoveTemperatureEarly = 0.75
chosenMoveTemperatureHalflife = 19
chosenMoveTemperature = 0.15
chosenMoveSubtract = 0
chosenMovePrune = 1
rootNoiseEnabled = true
rootDesiredPerChildVisitsCoeff = 2
rootNumSymmetriesToSample = 1
reduceVisitsThreshold = 0.9
reduceVisitsThresholdLookback = 3
reducedVisitsMin = 100
reducedVisitsWeight = 0.1
maxAsymmetricRatio = 8.0
minAsymmetricCompensateKomiProb = 0.4
useLcbForSelection = true
cpuctExploration = 1.1
"""


def selfplay(args):
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "models"))
        os.symlink(os.path.abspath(args.net), os.path.join(folder, "models", "net.bin.gz"))
        with open(os.path.join(folder, "selfplay.cfg"), "w", encoding="utf-8") as file:
            file.write(SELFPLAY)
            file.write(f"dataBoardLen = {args.side}\nbSizes = {args.side}\nbSizeRelProbs = 1\n")
            file.write(f"maxVisits = {args.visits}\ncheapSearchVisits = {args.cheap}\nnumGameThreads = {args.at_once}\n")

        def honinbo(games, threads):
            with tempfile.TemporaryDirectory() as place:
                with open(os.path.join(place, "my.toml"), "w", encoding="utf-8") as file:
                    file.write(
                        f"seed = {games}\n[[boards]]\nwidth = {args.side}\nheight = {args.side}\nkomi_spread = 1.0\n"
                        f"[selfplay]\ngames = {games}\ngames_per_file = {games}\nat_once = {args.at_once}\n"
                        f"visits = {args.visits}\ncheap_visits = {args.cheap}\n"
                    )
                run = os.path.join(place, "run")
                os.makedirs(os.path.join(run, "networks"))
                os.symlink(os.path.abspath(args.net), os.path.join(run, "networks", "000000.bin.gz"))
                os.rename(os.path.join(place, "my.toml"), os.path.join(run, "run.toml"))
                command = [args.honinbo, "train", "selfplay", run, "--threads", str(threads), "--json"]
                seconds, text = processor_seconds(command, place, threads)
                played = json.loads(text.splitlines()[-1])
                return seconds, played["rows"], played["visits"], played["moves"]

        def katago(games, threads):
            with tempfile.TemporaryDirectory() as place:
                command = [
                    args.katago, "selfplay", "-config", os.path.join(folder, "selfplay.cfg"), "-models-dir",
                    os.path.join(folder, "models"), "-output-dir", place, "-max-games-total", str(games),
                    "-override-config", f"numEigenThreadsPerModel={threads}",
                ]
                seconds, text = processor_seconds(command, place, threads)
                rows = visits = moves = 0
                for path in glob.glob(os.path.join(place, "**", "*.npz"), recursive=True):
                    with np.load(path) as file:
                        rows += len(file["globalTargetsNC"])
                for path in glob.glob(os.path.join(place, "**", "*.sgfs"), recursive=True):
                    text = open(path, encoding="utf-8").read()
                    each = [int(value) for value in re.findall(r"\bv=(\d+)", text)]
                    visits, moves = visits + sum(each), moves + len(each)
                return seconds, rows, visits, moves

        def measure(name, threads):
            program = honinbo if name == "honinbo" else katago
            short, long = (program(games, threads) for games in args.games)
            seconds, rows, visits, moves = (after - before for before, after in zip(short, long))
            return {
                "seconds": round(seconds, 2),
                "rows": rows,
                "visits": visits,
                "moves": moves,
                "rowsASecond": round(rows / seconds, 2),
                "visitsASecond": round(visits / seconds, 1),
            }

        by_turns(["honinbo", "katago"], args.threads, args.rounds, measure)


def numbers(text):
    return [int(part) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    for name in ("fit", "selfplay"):
        part = parts.add_parser(name)
        part.add_argument("honinbo")
        part.add_argument("katago")
        part.add_argument("run" if name == "fit" else "net")
        part.add_argument("--threads", type=numbers, default=[1, 2])
        part.add_argument("--rounds", type=int, default=3)
        if name == "fit":
            part.add_argument("--kind", default="b4c32")
            part.add_argument("--from", dest="start")
            part.add_argument("--batch", type=int, default=128)
            part.add_argument("--steps", type=numbers, default=[50, 550])
            part.add_argument("--files", type=int, default=30)
            part.add_argument("--compile", action="store_true")
        else:
            part.add_argument("--side", type=int, default=7)
            part.add_argument("--games", type=numbers, default=[20, 120])
            part.add_argument("--visits", type=int, default=100)
            part.add_argument("--cheap", type=int, default=20)
            part.add_argument("--at-once", type=int, default=16)
    args = parser.parse_args()
    for name in ("honinbo", "katago", "run", "net", "start"):
        if getattr(args, name, None):
            setattr(args, name, os.path.abspath(getattr(args, name)))
    fit(args) if args.part == "fit" else selfplay(args)


if __name__ == "__main__":
    main()
