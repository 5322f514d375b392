#!/usr/bin/env python3
"""The fault suite: each fault alone, under load, on each server; Fettle is told nothing but the target.

    bench/faults/suite.py                       all that run here, on Tomcat
    bench/faults/suite.py --server jetty,undertow log-lock monitor
    bench/faults/suite.py --healthy --java 17   servers with nothing wrong: every warning is a false one
    bench/faults/suite.py --record DIR          also keeps the first trial of each as JSON
    bench/faults/suite.py --second-opinion      JDK Mission Control's rules on a recording of the same trial, beside it
    bench/faults/suite.py --table               the score table of all results so far; runs nothing
    bench/faults/suite.py --page                the same as docs/faults.md

A fault counts as found when the first finding names it and its own test has not refuted it. The rules that name it are in FAULTS below, and were written down before
the fault was run. held-out.txt lists those that no bound was set with. Every run is a line of results/runs.jsonl; the table is made
of the last line of each case, server and JDK from which something was concluded, and for a held-out fault of its first as well: what was
fixed afterwards was fixed with it. held-out-2.txt is the same for the rules that came later. Builds nothing: ./fettle, and mvn -pl servers/faults -am package -DskipTests, come
first. redis-slow needs a redis-server on the PATH; cpu-quota and threads-limit need the right to make control groups; far-peer and lossy-peer
need the right to make a network interface (or `unshare -n` around all: ip link set lo up), disk-full to mount.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
FETTLE = pathlib.Path(os.environ.get("FETTLE", HERE.parent.parent / "fettle"))
RESULTS = HERE / "results" / "runs.jsonl"
NOTHING = ("not_valid", "no answer")
# from here on, rules were mended with recordings of the held-out faults
SPLIT_USED_UP = "2026-11-23T07:40Z"
ONLY = {"io-thread-blocked": {"undertow"}, "keep-alive-off": {"tomcat", "jetty"}, "session-per-request": {"tomcat"}}
SERVERS = ["tomcat", "jetty", "undertow"]
# twenty windows of warm-up tell swings from a rise
LEAST = {"connections": 48, "timeout": "5s", "warm-up": "10s", "measure": "10s"}

# the same garbage for every fault of the collector
STORM = {"cpu": "0.05ms", "fault": "allocation-storm"}


def far(port, millis, loss):
    """A service at the end of a way that takes so long, and loses so many packets."""
    return {
        "jvm": ["-Xms128m", "-Xmx128m", f"-Dfettle.far=10.9.0.2:{port}"],
        "hooks": {
            "before": [
                {
                    "run": [str(HERE.resolve() / "far.py"), str(port), str(millis), str(loss)],
                    "background": True,
                    "ready": {"tcp": f"10.9.0.2:{port}"},
                    "within": "20s",
                }
            ]
        },
    }


# fault: rules that name it; what of the plan is otherwise
FAULTS = {
    "allocation-storm": ({"allocation"}, {}),
    "backend-slow": ({"backend-wait"}, {"delay": "400ms"}),
    "backlog-small": ({"accept-queue"}, {"hold": {"backlog": 1}, "load": {"connections": 200, "keep-alive": False}}),
    # below what fills the CPUs: a job beside forty busy workers gets a sixth of a CPU, and slows nobody
    "batch-job": ({"periodic-job"}, {"delay": "20ms", "load": {"connections": 16}}),
    "cache-cold": ({"still-warming"}, {}),
    "cache-lock": ({"lock"}, {}),
    "compression": (
        {"expensive-method", "known-method"},
        {
            "app": "payload",
            "options": {"bytes": "400k"},
            "hold": {"compression": True},
            "load": {"request": {"path": "/", "headers": {"Accept-Encoding": "gzip"}}, "expect": {"status": 200}},
        },
    ),
    "connections-leaked": ({"connections-left-open"}, {}),
    "cpu-quota": ({"cpu-quota"}, {}),
    "cpu-work": ({"cpu-full", "expensive-method"}, {"options": {"cpu": "5ms"}}),
    "database-pool-small": ({"connection-pool"}, {}),
    "deadlock": ({"deadlock"}, {}),
    "delayed-ack": ({"delayed-ack"}, {}),
    # its resolver is its own, so no worker is seen to look a name up in the JDK: that a call times out is what can be told
    "dns-slow": ({"slow-lookup", "calls-time-out"}, {"load": {"timeout": "15s", "warm-up": "12s"}}),
    "errors-500": ({"server-errors"}, {}),
    "exception-storm": ({"exceptions"}, {}),
    # as many connections as the preflight lets through: what each request opens to the service behind comes on top
    "fds-used-up": ({"descriptors-used-up"}, {"hold": {"process.nofile": 256}, "load": {"connections": 120}}),
    "fsync-per-request": ({"disk-wait"}, {}),
    "gc-explicit": ({"explicit-gc"}, {}),
    "heap-small": ({"heap-small", "heap-exhausted"}, {"jvm": ["-Xms48m", "-Xmx48m"]}),
    "humongous": ({"humongous-allocation"}, {"jvm": ["-Xms128m", "-Xmx128m", "-XX:+UseG1GC"]}),
    "io-thread-blocked": ({"blocked-loop", "before-the-workers"}, {}),
    "juc-lock": ({"lock"}, {}),
    "large-body": (
        {"large-answers"},
        {"app": "payload", "options": {"bytes": "2m"}, "load": {"expect": {"status": 200}}},
    ),
    "keep-alive-off": (
        {"keep-alive-off"},
        {"hold": {"keepalive.requests": 1}, "jetty": {"hold": {"keepalive.enabled": False}}},
    ),
    # since 29 November 2026 who waits for a log is followed to the log's writer, and a pool's own threads are counted apart
    "log-lock": ({"log-lock", "log-writer"}, {}),
    "monitor": ({"lock"}, {}),
    "native-leak": ({"native-memory-grows", "direct-memory-exhausted"}, {"jvm": ["-Xms128m", "-Xmx128m", "-XX:MaxDirectMemorySize=1g"]}),
    "one-hot-thread": ({"one-thread"}, {}),
    "parse-uncached": ({"expensive-method"}, {}),
    "pool-small": ({"workers-full", "few-workers-left"}, {"hold": {"threads.max": 4}}),
    "redis-slow": (
        {"backend-wait"},
        {
            "jvm": ["-Xms128m", "-Xmx128m", "-Dfettle.redis=127.0.0.1:{port:redis}"],
            "hooks": {
                "before": [
                    {
                        "run": ["redis-server", "--port", "{port:redis}", "--save", "", "--bind", "127.0.0.1"],
                        "background": True,
                        "ready": {"tcp": "127.0.0.1:{port:redis}"},
                        "within": "20s",
                    }
                ]
            },
        },
    ),
    "retry-storm": ({"sleeping-workers"}, {}),
    "session-per-request": ({"sessions-pile-up"}, {"jvm": ["-Xms512m", "-Xmx512m"]}),
    "threads-limit": ({"threads-limit"}, {"delay": "200ms", "load": {"connections": 200}}),
    "think-time": ({"think-time"}, {"load": {"think": "200ms"}}),
    "tls-handshakes": (
        {"tls-handshakes"},
        {"hold": {"backlog": 1024}, "load": {"connections": 32, "keep-alive": False, "tls": {"resume": False}}},
    ),
    "virtual-pinned": ({"virtual-pinned"}, {"hold": {"threads.virtual": True}}),
    "code-cache-small": ({"code-cache-full"}, {"jvm": ["-Xms128m", "-Xmx128m", "-XX:ReservedCodeCacheSize=4m"]}),
    "gc-threads": (
        {"gc-threads"},
        {"jvm": ["-Xms128m", "-Xmx128m", "-XX:+UseParallelGC", "-XX:ParallelGCThreads=16"], "options": STORM},
    ),
    "collector-always": ({"collector-always-runs"}, {"jvm": ["-Xmx128m", "-XX:+UseZGC"], "options": STORM}),
    "marking-always": (
        {"collector-always-runs"},
        {
            "jvm": ["-Xms192m", "-Xmx192m", "-XX:+UseG1GC", "-XX:InitiatingHeapOccupancyPercent=1", "-XX:-G1UseAdaptiveIHOP"],
            "options": STORM,
        },
    ),
    "safepoint-slow": (
        {"safepoints"},
        {"jvm": ["-Xms128m", "-Xmx128m", "-XX:+UseParallelGC", "-XX:LoopStripMiningIter=0", "-XX:-UseCountedLoopSafepoints"]},
    ),
    "stack-dumps": ({"safepoints"}, {}),
    "classes-leaked": ({"metaspace-grows"}, {"jvm": ["-Xms256m", "-Xmx256m"]}),
    "hidden-classes": ({"metaspace-grows"}, {"jvm": ["-Xms256m", "-Xmx256m"]}),
    "threads-leaked": ({"threads-grow"}, {}),
    "executors-leaked": ({"threads-grow"}, {}),
    "finalizer-slow": ({"finalizers"}, {"jvm": ["-Xms256m", "-Xmx256m"]}),
    "cleaner-slow": ({"finalizers"}, {"jvm": ["-Xms256m", "-Xmx256m"]}),
    "log-volume": ({"log-volume"}, {}),
    "disk-full": (
        {"disk-nearly-full"},
        {
            "jvm": ["-Xms128m", "-Xmx128m", "-Dfettle.disk=/tmp/fettle-small-disk"],
            "hooks": {
                "before": [
                    {
                        "run": [
                            "sh",
                            "-c",
                            "mkdir -p /tmp/fettle-small-disk; mountpoint -q /tmp/fettle-small-disk ||"
                            " mount -t tmpfs -o size=64m fettle /tmp/fettle-small-disk; rm -f /tmp/fettle-small-disk/*",
                        ]
                    }
                ],
                "after": [{"run": ["sh", "-c", "umount -l /tmp/fettle-small-disk; rmdir /tmp/fettle-small-disk"]}],
            },
        },
    ),
    "far-peer": ({"far-peer"}, far(7007, 30, 0)),
    "lossy-peer": ({"lossy-peer"}, far(7008, 1, 0.03)),
    "process-stopped": ({"process-stopped"}, {}),
    "host-stall": ({"host-stalls"}, {}),
}
# those that need no code in the login page
SETTINGS_ONLY = {"backend-slow", "backlog-small", "code-cache-small", "collector-always", "compression", "gc-threads", "marking-always", "cpu-work", "fds-used-up", "keep-alive-off", "large-body", "pool-small", "think-time", "tls-handshakes"}

# What the finding has to name as well: the rule alone may be found on a page without the fault, too. Runs of before 24 November 2026
# were judged by the rule alone.
SAYS = {
    "backend-slow": r"127\.0\.0\.1:\d+",
    "batch-job": r"nightly-job",
    "cache-lock": r"CacheLock",
    "compression": r"(?i)gzip|deflat",
    # stacks are dumped in the one, and the CPU time is in the other, which it calls: a profile names that (since 25 November 2026)
    "cpu-work": r"LoginApp\.work|CpuBurner\.burn",
    "database-pool-small": r"pool '?login",
    "log-lock": r"log4j|LogLock",
    "monitor": r"faults\.Monitor",
    "one-hot-thread": r"login-dispatche",  # the kernel keeps 15 characters
    "parse-uncached": r"ua_parser",
    "redis-slow": r"127\.0\.0\.1:\d+",
    "threads-leaked": r"mail-timer",
    "executors-leaked": r"pool-",
    "finalizer-slow": r"FinalizerSlow|wait to be finalized",
    "cleaner-slow": r"CleanerSlow|Cleaner-",
    "log-volume": r"login-debug",
    "disk-full": r"fettle-small-disk",
    "far-peer": r"10\.9\.0\.2:\d+",
    "lossy-peer": r"10\.9\.0\.2:\d+",
}

HEALTHY = {
    "hello": {"app": "hello", "load": {"expect": {"status": 200}}},
    "payload": {"app": "payload", "load": {"expect": {"status": 200}}},
    "work": {"app": "work", "options": {"cpu": "0.5ms", "wait": "5ms"}, "load": {"expect": {"status": 200}}},
    "login": {},
}


def plan(name, server, java, other):
    other = {**other, **other.get(server, {})}
    app = other.get("app", "login")
    options = dict(other.get("options", {"cpu": "0.05ms"} if app == "login" else {}))
    if name in FAULTS and name not in SETTINGS_ONLY:
        options["fault"] = name
    target = {
        "server": server,
        "app": app,
        "jvm": other.get("jvm", ["-Xms128m", "-Xmx128m"]),
    }
    if java:
        target["java"] = java
    if options:
        target["options"] = options
    if app == "login":
        target["backend"] = {"delay": other.get("delay", "5ms"), "bytes": 200}
    load = dict(LEAST, request={"path": "/"}, expect={"status": 200, "contains": "Sign in"})
    load.update(other.get("load", {}))
    hold = {"keepalive.requests": -1} if server == "tomcat" else {}
    if server == "undertow":
        hold["threads.max"] = 64  # its default on one CPU is 8: with 48 clients that would be a second fault
    hold.update(other.get("hold", {}))
    if hold.get("threads.virtual"):
        hold.pop("threads.max", None)  # virtual threads are no pool
    whole = {"name": "suite", "target": target, "load": load, "hold": hold}
    if "hooks" in other:
        whole["hooks"] = other["hooks"]
    return whole


def first_trial(folder):
    file = next(pathlib.Path(folder).glob("*.db"), None)
    if not file:
        return None
    db = sqlite3.connect(str(file))
    row = db.execute("select outcome from trial order by ordinal limit 1").fetchone()
    return json.loads(row[0]) if row else None


def diagnose(case, record, test, more=()):
    name, server, java, other = case
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "plan.yaml"
        file.write_text(json.dumps(plan(name, server, java, other)))  # JSON is YAML
        begin = time.monotonic()
        run = subprocess.run(
            [str(FETTLE), "diagnose", str(file), "--json", "--no-colour", "--dir", folder + "/runs"]
            + ([] if test else ["--no-test"])
            + list(more),
            capture_output=True,
            text=True,
            env=os.environ | {"FETTLE_CALM": "off"},
        )
        seconds = time.monotonic() - begin
        trial = first_trial(folder + "/runs")
        if record and trial:
            pathlib.Path(record).mkdir(parents=True, exist_ok=True)
            (pathlib.Path(record) / f"{name}.{server}.{java or 25}.{time.strftime('%H%M%S')}.json").write_text(json.dumps(trial))
        try:
            return json.loads(run.stdout)["conclusion"], seconds, trial
        except (json.JSONDecodeError, KeyError):
            print(run.stderr[-2000:], file=sys.stderr)
            return None, seconds, trial


def findings(conclusion):
    if not conclusion:
        return []
    first = [conclusion["bottleneck"]] if conclusion.get("bottleneck") else []
    return first + conclusion.get("others", [])


def result(case, expected, conclusion, seconds, trial):
    """One line of the results: what was found, and how the trial was judged."""
    found = findings(conclusion)
    rules = [f["rule"] for f in found]
    loud = [f["rule"] for f in found if f["severity"] != "limit" and f["rule"] not in expected and f["tested"] != "refuted"]
    says = re.compile(SAYS.get(case[0], ""), re.DOTALL)
    names = [f["rule"] in expected and bool(says.search(" ".join([f["title"], f["sentence"], *f["evidence"]]))) for f in found]
    rank = next((i + 1 for i, named in enumerate(names) if named), 0)
    reasons = [r["rule"] for r in (trial or {}).get("verdict", {}).get("reasons", [])]
    return {
        "case": case[0],
        "kind": "fault" if expected else "healthy",
        "server": case[1],
        "java": case[2] or 25,
        "at": time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime()),
        "code": code(),
        "result": conclusion["result"] if conclusion else "no answer",
        "first": rules[0] if rules else "",
        "rank": rank,
        "hit": rank == 1 and found[0]["tested"] != "refuted" if expected else bool(conclusion) and conclusion["result"] != "not_valid" and not loud,
        "tested": found[0]["tested"] if found else "",
        "loud": loud,
        "seconds": round(seconds),
        "reasons": reasons,
        **jmc(conclusion),
    }


def jmc(conclusion):
    """What JDK Mission Control's rules say; nothing where they were not asked, or had no recording."""
    said = (conclusion or {}).get("secondOpinion")
    return {} if said is None else {"jmc": [f"{x['rule']} ({x['what']})" for x in said]}


