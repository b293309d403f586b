"""Runs the checks of scripts/device-check and writes their table.

Usage: device_check.py DEVICES.json     with what scripts/device-check puts into the environment.
Every part that fails has its sentence in the table; the status is 1 when a device answers wrongly.
"""
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import time

HONINBO, ROOT = os.environ["honinbo"], os.environ["root"]
POSITIONS, SECONDS, VISITS = (os.environ[name] for name in ("positions", "seconds", "visits"))
LIMIT = 300  # seconds that one command may take
GAME = f"{ROOT}/tests/fixtures/games/ear-reddening-1846.sgf"


class Failed(Exception):
    """A command did not do what it was asked; the text is its own sentence."""


def resident(pid):
    """Memory of a process in MiB, as far as the system tells."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) / 1024
    except (OSError, AttributeError):
        return 0.0


def card_memory():
    """Memory in use on an NVIDIA card in MiB; None where there is none to ask."""
    try:
        words = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
        return float(subprocess.run(words, capture_output=True, text=True, timeout=10).stdout.split()[0])
    except (OSError, IndexError, ValueError, subprocess.TimeoutExpired):
        return None


def run(*words):
    """Runs the program; gives its JSON and the most memory it had, in MiB on the host and on the card."""
    before, most = card_memory(), [0.0, None]
    child = subprocess.Popen([HONINBO, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ended = threading.Event()

    def watch():
        while not ended.wait(0.2):
            most[0] = max(most[0], resident(child.pid))
            if before is not None and (now := card_memory()) is not None:
                most[1] = max(most[1] or 0.0, now - before)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        out, errors = child.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise Failed(f"took longer than {LIMIT} s") from None
    finally:
        ended.set()
        watcher.join()
    try:
        return json.loads(out), most
    except ValueError:
        raise Failed((errors.strip().splitlines() or ["no answer"])[-1]) from None


def exactness(device, net, precision):
    """Recordings of the network against the device."""
    name = os.path.basename(net).split(".")[0]
    golden = f"{ROOT}/tests/fixtures/golden"
    words = ["net", "check", "--golden", golden, "--nets", os.path.dirname(net), "--only", name]
    found, _ = run(*words, "--device", device, "--precision", precision, "--positions", POSITIONS, "--json")
    checks = found["networks"]
    if not checks:
        return "no recording", True
    win = max(check["agreement"]["largestWinError"] for check in checks)
    policy = max(check["agreement"]["policyDivergence"] for check in checks)
    positions = sum(check["positions"] for check in checks)
    verdict = "ok" if found["passed"] else "OUT OF TOLERANCE"
    failures = [check["failure"] for check in checks if check["failure"]]
    note = f" ({failures[0]})" if failures else ""
    return f"{verdict}{note}, {positions} positions, win {win:.1e}, policy {policy:.1e} nats", found["passed"]


def speed(device, net, precision):
    """Evaluations a second and milliseconds of one evaluation."""
    batches = ["1", "8"] if device == "cpu" or os.environ["quick"] == "yes" else ["1", "8", "32", "64"]
    words = [word for batch in batches for word in ("--batch", batch)]
    threads = ["--threads", "1"] if device != "cpu" else []
    how = ["--device", device, "--precision", precision]
    found, memory = run("net", "bench", net, *how, *words, *threads, "--seconds", SECONDS, "--json")
    rows = found[0]["rows"]
    best = max(rows, key=lambda row: row["evaluationsPerSecond"])
    single = min(row["batchSeconds"] for row in rows if row["batch"] == 1) * 1e3
    return f"{best['evaluationsPerSecond']:.1f} (batch {best['batch']})", f"{single:.1f}", memory


def search(device, net, precision):
    """Visits a second of a search, and what really computed. The first search finds out how the device is used best."""
    exactly = "exact" if precision == "fp32" else "fast"
    words = ["run", GAME, "--move", "126", "--net", net, "--device", device, "--precision", exactly, "--json"]
    run(*words, "--visits", "1")
    began = time.monotonic()
    found, _ = run(*words, "--visits", VISITS)
    if not found.get("ok"):
        raise Failed(found["error"]["message"])
    return f"{found['visits'] / (time.monotonic() - began):.1f}", found["device"]


def katago(net, has_card):
    """KataGo's own back end beside ours, where it is there, with as many threads as suit it."""
    program = os.environ.get("KATAGO")
    if not program:
        return ""
    cores = os.cpu_count()
    threads = "64,256" if has_card else f"{cores},{2 * cores}"
    try:
        with tempfile.TemporaryDirectory() as folder:
            # Without a configuration it looks for one beside itself, and ends where there is none.
            config = os.path.join(folder, "benchmark.cfg")
            with open(config, "w") as file:
                file.write(f"logFile = {folder}/log\nrules = chinese\nnumSearchThreads = 2\nmaxVisits = 100\n")
            words = [program, "benchmark", "-config", config, "-model", net, "-v", VISITS, "-n", "4", "-t", threads]
            ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT)
        rates = re.findall(r"nnEvals/s = ([0-9.]+)", ended.stdout)
        why = (ended.stderr.strip().splitlines() or ["no answer"])[-1]
        return f"{max(map(float, rates)):.1f}" if rates else why
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)


def precisions(device):
    """How numbers may be stored there. What is `fast` on a processor is its own choice."""
    return ["fp32", "fast"] if device == "cpu" else ["fp32", "fp16"]


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return re.search(r"model name\s*: (.*)", info.read()).group(1)
    except (OSError, AttributeError):
        return platform.processor() or platform.machine()


def main():
    with open(sys.argv[1]) as file:
        known = json.load(file)
    wanted = os.environ["DEVICES"].split()
    listed = [device["device"] for device in known["devices"] if not device["isSoftware"]]
    devices = wanted or listed
    print(f"# Devices of {processor()}, {os.cpu_count()} cores\n")
    print(f"ONNX Runtime {known['runtime']}. Evaluations a second of 19x19; visits a second of {VISITS}, the start included.\n")
    for device in known["devices"]:
        print(f"- {device['device']}: {device['name']}{' (software)' if device['isSoftware'] else ''}")
    print("\n| network | device | precision | recordings | evaluations/s | ms of one | visits/s | computed on | MiB | MiB on the card | KataGo evaluations/s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    right = True
    for net in filter(None, os.environ["NETS"].splitlines()):
        beside = katago(net, any(device != "cpu" for device in devices))
        for device, precision in ((device, precision) for device in devices for precision in precisions(device)):
            cells = {}
            for part, measure in (("exact", exactness), ("speed", speed), ("search", search)):
                try:
                    cells[part] = measure(device, net, precision)
                except Failed as failure:
                    # A card without 16 bits is a card.
                    right = right and (part != "exact" or precision != "fp32")
                    cells[part] = str(failure)
            exact = cells["exact"]
            if isinstance(exact, tuple):
                right, exact = right and exact[1], exact[0]
            fast = cells["speed"] if isinstance(cells["speed"], tuple) else (cells["speed"], "", (0.0, None))
            found = cells["search"] if isinstance(cells["search"], tuple) else ("", cells["search"])
            host, card = fast[2]
            row = [os.path.basename(net).split(".")[0], device, precision, exact, fast[0], fast[1], *found]
            row += [f"{host:.0f}" if host else "", f"{card:.0f}" if card is not None else "", beside]
            print("| " + " | ".join(row) + " |", flush=True)
    return 0 if right else 1


sys.exit(main())
