#!/usr/bin/env python3
"""The story of docs/documents/login.md, told by Fettle: a login page with everything wrong at once. It is diagnosed, what the
first finding names is mended, and so on, until it names nothing that could be mended. Fettle is told nothing but the plan. Builds
nothing, as suite.py: bench/documents.sh story builds what it needs, runs it, and writes the page.

    bench/faults/story.py            writes results/story.json, and prints the table
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import suite

RESULT = suite.HERE / "results" / "story.json"

# what mends a finding: a fault that goes, or a setting
MENDS = {
    "sessions-pile-up": "session-per-request",
    "log-lock": "log-lock",
    "connections-left-open": "connections-leaked",
    "expensive-method": "parse-uncached",
    "workers-full": "threads.max",
    "backend-wait": "backend",
}

WORDS = {
    "session-per-request": "no session for a visitor who is not logged in",
    "log-lock": "the log is written by a thread of its own",
    "connections-leaked": "the client's connections are closed",
    "parse-uncached": "the parsed User-Agent is kept",
    "threads.max": "200 worker threads in place of 10",
    "backend": "a service behind it that answers in 1 ms in place of 40 ms",
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
            "warm-up": "30s",
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
            [str(suite.FETTLE), "diagnose", str(file), "--json", "--no-colour", "--dir", folder + "/runs"],
            capture_output=True,
            text=True,
            env=os.environ | {"FETTLE_CALM": "off"},
        )
        try:
            return json.loads(run.stdout)["conclusion"], suite.first_trial(folder + "/runs")
        except (json.JSONDecodeError, KeyError):
            sys.exit(run.stderr[-2000:])


def figures(trial):
    m = (trial or {}).get("measurement")
    if not m:
        failure = ((trial or {}).get("failure") or {}).get("kind") or "nothing measured"
        return {"rate": 0, "p50": None, "p99": None, "errors": None, "failure": failure}
    elapsed = m["elapsed"] if isinstance(m["elapsed"], (int, float)) else float(m["elapsed"].strip("PTS"))
    return {
        "rate": round(m["responses"] / elapsed, 1),
        "p50": m["latency"]["p50"] / 1e6,
        "p99": m["latency"]["p99"] / 1e6,
        "errors": sum(m["errors"].values()),
        "failure": None,
    }


def mended(finding, faults, hold, delay):
    """
    What of it is mended; empty if nothing that is known is left. A lock is mended where the finding says who holds it, a costly method
    if it is the one that costs.
    """
    what = MENDS.get(finding["rule"], "")
    if finding["rule"] == "lock":
        what = next((f for f in faults if "." + f.title().replace("-", "") + "." in finding["sentence"]), "")
    if what == "parse-uncached" and not re.search(suite.SAYS[what], finding["title"]):
        what = ""
    return what if what in faults or what in hold or (what == "backend" and delay != "1ms") else ""


def save(steps, done):
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(
        json.dumps(
            {
                "at": time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime()),
                "code": suite.code(),
                "clients": 64,
                "server": "tomcat",
                "done": done,
                "steps": steps,
            },
            indent=1,
        )
        + "\n"
    )


def main():
    faults = {"session-per-request", "log-lock", "connections-leaked", "parse-uncached"}
    hold = {"threads.max": 10}
    delay = "40ms"
    steps = []
    for _ in range(10):
        wrong = sorted(faults) + [f"{k}={v}" for k, v in hold.items()] + ([] if delay == "1ms" else ["backend=" + delay])
        answer, trial = diagnose(plan(faults, hold, delay))
        first = answer.get("bottleneck")
        what = mended(first, faults, hold, delay) if first and first["tested"] != "refuted" else ""
        step = {
            "wrong": wrong,
            "result": answer["result"],
            "headline": answer["headline"],
            "rule": first["rule"] if first else "",
            "title": first["title"] if first else "",
            "sentence": first["sentence"] if first else "",
            "remedy": first["remedy"] if first else "",
            "tested": first["tested"] if first else "not_tested",
            "test": (first.get("test") or {}).get("sentence", "") if first else "",
            "symptoms": first["symptoms"] if first else [],
            "others": [f["rule"] for f in answer.get("others", [])],
            "reasons": [r["rule"] for r in (trial or {}).get("verdict", {}).get("reasons", [])],
            "mended": what,
            "mend": WORDS.get(what, ""),
            **figures(trial),
        }
        steps.append(step)
        save(steps, not what)
        gate = ", ".join(step["reasons"]) or step["failure"] or "valid"
        mend = step["mend"] or "not mended"
        print(f"| {step['rule'] or step['result']} | {step['tested']} | {step['rate']:,.0f}/s | {gate} | {mend} |", flush=True)
        if not what:
            break
        faults.discard(what)
        hold.pop(what, None)
        delay = "1ms" if what == "backend" else delay


if __name__ == "__main__":
    if sys.argv[1:]:
        print(__doc__)
        sys.exit(0 if sys.argv[1] in ("-h", "--help") else 2)
    main()
