"""CGOS's client plays a game with an engine of ours, on a server of this file's own that speaks CGOS's protocol.

Lines in both directions: the server asks for `protocol`, `username` and `password`, announces the game with `setup`,
tells the other player's moves with `play`, asks for a move with `genmove` and ends with `gameover`
(cgosclient.py of github.com/zakki/cgos).

Usage: cgos_game.py CLIENT.py FOLDER COMMAND
Prints one JSON object: what the server heard and what the client kept.
"""

import json
import os
import socket
import subprocess
import sys

SIZE, MAIN_TIME = 9, 60_000
ANSWERS = ["c3", "g3", "c7", "g7", "d2", "f8", "pass", "pass"]


def main():
    client, folder, command = sys.argv[1:4]
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(60)
    config = os.path.join(folder, "cgos-client.cfg")
    kill = os.path.join(folder, "kill.txt")
    games = os.path.join(folder, "sgf")
    os.makedirs(games, exist_ok=True)
    with open(config, "w", encoding="utf-8") as file:
        file.write(
            f"Common:\n  KillFile = {kill}\n\nGTPEngine:\n  Name = honinbo\n  CommandLine = {command}\n"
            f"  ServerHost = 127.0.0.1\n  ServerPort = {listener.getsockname()[1]}\n"
            f"  ServerUser = honinbo\n  ServerPassword = secret\n  NumberOfGames = 1\n  SGFDirectory = {games}\n"
        )
    log = open(os.path.join(folder, "client.log"), "w", encoding="utf-8")
    process = subprocess.Popen([sys.executable, client, config], stdout=log, stderr=subprocess.STDOUT, cwd=folder)
    heard = {"greeting": "", "user": "", "password": "", "moves": [], "analysed": 0, "after": ""}
    try:
        connection, _ = listener.accept()
        connection.settimeout(100)
        lines = connection.makefile("rw", encoding="utf-8", newline="\n")

        def say(text):
            lines.write(text + "\n")
            lines.flush()

        def ask(text):
            say(text)
            return lines.readline().strip()

        heard["greeting"] = ask("protocol genmove_analyze")
        heard["user"] = ask("username")
        heard["password"] = ask("password")
        say("info welcome")
        # A game that was interrupted goes on: two moves were made.
        say(f"setup 1 {SIZE} 7.0 {MAIN_TIME} guest(1500?) honinbo(1800?) E5 {MAIN_TIME} C5 {MAIN_TIME}")
        taken = {"e5", "c5"}
        left, passes = MAIN_TIME, 0
        while passes < 2 and len(heard["moves"]) < 60:
            answer = ask(f"genmove b {left}")
            move, _, analysis = answer.partition(" ")
            heard["moves"].append(move)
            heard["analysed"] += bool(analysis) and bool(json.loads(analysis)["moves"])
            if move == "resign":
                break
            taken.add(move)
            passes = passes + 1 if move == "pass" else 0
            free = next((point for point in ANSWERS if point == "pass" or point not in taken), "pass")
            reply = free if len(heard["moves"]) < 5 else "pass"
            taken.add(reply)
            if passes < 2:
                say(f"play w {reply} {MAIN_TIME}")
                passes = passes + 1 if reply == "pass" else 0
            left -= 500
        # The file asks the client to end once the game is over.
        open(kill, "w", encoding="utf-8").close()
        heard["after"] = ask("gameover 2026-11-24 B+13.0")
        process.wait(timeout=60)
    finally:
        process.kill()
    heard["games"] = [open(os.path.join(games, name), encoding="utf-8").read() for name in os.listdir(games)]
    log.close()
    heard["log"] = open(log.name, encoding="utf-8").read()[-3000:]
    heard["ended"] = process.returncode
    print(json.dumps(heard))


main()
