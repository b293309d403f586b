"""Runs CGOS's own server (server-python of github.com/zakki/cgos) on this machine's loopback alone, on a port that is free.

python3 scripts/lib/cgos_server.py SOURCES FOLDER [NAME=VALUE...]

SOURCES is its folder with `server.py`; its settings, database, log and records go to FOLDER, which is empty at first.
NAME=VALUE are settings of its configuration file besides those below. Three are this program's own, in seconds: `first`,
`every` and `start`, for the server's waits before its first round (45), between two looks for a new round (15), and
between `setup` and the first `genmove` (3). Prints `port N` once players can come.
"""

import asyncio
import os
import runpy
import shutil
import sys
import time

SETTINGS = {
    "serverName": "CGOS", "htmlInfoMsg": "-", "portNumber": "0", "boardsize": "19", "komi": "7.5", "ko": "POSITIONAL",
    "rule": "Chinese", "level": "900", "timeGift": "0.25", "defaultRating": "1800", "minK": "3", "maxK": "200",
    "provisionalAge": "0.04", "establishedAge": "31", "sgfDir": "SGF", "compressSgf": "True",
    "moveIntervalBetweenSave": "1", "bad_users_file": "", "matchMode": "AUTO",
}
WAITS = {"first": 45.0, "every": 15.0, "start": 3.0}


class Replaced:
    """A module with some of its functions replaced, for whoever is given it in the module's place."""

    def __init__(self, module, **functions):
        self._module = module
        self.__dict__.update(functions)

    def __getattr__(self, name):
        return getattr(self._module, name)


def settings_of(arguments):
    """What the command line says, over what is usual: the server's settings, and the waits."""
    given = dict(argument.split("=", 1) for argument in arguments)
    waits = {name: float(given.pop(name, usual)) for name, usual in WAITS.items()}
    return {**SETTINGS, **given}, waits


def main():
    sources, folder = (os.path.abspath(path) for path in sys.argv[1:3])
    settings, waits = settings_of(sys.argv[3:])
    files = {
        "database_state_file": "cgos.state", "web_data_file": "wdata.txt", "htmlDir": "html", "killFile": "kill",
        "tools_dir": "tools", "bin_dir": "bin",
    }
    settings = {**{name: os.path.join(folder, file) for name, file in files.items()}, **settings}
    for name in ("html", "logs"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    config = os.path.join(folder, "cgos.ini")
    with open(config, "w", encoding="utf-8") as file:
        file.write("[cgos-server]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items()))
    shutil.copy(os.path.join(sources, "log.ini"), folder)
    # It reads its logging's file from where it was started.
    os.chdir(folder)
    sys.path.insert(0, sources)
    from app import cgos

    async def start_server(accept, _host, port):
        server = await asyncio.start_server(accept, "127.0.0.1", port)
        print("port", server.sockets[0].getsockname()[1], flush=True)
        # Its log goes there too: a pipe that nobody reads any more would stop it once it is full.
        os.dup2(2, 1)
        return server

    # Its first wait is the only one of 45 seconds, and its only blocking one that before the clocks start.
    def sleep(seconds):
        return asyncio.sleep(waits["first"] if seconds == 45.0 else seconds)

    cgos.asyncio = Replaced(asyncio, start_server=start_server, sleep=sleep)
    cgos.time = Replaced(time, sleep=lambda _: time.sleep(waits["start"]))
    cgos.schedule_games_interval = waits["every"]
    sys.argv = ["server.py", config]
    runpy.run_path(os.path.join(sources, "server.py"), run_name="__main__")


if __name__ == "__main__":
    main()
