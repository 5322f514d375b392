#!/usr/bin/env python3
"""Faults under another tool's load, named by `fettle diagnose --no-load`: which, after how many seconds, and at what cost.

    bench/faults/no-load.py                          ten faults that wait, on Tomcat, Jetty and Undertow, and the page without one
    bench/faults/no-load.py --server jetty log-lock  some
    bench/faults/no-load.py --clients 100            as many connections of wrk; 48 by default

The server is started with the plan of suite.py and stands; wrk loads it, and Fettle, which is told only the URL, looks for 10 s at a time until a
finding names the fault, for a minute at most. A fault is named as suite.py has it: by one of its rules, and with the part at fault where that could
be found without it, too. "First" is the first finding of the answer that named it. The cost is Fettle's own CPU time for each second that it
looked, its start included; the server is also watched by the command that keeps it standing. Needs wrk on the PATH, and what suite.py needs.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from suite import FAULTS, FETTLE, HEALTHY, SAYS, SERVERS, findings, plan

# faults that make requests wait: they show whatever else the machine has to do
WAITING = [
    "backend-slow", "cache-lock", "database-pool-small", "deadlock", "dns-slow", "juc-lock", "log-lock", "monitor", "pool-small", "retry-storm",
]
LOOK, MOST = 10, 60


def stands(out, process):
    """The URL at which the server listens."""
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        found = re.search(r"It listens on (\S+)", out.read_text())
        if found:
            return found.group(1)
        time.sleep(0.2)
    raise RuntimeError("the server did not start: " + out.read_text()[-500:])


def names(found, expected, says):
    return found["rule"] in expected and bool(says.search(" ".join([found["title"], found["sentence"], *found["evidence"]])))


def look(url, expected, says):
    """Looks until the fault is named: seconds until then, if it was, the last answer, and Fettle's CPU seconds a second."""
    begin = time.monotonic()
    command = [str(FETTLE), "diagnose", url, "--no-load", "--for", f"{LOOK}s", "--watch", f"{MOST}s", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    after, last = None, []
    for line in process.stdout:
        last = findings(json.loads(line)["conclusion"])
        if any(names(f, expected, says) for f in last):
            after = time.monotonic() - begin
            process.send_signal(signal.SIGINT)
            break
    process.stdout.close()
    _, _, used = os.wait4(process.pid, 0)
    return after, last, (used.ru_utime + used.ru_stime) / (time.monotonic() - begin)


def run(name, server, clients):
    other = FAULTS[name][1] if name in FAULTS else HEALTHY[name]
    expected = FAULTS[name][0] if name in FAULTS else set()
    with tempfile.TemporaryDirectory() as folder:
        file, out = pathlib.Path(folder) / "plan.yaml", pathlib.Path(folder) / "out"
        file.write_text(json.dumps(plan(name, server, None, other)))
        with out.open("w") as to:
            standing = subprocess.Popen(
                [str(FETTLE), "watch", str(file), "--duration", "5m", "--dir", folder + "/runs", "--no-dump"],
                stdout=to, stderr=subprocess.STDOUT,
            )
        try:
            url = stands(out, standing)
            load = subprocess.Popen(
                ["wrk", "-t1", f"-c{clients}", f"-d{MOST + 60}s", "--timeout", "20s", url + "/"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            try:
                time.sleep(5)  # the page has run a few hundred times
                return expected, *look(url, expected, re.compile(SAYS.get(name, ""), re.DOTALL))
            finally:
                load.kill()
                load.wait()
        finally:
            standing.send_signal(signal.SIGINT)
            standing.wait(60)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("faults", nargs="*", default=WAITING + ["login"])
    p.add_argument("--server", default=",".join(SERVERS))
    p.add_argument("--clients", type=int, default=48)
    a = p.parse_args()
    unknown = [f for f in a.faults if f not in FAULTS and f not in HEALTHY]
    if unknown:
        sys.exit("no such fault: " + ", ".join(unknown))
    print("| fault | server | named after | first finding | others | Fettle's CPU |\n|---|---|---|---|---|---|", flush=True)
    named = tried = 0
    for server in a.server.split(","):
        for name in a.faults:
            try:
                expected, after, last, cpu = run(name, server, a.clients)
            except (RuntimeError, subprocess.TimeoutExpired, json.JSONDecodeError) as e:
                print(f"| {name} | {server} | failed: {' '.join(str(e).split())[:200]} | | | |", flush=True)
                continue
            loud = [f for f in last if f["severity"] != "limit"]
            if expected:
                tried += 1
                named += after is not None
                how = f"{after:.0f} s" if after else "missed"
            else:
                how = "false: " + ", ".join(f["rule"] for f in loud) if loud else "nothing, as is right"
            rules = [f["rule"] for f in last]
            if how == "missed":
                print(f"{name} on {server}: " + "; ".join(f["title"] for f in last), file=sys.stderr, flush=True)
            print(
                f"| {name} | {server} | {how} | {rules[0] if rules else ''} | {', '.join(rules[1:])} | {100 * cpu:.1f} % |", flush=True
            )
    print(f"\n{named} of {tried} named")


if __name__ == "__main__":
    main()
