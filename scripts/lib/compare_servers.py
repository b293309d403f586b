"""Measures this program's server with rooms beside CGOS's own server, for docs/experiments/server-load.md.

python3 scripts/lib/compare_servers.py HONINBO CGOS_SOURCES GAMES,... [--pace SECONDS] [--moves N] [--rounds N] [NAME=VALUE...]

CGOS_SOURCES is what `cgos_server.py` beside this file takes, and NAME=VALUE are settings for it. For each number of games
both servers are started on empty folders, by turns, the first of them changing with each round; players without an engine
log in two a game and play the same moves on 19x19, each player one move every `--pace` seconds after the other's, 0 as
soon as it is asked. A move takes from its being sent until the other player is told of it. Prints one JSON object a
measurement: milliseconds, moves a second, processor time a move of the server and of the players (all in this process),
and the server's memory.
"""

import argparse
import asyncio
import base64
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

SIZE = 19
LETTERS = "abcdefghjklmnopqrst"
# More at once would only measure how people come in.
COMING_IN = 16
PATIENCE = 120


def place(number):
    """Where the move of a number goes, from 0: no stone touches another, so there is nothing to capture."""
    nth = (number - 1) % 81
    return 2 * (nth % 9), 2 * (nth // 9)


def shares(times):
    """Milliseconds: the median, what a hundredth exceed, the longest."""
    ordered = sorted(times)

    def at(share):
        return round(1e3 * ordered[max(1, math.ceil(share * len(ordered))) - 1], 2)

    return {"p50": at(0.5), "p99": at(0.99), "max": at(1.0)} if ordered else {}


def processor_seconds(process):
    """What the process has computed so far, of its own and of the system for it."""
    fields = open(f"/proc/{process.pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process):
    """The resident memory of the process in bytes."""
    status = open(f"/proc/{process.pid}/status", encoding="ascii").read()
    return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmRSS:"))


class Cgos:
    """CGOS's server: players by lines over TCP; the server pairs them, and asks for each move by `genmove`."""

    name = "cgos"

    def __init__(self, sources, folder, settings, games):
        launcher = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cgos_server.py")
        # Everybody is in by its first round.
        waits = [f"first={5 + games // 10}", "level=86400"]
        self.process = subprocess.Popen(
            [sys.executable, launcher, sources, folder, *waits, *settings],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        self.port = next(int(line.split()[1]) for line in self.process.stdout if line.startswith("port "))
        self.games = games

    async def player(self, name):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        for asked, answer in (("protocol", "e1 measuring"), ("username", name), ("password", "secret")):
            line = (await reader.readline()).decode()
            if not line.startswith(asked):
                raise RuntimeError(f"the server said {line!r}, and not {asked!r}")
            writer.write(f"{answer}\n".encode())
        return CgosPlayer(name, reader, writer)

    async def pairs(self):
        places = asyncio.Semaphore(COMING_IN)

        async def come(nth):
            async with places:
                player = await self.player(f"player{nth}")
            return await player.setup()

        players = await asyncio.gather(*(come(nth) for nth in range(2 * self.games)))
        tables = {}
        for player in players:
            tables.setdefault(player.game, []).append(player)
        return [sorted(table, key=lambda player: player.is_white) for table in tables.values()]


class CgosPlayer:
    def __init__(self, name, reader, writer):
        self.name, self.reader, self.writer = name, reader, writer
        self.game, self.is_white = None, None

    async def line(self, beginning):
        while True:
            line = (await self.reader.readline()).decode()
            if line.startswith(beginning):
                return line.split()
            if not line or line.startswith(("Error", "gameover")):
                raise RuntimeError(f"the server said {line!r}, and not {beginning!r}")

    async def setup(self):
        _, self.game, _, _, _, white, _ = await self.line("setup")
        self.is_white = white.startswith(f"{self.name}(")
        return self

    async def ready(self):
        """Black is asked for a move; White hears nothing before."""
        await self.line("genmove b")

    def play(self, number):
        x, y = place(number)
        self.writer.write(f"{LETTERS[x]}{SIZE - y}\n".encode())

    async def told(self, _number):
        await self.line("genmove")


class Rooms:
    """This program's server: JSON over a WebSocket; two guests meet in a room of one of them."""

    name = "honinbo"

    def __init__(self, program, folder, games):
        command = [program, "serve", "--rooms", "--guests", "--http", "127.0.0.1:0", "--tcp", "127.0.0.1:0", "--data", folder]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        web = next(line for line in self.process.stdout if line.startswith("web "))
        self.host, port = web.split("//")[1].split("/")[0].split(":")
        self.port = int(port)
        next(line for line in self.process.stdout if line.startswith("rooms "))
        self.games = games

    async def post(self, path, token, body):
        reader, writer = await asyncio.open_connection(self.host, self.port)
        body = json.dumps(body)
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        answer = (await reader.read()).decode()
        writer.close()
        return json.loads(answer.split("\r\n\r\n", 1)[1])

    async def enter(self, room, token):
        reader, writer = await asyncio.open_connection(self.host, self.port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /ws/{room}?token={token} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"the room is closed: {head!r}")
        return RoomPlayer(reader, writer)

    async def pair(self):
        tokens = [(await self.post("/api/guest", "", {}))["token"] for _ in range(2)]
        # One as long as the other server's: nobody loses by it.
        terms = {"time": {"kind": "fischer", "main_seconds": 3600, "increment_seconds": 10}}
        room = (await self.post("/api/generate-room", tokens[0], {"color": "black", "terms": terms}))["room_id"]
        black = await self.enter(room, tokens[0])
        await black.text()
        return [black, await self.enter(room, tokens[1])]

    async def pairs(self):
        places = asyncio.Semaphore(COMING_IN)

        async def come():
            async with places:
                return await self.pair()

        return await asyncio.gather(*(come() for _ in range(self.games)))


class RoomPlayer:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    def send(self, opcode, data):
        # A mask of zeros is a mask: the text goes as it is.
        self.writer.write(bytes([0x80 | opcode, 0x80 | len(data), 0, 0, 0, 0]) + data)

    async def text(self):
        while True:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length > 125:
                length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
            data = await self.reader.readexactly(length)
            if first & 0x0F == 1:
                return data
            if first & 0x0F == 9:
                self.send(10, data)
            if first & 0x0F == 8:
                raise RuntimeError(f"the room was closed: {data!r}")

    async def ready(self):
        """Black is told that White sits down; a move before that would be refused."""
        while b'"type":"game_start"' not in await self.text():
            pass

    def play(self, number):
        x, y = place(number)
        self.send(1, json.dumps({"type": "move", "x": x, "y": y, "number": number}).encode())

    async def told(self, number):
        wanted = f'"current_move_number":{number},'.encode()
        while wanted not in (text := await self.text()):
            if b'"type":"error"' in text:
                raise RuntimeError(f"a move was refused: {text!r}")


async def game(players, moves, pace, offset):
    """How long each move took. What a mover is told of its own move is read before its next one, as its player would."""
    await players[0].ready()
    begun, times = time.perf_counter() + offset, []
    for number in range(1, moves + 1):
        if pace:
            await asyncio.sleep(max(0.0, begun + pace * (number - 1) - time.perf_counter()))
        sent = time.perf_counter()
        players[(number - 1) % 2].play(number)
        await asyncio.wait_for(players[number % 2].told(number), PATIENCE)
        times.append(time.perf_counter() - sent)
    return times


async def measured(server, moves, pace):
    pairs = await asyncio.wait_for(server.pairs(), 10 * PATIENCE)
    count = len(pairs)
    before, own = processor_seconds(server.process), time.process_time()
    began = time.perf_counter()
    played = await asyncio.gather(
        *(game(pair, moves, pace, pace * nth / count) for nth, pair in enumerate(pairs)), return_exceptions=True
    )
    took = time.perf_counter() - began
    times = [one for game in played if isinstance(game, list) for one in game]
    failed = [repr(game) for game in played if not isinstance(game, list)]
    done = max(1, len(times))
    return {
        "server": server.name, "games": count, "secondsAMove": pace, "moves": len(times), "milliseconds": shares(times),
        "movesASecond": round(len(times) / took, 1),
        "serverMicrosecondsAMove": round(1e6 * (processor_seconds(server.process) - before) / done),
        "playersMicrosecondsAMove": round(1e6 * (time.process_time() - own) / done),
        "memoryBytes": memory(server.process), "failed": len(failed), "failure": failed[:1],
        "load": round(os.getloadavg()[0], 1),
    }


def main():
    options = argparse.ArgumentParser()
    options.add_argument("honinbo")
    options.add_argument("sources")
    options.add_argument("games")
    options.add_argument("--pace", type=float, default=1.0)
    options.add_argument("--moves", type=int, default=60)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("settings", nargs="*")
    asked = options.parse_intermixed_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 20_000)), hard))
    for turn in range(asked.rounds):
        for games in map(int, asked.games.split(",")):
            for name in ("cgos", "honinbo")[:: 1 if turn % 2 == 0 else -1]:
                with tempfile.TemporaryDirectory() as folder:
                    if name == "cgos":
                        server = Cgos(asked.sources, folder, asked.settings, games)
                    else:
                        server = Rooms(asked.honinbo, folder, games)
                    try:
                        print(json.dumps(asyncio.run(measured(server, asked.moves, asked.pace))), flush=True)
                    finally:
                        server.process.kill()
                        server.process.wait()


if __name__ == "__main__":
    main()
