#!/usr/bin/env python3
"""The story of the third founding document, told by Fettle: a login page with everything wrong at once. It is diagnosed, what the
first finding names is mended, and so on, until what is left is a limit that every server has. Fettle is told nothing but the plan.

    bench/faults/story.py            writes results/story.jsonl, and prints the table
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
FETTLE = pathlib.Path(os.environ.get("FETTLE", HERE.parent.parent / "fettle"))

# what mends a finding: a fault that goes, or a setting
MENDS = {
    "sessions-pile-up": "session-per-request",
    "live-heap-grows": "session-per-request",
    "heap-small": "session-per-request",
    "heap-exhausted": "session-per-request",
    "log-lock": "log-lock",
    "connections-left-open": "connections-leaked",
    "expensive-method": "parse-uncached",
    "workers-full": "threads.max=10",
    "accept-queue": "backlog=5",
    "backend-wait": "backend=40ms",
}


def plan(faults, hold, delay):
    options = {"cpu": "0.05ms"}
    if faults:
        options["fault"] = "+".join(sorted(faults))
    return {
        "name": "story",
        "target": {
            "server": "tomcat",
            "app": "login",
            "jvm": ["-Xms256m", "-Xmx256m"],
            "options": options,
            "backend": {"delay": delay, "bytes": 200},
        },
        "load": {
            "connections": 64,
            "timeout": "5s",
            "warm-up": "6s",
            "measure": "10s",
            "request": {"path": "/"},
            "expect": {"status": 200, "contains": "Sign in"},
        },
        "hold": dict({"keepalive.requests": -1}, **hold),
    }


def diagnose(p):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "plan.yaml"
        file.write_text(json.dumps(p))
        run = subprocess.run(
            [str(FETTLE), "diagnose", str(file), "--json", "--no-colour", "--no-test", "--dir", folder + "/runs"],
            capture_output=True,
            text=True,
        )
        try:
            return json.loads(run.stdout)
        except json.JSONDecodeError:
            sys.exit(run.stderr[-2000:])


def main():
    faults = {"session-per-request", "log-lock", "connections-leaked", "parse-uncached"}
    hold = {"threads.max": 10}
    delay = "40ms"
    rows = []
    for _ in range(9):
        answer = diagnose(plan(faults, hold, delay))
        found = answer["conclusion"]
        first = found.get("bottleneck")
        trial = answer["trials"][0] if answer.get("trials") else {}
        rate = (trial.get("measurement") or {}).get("throughputPerSecond", 0)
        if isinstance(rate, dict):
            rate = rate.get("estimate", 0)
        mend = MENDS.get(first["rule"], "") if first else ""
        if mend in faults:
            faults.discard(mend)
        elif "=" in mend and mend.split("=")[0] in hold:
            hold.pop(mend.split("=")[0])
        elif mend == "backend=40ms" and delay != "0ms":
            delay = "0ms"
        else:
            mend = ""
        rows.append(
            {"finding": first["rule"] if first else found["result"], "title": found["headline"], "rate": rate, "mended": mend}
        )
        print(f"| {rows[-1]['finding']} | {rate:,.0f}/s | {mend or 'nothing left to mend'} |", flush=True)
        if not mend:
            break
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "story.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))


main()
