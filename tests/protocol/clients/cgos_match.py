"""Two players by CGOS's client, each an engine of ours, play a game on CGOS's own server.

Usage: cgos_match.py LAUNCHER SERVER CLIENT.py FOLDER COMMAND
LAUNCHER is scripts/lib/cgos_server.py, SERVER the folder of the server's sources. Prints one JSON object: the game as the
server's database has it, its record, and what the clients kept and said.
"""

import contextlib
import glob
import gzip
import json
import os
import sqlite3
import subprocess
import sys

PLAYERS = ("honinbo-one", "honinbo-two")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def player(folder, name, client, command, port):
    home = os.path.join(folder, name)
    games = os.path.join(home, "sgf")
    os.makedirs(games)
    config, kill = os.path.join(home, "client.cfg"), os.path.join(home, "kill.txt")
    # It is asked to end after its game: with this file before it connects it would play none.
    with open(config, "w", encoding="utf-8") as file:
        file.write(
            f"Common:\n  KillFile = {kill}\n\nGTPEngine:\n  Name = {name}\n  CommandLine = {command}\n"
            f"  ServerHost = 127.0.0.1\n  ServerPort = {port}\n"
            f"  ServerUser = {name}\n  ServerPassword = secret\n  NumberOfGames = 1\n  SGFDirectory = {games}\n"
        )
    process = subprocess.Popen(
        [sys.executable, "-u", client, config], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=home
    )
    return process, kill, games


def main():
    launcher, sources, client, folder, command = sys.argv[1:6]
    home = os.path.join(folder, "server")
    os.makedirs(home)
    waits = ["first=1", "every=1", "start=1"]
    server = subprocess.Popen(
        [sys.executable, launcher, sources, home, "boardsize=9", "level=120", *waits], stdout=subprocess.PIPE, text=True
    )
    found = {}
    with contextlib.ExitStack() as ending:
        ending.callback(server.wait)
        ending.callback(server.kill)
        port = next(line.split()[1] for line in server.stdout if line.startswith("port "))
        playing = [player(folder, name, client, command, port) for name in PLAYERS]
        for process, _, _ in playing:
            ending.callback(process.kill)
        said = []
        for process, kill, _ in playing:
            lines = []
            for line in process.stdout:
                lines.append(line.rstrip())
                if "Starting game against" in line:
                    open(kill, "w", encoding="utf-8").close()
            said.append(lines)
            process.wait()
        found["ended"] = [process.returncode for process, _, _ in playing]
        found["told"] = [[line.split(": ")[-1] for line in lines if "Game over. Result" in line] for lines in said]
        found["kept"] = [[read(path) for path in glob.glob(f"{games}/*")] for _, _, games in playing]
        database = sqlite3.connect(f"file:{home}/cgos.state?mode=ro", uri=True)
        games = database.execute("SELECT gid, w, b, res FROM games").fetchall()
        found["games"] = [dict(zip(("id", "white", "black", "result"), game)) for game in games]
        records = glob.glob(f"{home}/html/SGF/**/*.sgf.gz", recursive=True)
        found["records"] = [gzip.open(path, "rt", encoding="utf-8").read() for path in records]
        found["log"] = [lines[-6:] for lines in said]
    print(json.dumps(found))


main()