def code():
    run = subprocess.run(["git", "log", "-1", "--format=%h"], capture_output=True, text=True, cwd=HERE)
    return run.stdout.strip()


def results():
    """Every line. A finding that its own test refuted is none, which lines of before did not say."""
    lines = [json.loads(x) for x in RESULTS.read_text().splitlines()] if RESULTS.exists() else []
    return [{**r, "hit": r["hit"] and not (r["kind"] == "fault" and r["tested"] == "refuted")} for r in lines]


def last_of_each():
    last = {}
    for r in results():
        key = (r["kind"], r["case"], r["server"], r["java"])
        # a trial from which nothing is concluded does not take the place of one from which something was
        if key not in last or r["result"] not in NOTHING or last[key]["result"] in NOTHING:
            last[key] = r
    return [last[k] for k in sorted(last, key=str)]


def first_held_out():
    """The first line of each held-out fault and server from which something was concluded while the split was one."""
    held = set((HERE / "held-out.txt").read_text().split())
    later = set((HERE / "held-out-2.txt").read_text().split())
    first = {}
    for r in results():
        key = (r["case"], r["server"], r["java"])
        if r["kind"] == "fault" and (r["case"] in held and r["at"] < SPLIT_USED_UP or r["case"] in later):
            if key not in first or first[key]["result"] in NOTHING:
                first[key] = r
    return [first[k] for k in sorted(first, key=str)]


