#!/usr/bin/env python3
"""The fault suite: each fault alone, under load, on each server; Fettle is told nothing but the target.

    bench/faults/suite.py                       all that run here, on Tomcat
    bench/faults/suite.py --server jetty log-lock monitor
    bench/faults/suite.py --healthy             servers with nothing wrong: every warning is a false one
    bench/faults/suite.py --record DIR          also keeps the first trial of each as JSON

A fault counts as found when the first finding names it. The rules that name it are in FAULTS below, and were written down before a
rule was run. held-out.txt lists those that no threshold was set with. Builds nothing: ./fettle, and
mvn -pl servers/faults -am package -DskipTests, come first.
"""
import argparse
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
FETTLE = HERE.parent.parent / "fettle"
LEAST = {"connections": 48, "timeout": "5s", "warm-up": "6s", "measure": "10s"}

# fault: rules that name it; what of the plan is otherwise
FAULTS = {
    "allocation-storm": ({"allocation"}, {}),
    "backend-slow": ({"backend-wait"}, {"delay": "400ms"}),
    "backlog-small": ({"accept-queue"}, {"hold": {"backlog": 1}, "load": {"connections": 200, "keep-alive": False}}),
    "batch-job": ({"periodic-job"}, {}),
    "cache-lock": ({"lock"}, {}),
    "compression": (
        {"expensive-method"},
        {
            "app": "payload",
            "options": {"bytes": "400k"},
            "hold": {"compression": True},
            "load": {"request": {"path": "/", "headers": {"Accept-Encoding": "gzip"}}, "expect": {"status": 200}},
        },
    ),
    "connections-leaked": ({"connections-left-open"}, {}),
    "cpu-work": ({"cpu-full", "expensive-method"}, {"options": {"cpu": "5ms"}}),
    "database-pool-small": ({"connection-pool"}, {}),
    "deadlock": ({"deadlock"}, {}),
    "errors-500": ({"server-errors"}, {}),
    "exception-storm": ({"exceptions"}, {}),
    "fds-used-up": ({"descriptors-used-up"}, {"hold": {"process.nofile": 150}, "load": {"connections": 200}}),
    "fsync-per-request": ({"disk-wait"}, {}),
    "gc-explicit": ({"explicit-gc"}, {}),
    "heap-small": ({"heap-small", "heap-exhausted"}, {"jvm": ["-Xms48m", "-Xmx48m"]}),
    "humongous": ({"humongous-allocation"}, {"jvm": ["-Xms128m", "-Xmx128m", "-XX:+UseG1GC"]}),
    "juc-lock": ({"lock"}, {}),
    "keep-alive-off": ({"keep-alive-off"}, {"hold": {"keepalive.requests": 1}}),
    "log-lock": ({"log-lock"}, {}),
    "monitor": ({"lock"}, {}),
    "native-leak": ({"native-memory-grows"}, {"jvm": ["-Xms128m", "-Xmx128m", "-XX:MaxDirectMemorySize=1g"]}),
    "one-hot-thread": ({"one-thread"}, {}),
    "parse-uncached": ({"expensive-method"}, {}),
    "pool-small": ({"workers-full"}, {"hold": {"threads.max": 4}}),
    "retry-storm": ({"sleeping-workers"}, {}),
    "session-per-request": ({"sessions-pile-up", "live-heap-grows", "heap-small", "heap-exhausted"}, {}),
    "think-time": ({"think-time"}, {"load": {"think": "200ms"}}),
}
# those that need no code in the login page
SETTINGS_ONLY = {"backend-slow", "backlog-small", "compression", "cpu-work", "fds-used-up", "keep-alive-off", "pool-small", "think-time"}

HEALTHY = {
    "hello": {"app": "hello", "load": {"expect": {"status": 200}}},
    "payload": {"app": "payload", "load": {"expect": {"status": 200}}},
    "work": {"app": "work", "options": {"cpu": "0.5ms", "wait": "5ms"}, "load": {"expect": {"status": 200}}},
    "login": {},
}


