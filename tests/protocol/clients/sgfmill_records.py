"""sgfmill, another library for records, reads what we wrote, and writes what we are to read.

Usage: sgfmill_records.py FOLDER RECORD…  (with sgfmill on PYTHONPATH)
Prints one JSON object: what each record says, and the file that sgfmill wrote of it into the folder.
"""

import json
import os
import sys

from sgfmill import ascii_boards, sgf, sgf_moves


def described(path, folder):
    with open(path, "rb") as file:
        game = sgf.Sgf_game.from_bytes(file.read())
    board, plays = sgf_moves.get_setup_and_moves(game)
    for color, move in plays:
        if move is not None:
            board.play(*move, color)
    root = game.get_root()
    told = {
        "size": game.get_size(),
        "komi": game.get_komi(),
        "players": [game.get_player_name("b"), game.get_player_name("w")],
        "result": root.get("RE") if root.has_property("RE") else None,
        "charset": game.get_charset(),
        "moves": len(plays),
        "variations": sum(len(node) > 1 for node in game.get_main_sequence()),
        "comments": [node.get("C") for node in game.get_main_sequence() if node.has_property("C")],
        "board": ascii_boards.render_board(board),
    }
    # Written by its own rules: wrapped lines, its own order of properties.
    last = game.get_last_node()
    words = "漢字" if game.get_charset() == "UTF-8" else "caf\u00e9"
    last.set("C", f"sgfmill: {words} ] \\ :")
    told["written"] = os.path.join(folder, f"sgfmill-{os.path.basename(path)}")
    with open(told["written"], "wb") as file:
        file.write(game.serialise(wrap=60))
    return told


print(json.dumps([described(path, sys.argv[1]) for path in sys.argv[2:]]))