def how_it_was(r):
    if r["result"] in NOTHING:
        return "nothing was concluded"
    return "named" if r["hit"] else "not named; the first finding was " + (r["first"] or "none")


def score(rows):
    told = [r for r in rows if r["result"] not in NOTHING]
    return f"{sum(r['hit'] for r in told)} of {len(told)}" + (
        f" ({len(rows) - len(told)} more from which nothing could be concluded)" if len(rows) > len(told) else ""
    )


def page():
    """docs/faults.md, from the results alone."""
    later = set((HERE / "held-out-2.txt").read_text().split())
    held = set((HERE / "held-out.txt").read_text().split()) | later
    rows = last_of_each()
    faults = [r for r in rows if r["kind"] == "fault"]
    healthy = [r for r in rows if r["kind"] == "healthy"]
    as_it_was = first_held_out()
    out = [
        "# Faults, and whether they were named",
        "",
        "Written by `bench/faults/suite.py --page` from `bench/faults/results`; nothing here is typed. Each fault is made alone, by the",
        "login page's option `fault` or by another setting or load in the plan (such as backlog-small), and put under load for about 17 s;",
        "[fettle diagnose](commands/diagnose.md) is told nothing but the target. A hit: the first finding is one of those that name the",
        "fault, which were written down before it was run (but for cpu-work, whose method was added after a run, and dns-slow: since no",
        "worker is seen to look a name up, a call that times out counts, too, as its first run with that rule was a miss); where a page without the fault could have that finding, too, it also names the",
        "part at fault; and no test refuted it. *Tested*: whether the experiment that could refute the finding was made; it is not made where",
        "there is no cheap one, and not on a disturbed trial.",
        "JDK Mission Control's rules were asked of a recording of the same trial, with the JVM's own settings and Fettle's; there is none where",
        "the target ended by itself. At most three are shown, without those about agents (the watch and the profile are such).",
        "*Disturbed*: other programs used more than a tenth of the CPUs meanwhile. The machine had two CPUs, one for the server and one for the",
        "load. A row is the last run from which something was concluded, with the code of its",
        "day; rules were mended between runs, so the score of every run is told beside that of the last ones.",
        "",
        "## Score",
        "",
        "| | " + " | ".join(SERVERS) + " |",
        "|---|" + "---|" * len(SERVERS),
    ]

    def line(what, some):
        out.append(f"| {what} | " + " | ".join(score([r for r in some if r["server"] == s]) for s in SERVERS) + " |")

    line("faults that bounds were set with", [r for r in faults if r["case"] not in held])
    line("held-out faults, first run of each on that server from which something was concluded", as_it_was)
    line("held-out faults, last run of each", [r for r in faults if r["case"] in held])
    every = results()
    line("every run of a fault so far, before and after it was fixed", [r for r in every if r["kind"] == "fault"])
    line("kinds of healthy servers without a false warning, last run of each", healthy)
    out += ["", "## Faults", ""]
    asked = any("jmc" in r for r in faults)
    head = ["fault", "server", "JDK", "hit", "rank", "first finding", "tested", "other warnings", "seconds", "disturbed"]
    head += ["JDK Mission Control's rules, highest first"] if asked else []
    out += ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for r in faults:
        cells = [
            r["case"] + (" (held out)" if r["case"] in held else ""),
            r["server"],
            str(r["java"]),
            "yes" if r["hit"] else "not valid" if r["result"] == "not_valid" else "**no**",
            str(r["rank"] or "-"),
            r["first"] or r["result"],
            r["tested"].replace("_", " ") or "-",
            ", ".join(r["loud"]) or "-",
            str(r["seconds"]),
            "yes" if "disturbed" in r["reasons"] else "-",
        ]
        cells += ["; ".join([j for j in r.get("jmc", []) if " Agents (" not in j][:3]) or ("-" if "jmc" in r else "no recording")] if asked else []
        out.append("| " + " | ".join(cells) + " |")
    first_split = [r for r in as_it_was if r["case"] not in later]
    if first_split:
        out += ["", "Held-out faults as they were first run on each server:", ""]
        out += [f"- {r['case']} on {r['server']}: " + how_it_was(r) for r in first_split]
        out += [
            "",
            "This split is used up: rules and readings were mended with recordings of these faults, so a later run of one says no more",
            "than that of any other. On Undertow the first runs were with its default pool of 16 workers for 48 clients, which is a",
            "fault of its own (`workers-full`), and with 60 descriptors left free; since then they are run with 64.",
        ]
    if len(as_it_was) > len(first_split):
        out += ["", "Held-out faults of the rules that came later, as they were first run:", ""]
        out += [f"- {r['case']} on {r['server']}: " + how_it_was(r) for r in as_it_was if r["case"] in later]
    if healthy:
        told = [x for x in results() if x["kind"] == "healthy" and x["result"] not in NOTHING]
        false = sum(bool(x["loud"]) for x in told)
        out += ["", "## Healthy servers", ""]
        out += [
            f"{len(told)} runs from which something was concluded, {false} with a false warning"
            + (f": with 95 % confidence, at most {100 * (1 - 0.05 ** (1 / len(told))):.1f} % of such runs have one." if not false else "."),
            "",
        ]
        out += ["| application | server | JDK | runs | first finding of the last | false warnings in all runs |", "|---|---|---|---|---|---|"]
        for r in healthy:
            same = [x for x in told if all(x[k] == r[k] for k in ("case", "server", "java"))]
            loud = sorted({w for x in same for w in x["loud"]})
            out.append(
                f"| {r['case']} | {r['server']} | {r['java']} | {len(same)} | {r['first'] or 'nothing found'} | {', '.join(loud) or 'none'} |"
            )
    story = HERE / "results" / "story.json"
    if story.exists():
        s = json.loads(story.read_text())
        out += [
            "",
            "## The login page of the third document",
            "",
            f"Everything wrong at once, {s['clients']} clients; after each diagnosis the fault that its first finding names is mended"
            " (`bench/faults/story.py`)." + (" Other programs used the CPUs meanwhile, so the rates are low."
            if any("disturbed" in x["reasons"] for x in s["steps"]) else ""),
            "",
            "| first finding | tested | throughput | p50 | p99 | the gate | what is mended |",
            "|---|---|---|---|---|---|---|",
        ]
        for x in s["steps"]:
            ms = lambda v: "-" if v is None else f"{v:,.0f} ms"
            tested = x.get("tested", "not_tested").replace("_", " ")
            gate = ", ".join(x["reasons"]) or x.get("failure") or "valid"
            out.append(
                f"| {x['title'] or x['headline']} | {tested} | {int(x['rate'] + 0.5):,}/s | {ms(x['p50'])} | {ms(x['p99'])} | {gate}"
                f" | {x['mend'] or 'nothing left to mend'} |"
            )
    (HERE.parent.parent / "docs" / "faults.md").write_text("\n".join(out) + "\n")