def plan(name, server, other):
    app = other.get("app", "login")
    options = dict(other.get("options", {"cpu": "0.05ms"} if app == "login" else {}))
    if name in FAULTS and name not in SETTINGS_ONLY:
        options["fault"] = name
    target = {
        "server": server,
        "app": app,
        "jvm": other.get("jvm", ["-Xms128m", "-Xmx128m"]),
    }
    if options:
        target["options"] = options
    if app == "login":
        target["backend"] = {"delay": other.get("delay", "5ms"), "bytes": 200}
    load = dict(LEAST, request={"path": "/"}, expect={"status": 200, "contains": "Sign in"})
    load.update(other.get("load", {}))
    hold = {"keepalive.requests": -1} if server == "tomcat" else {}
    hold.update(other.get("hold", {}))
    return {"name": "suite", "target": target, "load": load, "hold": hold}


def first_trial(folder):
    db = sqlite3.connect(str(next(pathlib.Path(folder).glob("*.db"))))
    row = db.execute("select outcome from trial order by ordinal limit 1").fetchone()
    return json.loads(row[0]) if row else None


def diagnose(name, server, other, record, test):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "plan.yaml"
        file.write_text(json.dumps(plan(name, server, other)))  # JSON is YAML
        begin = time.monotonic()
        run = subprocess.run(
            [str(FETTLE), "diagnose", str(file), "--json", "--no-colour", "--dir", folder + "/runs"]
            + ([] if test else ["--no-test"]),
            capture_output=True,
            text=True,
        )
        seconds = time.monotonic() - begin
        if record:
            trial = first_trial(folder + "/runs")
            if trial:
                pathlib.Path(record).mkdir(parents=True, exist_ok=True)
                (pathlib.Path(record) / f"{name}.{server}.json").write_text(json.dumps(trial))
        try:
            return json.loads(run.stdout)["conclusion"], seconds
        except (json.JSONDecodeError, KeyError):
            print(run.stderr[-2000:], file=sys.stderr)
            return None, seconds


def findings(conclusion):
    if not conclusion:
        return []
    first = [conclusion["bottleneck"]] if conclusion.get("bottleneck") else []
    return first + conclusion.get("others", [])


def row(name, server, expected, conclusion, seconds):
    found = findings(conclusion)
    rules = [f["rule"] for f in found]
    rank = next((i + 1 for i, r in enumerate(rules) if r in expected), 0)
    healthy = not expected
    loud = [f["rule"] for f in found if f["severity"] != "limit" and f["rule"] not in expected and f["tested"] != "refuted"]
    result = conclusion["result"] if conclusion else "no answer"
    hit = (not loud) if healthy else rank == 1
    tested = found[0]["tested"] if found else ""
    print(
        f"| {name} | {server} | {'yes' if hit else 'no'} | {rank or '-'} | {rules[0] if rules else result} | {tested} "
        f"| {', '.join(loud) or '-'} | {seconds:.0f} |",
        flush=True,
    )
    return hit, result


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--server", default="tomcat", help="tomcat, jetty, undertow; several with commas")
    p.add_argument("--healthy", action="store_true")
    p.add_argument("--no-test", action="store_true", help="measure once each")
    p.add_argument("--record", help="folder")
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    held = set((HERE / "held-out.txt").read_text().split())
    known = HEALTHY if a.healthy else FAULTS
    names = a.names or sorted(known)
    print("| fault | server | hit | rank | first finding | tested | other warnings | s |")
    print("|---|---|---|---|---|---|---|---|")
    score = {"set with": [0, 0], "held out": [0, 0], "not valid": [0, 0]}
    for server in a.server.split(","):
        for name in names:
            if name not in known:
                sys.exit(f"no such case: {name}; there are {', '.join(sorted(known))}")
            expected, other = (set(), HEALTHY[name]) if a.healthy else FAULTS[name]
            conclusion, seconds = diagnose(name, server, other, a.record, not a.no_test)
            hit, result = row(name, server, expected, conclusion, seconds)
            part = "not valid" if result == "not_valid" else "held out" if name in held else "set with"
            score[part][0] += hit
            score[part][1] += 1
    for part, (hits, all_) in score.items():
        if all_:
            print(f"\n{part}: {hits} of {all_}")


main()
