"""KaTrain reviews a game with an engine of ours in KataGo's place.

Usage: katrain_review.py COMMAND GAME.sgf MOVES VISITS
Prints one JSON object: what KaTrain's own classes make of the answers.
"""

import json
import os
import sys
import tempfile
import time

home = tempfile.mkdtemp()
os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1", KIVY_HOME=home, HOME=home)

from katrain.core.base_katrain import KaTrainBase  # noqa: E402
from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game import Game, KaTrainSGF  # noqa: E402


class Reviewer(KaTrainBase):
    """KaTrain without its window."""

    def __init__(self):
        self.errors = []
        super().__init__(force_package_config=True, debug_level=0)

    def log(self, message, level=0):
        if level == -1:
            self.errors.append(str(message))

    def __call__(self, message, *args):
        self.errors.append(f"{message} {args}")

    def update_state(self, **_kwargs):
        pass


def main():
    command, path, moves, visits = sys.argv[1:5]
    sys.argv[1:] = []
    katrain = Reviewer()
    config = {**katrain.config("engine"), "backend": "custom", "altcommand": command, "max_visits": int(visits)}
    config.update(fast_visits=int(visits), max_time=60.0, _enable_ownership=True)
    engine = KataGoEngine(katrain, config)
    tree = KaTrainSGF.parse_file(path)
    node = tree
    for _ in range(int(moves)):
        node = node.children[0]
    node.children = []
    game = Game(katrain, engine, move_tree=tree, analyze_fast=True)
    deadline = time.time() + 200
    nodes = list(tree.nodes_in_tree)
    while time.time() < deadline and not all(one.analysis_complete for one in nodes):
        if not engine.check_alive():
            break
        time.sleep(0.05)
    # Pondering goes on for ever until it is stopped.
    last = nodes[-1]
    last.analyze(engine, ponder=True, report_every=0.05)
    before = last.root_visits
    while time.time() < deadline and last.root_visits <= before:
        time.sleep(0.05)
    pondered = last.root_visits > before
    engine.stop_pondering()
    while time.time() < deadline and not engine.is_idle():
        time.sleep(0.05)
    # A region of interest is asked for as moves to avoid.
    game.region_of_interest = [0, 5, 0, 5]
    last.analyze(engine, visits=int(visits), region_of_interest=game.region_of_interest)
    time.sleep(0.2)
    engine.wait_to_finish()
    result = {
        "positions": len(nodes),
        "complete": sum(bool(one.analysis_complete) for one in nodes),
        "visits": [one.root_visits for one in nodes],
        "lost": [one.points_lost for one in nodes[1:]],
        "best": [one.candidate_moves[0]["move"] for one in nodes],
        "pv": [len(one.candidate_moves[0]["pv"]) for one in nodes],
        "score": [one.score for one in nodes],
        "winrate": [one.winrate for one in nodes],
        "ownership": [len(one.ownership or []) for one in nodes],
        "policy": [len(one.policy or []) for one in nodes],
        "pondered": pondered,
        "alive": engine.check_alive(),
        "errors": katrain.errors,
    }
    print(json.dumps(result), flush=True)
    engine.shutdown(finish=None)


main()
# KaTrain's threads wait for an engine that is gone.
sys.stdout.flush()
os._exit(0)