def show(rows):
    held = set((HERE / "held-out.txt").read_text().split()) | set((HERE / "held-out-2.txt").read_text().split())
    score = {}
    print("| case | server | JDK | hit | rank | first finding | tested | other warnings | s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for r in rows:
        part = (
            "not valid"
            if r["result"] == "not_valid"
            else "healthy, no false warning"
            if r["kind"] == "healthy"
            else "held out"
            if r["case"] in held
            else "set with"
        )
        s = score.setdefault(part, [0, 0])
        s[0] += r["hit"]
        s[1] += 1
        name = r["case"] + (" (held out)" if part == "held out" else " (healthy)" if r["kind"] == "healthy" else "")
        print(
            f"| {name} | {r['server']} | {r['java']} | {'yes' if r['hit'] else 'no'} | {r['rank'] or '-'} "
            f"| {r['first'] or r['result']} | {r['tested'] or '-'} | {', '.join(r['loud']) or '-'} | {r['seconds']} |"
        )
    for part, (hits, all_) in sorted(score.items()):
        print(f"\n{part}: {hits} of {all_}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--server", default="tomcat", help="tomcat, jetty, undertow; several with commas")
    p.add_argument("--java", type=int, help="the target's JDK; default the newest")
    p.add_argument("--healthy", action="store_true")
    p.add_argument("--no-test", action="store_true", help="measure once each")
    p.add_argument("--record", help="folder")
    p.add_argument("--table", action="store_true")
    p.add_argument("--page", action="store_true")
    p.add_argument("--second-opinion", action="store_true")
    p.add_argument("--runs", type=int, default=1)
    p.add_argument("--tries", type=int, default=1, help="as long as other processes disturb it")
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    if a.table:
        return show(last_of_each())
    if a.page:
        return page()
    known = HEALTHY if a.healthy else FAULTS
    rows = []
    for name in (a.names or sorted(known)) * a.runs:
        if name not in known:
            sys.exit(f"no such case: {name}; there are {', '.join(sorted(known))}")
        for server in a.server.split(","):
            expected, other = (set(), HEALTHY[name]) if a.healthy else FAULTS[name]
            if server not in ONLY.get(name, {server}) or (name == "redis-slow" and not shutil.which("redis-server")):
                print(f"{name} on {server}: not run", file=sys.stderr)
                continue
            case = (name, server, a.java, other)
            for _ in range(a.tries):
                r = result(case, expected, *diagnose(case, a.record, not a.no_test, ["--second-opinion"] if a.second_opinion else []))
                RESULTS.parent.mkdir(exist_ok=True)
                with RESULTS.open("a") as f:
                    f.write(json.dumps(r) + "\n")
                if "disturbed" not in r["reasons"] and r["result"] != "not_valid":
                    break
            rows.append(r)
    show(rows)


if __name__ == "__main__":
    main()
