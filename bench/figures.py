#!/usr/bin/env python3
"""Reads what load generators print, and makes tables of it. Used by the scripts beside it, not by hand.

  figures.py peer TOOL FOLDER SECONDS    requests,seconds,engine CPU seconds,errors of one run, and where there was a
                                         warm-up requests,seconds with it; from FOLDER/out and so on
  figures.py peers CSV                   the table of peers.sh
  figures.py latency TOOL FOLDER         achieved rate and latencies of one run in ms, as JSON
  figures.py truth JSONL                 the table of truth.sh
  figures.py schedule JSONL              the table of schedule.sh
  figures.py gaps SECONDS                how late a program is on this CPU that does nothing but look at the clock, as JSON
  figures.py transports CSV              the table of transports.sh
  figures.py open-closed JSON JSON SVG   the picture of open-closed.sh
  figures.py growth FOLDER/JSON          what a diagnosis says of memory that grows, for growth.sh
"""
import base64
import csv
import json
import math
import random
import re
import statistics
import struct
import sys
import time
import zlib


def text(folder, name="out"):
    with open(f"{folder}/{name}", errors="replace") as f:
        return f.read()


def document(folder, name="out"):
    body = text(folder, name)
    return json.loads(body[body.index("{"):])


def number(pattern, body, otherwise=None):
    found = re.search(pattern, body)
    if not found:
        if otherwise is None:
            sys.exit(f"figures.py: no {pattern!r} in:\n{body[:2000]}")
        return otherwise
    return float(found.group(1).replace(",", ""))


def milliseconds(word):
    value, unit = re.match(r"([\d.]+)(us|ms|s|m|h)", word).groups()
    return float(value) * {"us": 1e-3, "ms": 1, "s": 1e3, "m": 6e4, "h": 3.6e6}[unit]


def peer(tool, folder, seconds):
    """requests, seconds, CPU seconds of the engine alone where it says, errors"""
    if tool == "fettle":
        d = document(folder)
        windows = d["series"]  # those of the warm-up, too, in which the process starts and compiles
        return (d["responses"], d["elapsedSeconds"], d["generatorCpuShare"] * d["elapsedSeconds"], d["failed"],
                sum(w["responses"] for w in windows), sum(w["seconds"] for w in windows))
    if tool == "k6":
        d = document(folder, "k6.json")["metrics"]
        return d["http_reqs"]["count"], seconds, "", d.get("http_req_failed", {}).get("passes", 0)
    if tool == "oha":
        d = document(folder)
        codes = d["statusCodeDistribution"]
        return codes.get("200", 0), d["summary"]["total"], "", sum(codes.values()) - codes.get("200", 0)
    if tool == "siege":
        d = document(folder)
        return d["transactions"], d["elapsed_time"], "", d["failed_transactions"]
    body = text(folder)
    if tool == "wrk":
        return number(r"(\d+) requests in", body), seconds, "", number(r"Non-2xx or 3xx responses: (\d+)", body, 0.0)
    if tool == "ab":
        return number(r"Complete requests:\s+(\d+)", body), number(r"taken for tests:\s+([\d.]+)", body), "", number(
            r"Failed requests:\s+(\d+)", body)
    if tool == "h2load":
        return number(r"(\d+) succeeded", body), seconds, "", number(r"(\d+) failed", body)
    if tool == "hey":
        return number(r"\[200\]\s+(\d+) responses", body), number(r"Total:\s+([\d.]+) secs", body), "", 0
    if tool == "shb":
        return shb(body, seconds)
    if tool == "jmeter":
        n, s = re.findall(r"summary =\s+(\d+) in ([\d:]+)", body)[-1]
        h, m, sec = (int(x) for x in s.split(":"))
        return int(n), h * 3600 + m * 60 + sec, "", number(r"Err:\s+(\d+)[^\n]*\n(?!.*summary =)", body, 0.0)
    sys.exit(f"figures.py: unknown tool {tool}")


def shb(body, seconds):
    for pattern in (r"\[200\]\s+([\d,]+)", r"(?i)requests?:?\s+([\d,]+)", r"([\d,]+)\s+requests"):
        found = re.search(pattern, body)
        if found:
            return float(found.group(1).replace(",", "")), seconds, "", 0
    sys.exit("figures.py: no count in shb's output:\n" + body[:2000])


def bootstrap(logs):
    rnd = random.Random(1)
    if len(logs) < 3:
        return None
    boot = sorted(statistics.median(rnd.choices(logs, k=len(logs))) for _ in range(10000))
    return math.exp(boot[250]), math.exp(boot[9749])


def ratio(logs):
    if not logs:
        return "–"
    interval = bootstrap(logs)
    return f"{math.exp(statistics.median(logs)):.2f}" + (f" [{interval[0]:.2f}, {interval[1]:.2f}]" if interval else f" (n={len(logs)})")


def peers(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    cases = sorted({(r["server"], int(r["bytes"])) for r in rows}, key=lambda c: (c[0] != "nginx", c))
    for server, size in cases:
        mine = [r for r in rows if (r["server"], int(r["bytes"])) == (server, size)]
        at = {(r["round"], r["tool"]): r for r in mine}
        tools = ["fettle"] + sorted({r["tool"] for r in mine} - {"fettle"})
        print(f"## {server}, {size:,} B\n")
        print("| tool | runs | req/s | req per CPU-s | server's CPU | Fettle's engine / it | Fettle's process / it | errors |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
        best = []
        for tool in tools:
            runs = [r for r in mine if r["tool"] == tool]
            per_second = statistics.median(float(r["requests"]) / float(r["seconds"]) for r in runs)
            cpu = "engine_cpu_seconds" if tool == "fettle" else "cpu_seconds"
            per_cpu = statistics.median(float(r["requests"]) / float(r[cpu]) for r in runs)
            server_cpu = statistics.median(float(r["server_cpu_seconds"]) / float(r["all_seconds"] or r["seconds"]) for r in runs)
            engine, whole = [], []
            for r in runs:
                f = at.get((r["round"], "fettle"))
                if f and tool != "fettle":
                    theirs = float(r["requests"]) / float(r["cpu_seconds"])
                    engine.append(math.log(float(f["requests"]) / float(f["engine_cpu_seconds"]) / theirs))
                    whole.append(math.log(float(f["all_requests"]) / float(f["cpu_seconds"]) / theirs))
            if tool != "fettle":
                best.append((statistics.median(engine) if engine else 9, tool, engine))
            errors = int(sum(float(r["errors"] or 0) for r in runs))
            print(f"| {tool} | {len(runs)} | {per_second:,.0f} | {per_cpu:,.0f} | {server_cpu:.2f} | {ratio(engine)} | {ratio(whole)} | {errors} |")
        if best:
            _, tool, logs = min(best)
            print(f"\nAgainst the best of them, {tool}: {ratio(logs)}\n")


def latency(tool, folder):
    if tool.startswith("fettle"):
        d = document(folder)
        l = d["latency"]
        q = [l.get(k, math.nan) for k in ("p50Millis", "p99Millis", "p999Millis", "maxMillis")]
        rate = d["responses"] / d["elapsedSeconds"]
    elif tool == "wrk":
        q = [float(x) / 1e3 for x in re.search(r"QUANTILES ([\d. ]+)", text(folder) + text(folder, "err")).group(1).split()]
        rate = number(r"Requests/sec:\s+([\d.]+)", text(folder))
    elif tool == "wrk2":
        body = text(folder)
        q = [milliseconds(re.search(rf"{p}%\s+(\S+)", body).group(1)) for p in ("50.000", "99.000", "99.900", "100.000")]
        rate = number(r"Requests/sec:\s+([\d.]+)", body)
    elif tool.startswith("oha"):
        d = document(folder)
        p = d["latencyPercentiles"]
        q = [p["p50"] * 1e3, p["p99"] * 1e3, p["p99.9"] * 1e3, d["summary"]["slowest"] * 1e3]
        rate = d["summary"]["requestsPerSec"]
    elif tool == "k6":
        d = document(folder, "k6.json")["metrics"]
        v = d["http_req_duration"]
        q = [v["p(50)"], v["p(99)"], v["p(99.9)"], v["max"]]
        rate = d["http_reqs"]["rate"]
    elif tool == "vegeta":
        with open(f"{folder}/vegeta.csv") as f:
            rows = [(int(r[0]), int(r[2]), r[1]) for r in csv.reader(f)]
        ok = sorted(r[1] for r in rows if r[2] == "200")
        q = [ok[min(len(ok) - 1, int(p * len(ok)))] / 1e6 for p in (0.5, 0.99, 0.999)] + [ok[-1] / 1e6]
        span = (max(r[0] for r in rows) - min(r[0] for r in rows)) / 1e9
        rate = len(ok) / span if span else 0
    else:
        sys.exit(f"figures.py: unknown tool {tool}")
    return {"rate": rate, "p50": q[0], "p99": q[1], "p999": q[2], "max": q[3]}


def lines(path):
    with open(path) as f:
        return [json.loads(line) for line in f if line.strip()]


def within(error, truth):
    return abs(error) <= max(0.2, 0.01 * truth)


def truth(path):
    rows = lines(path)
    for mode in dict.fromkeys(r["mode"] for r in rows):
        print(f"## {mode}\n")
        print("Error against the truth in ms (and, where it is over 1 % and 0.2 ms, **bold**). Truth first; of the tail it is each run's own, and the first one's is shown.\n")
        print("| load | tool | achieved/s | p50 | p99 | p99.9 | max | server's own miss, p99/max ms |")
        print("|---|---|--:|--:|--:|--:|--:|--:|")
        for load in dict.fromkeys(r["load"] for r in rows if r["mode"] == mode):
            some = [r for r in rows if (r["mode"], r["load"]) == (mode, load)]
            t = some[0]["truth"]
            print(f"| {load} | *truth* | | " + " | ".join(f"{t[k]:.2f}" for k in ("p50", "p99", "p999", "max")) + " | |")
            for r in some:
                cells = []
                for k in ("p50", "p99", "p999", "max"):
                    error = r["figures"][k] - r["truth"][k]
                    cells.append(f"{error:+.2f}" if within(error, r["truth"][k]) else f"**{error:+.2f}**")
                miss = r["server"]
                print(f"| {load} | {r['tool']} | {r['figures']['rate']:,.0f} | " + " | ".join(cells)
                      + f" | {miss['missp99']:.3f} / {miss['missmax']:.2f} |")
        print()


def gaps(seconds):
    """What the machine itself does to a schedule: of due times spread evenly, 99 % are seen within p99Millis."""
    clock, took = time.perf_counter_ns, []
    last = start = clock()
    end = start + int(seconds * 1e9)
    while last < end:
        now = clock()
        if now - last > 20_000:
            took.append(now - last)
        last = now
    low, high = 0, max(took, default=0)
    while high - low > 1000:  # late by more than x: what of each gap is beyond it
        x = (low + high) / 2
        if sum(g - x for g in took if g > x) > 0.01 * (last - start):
            low = x
        else:
            high = x
    return {"p99Millis": high / 1e6, "maxMillis": max(took, default=0) / 1e6, "lostShare": sum(took) / (last - start)}


def schedule(path):
    print("| offered/s | achieved/s | off by | lag p50 ms | lag p99 ms | lag p99.9 ms | the machine's own p99, max ms | stolen | held | unsent | errors "
          "| warm-up s | engine's CPU |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for d in lines(path):
        rate, got, lag, o = d["rate"], d["responses"] / d["elapsedSeconds"], d["sendLag"], d["offered"]
        off = 100 * (got / rate - 1)
        good = abs(off) <= 0.1 and lag.get("p99Millis", 0) < 1
        own = d["gaps"]
        print(f"| {rate:,} | {got:,.1f} | {off:+.3f} % | {lag.get('p50Millis', 0):.3f} | {lag.get('p99Millis', 0):.3f} "
              f"| {lag.get('p999Millis', 0):.3f} | {own['p99Millis']:.3f}, {own['maxMillis']:.2f} | {100 * d['evidence'].get('stealShare', 0):.1f} % | {o['held']} | {o['unsent']} | {d['failed']} "
              f"| {d['warmUpSeconds']:.1f} | {d['generatorCpuShare']:.2f} |"
              + ("" if good else " ← beyond 0.1 % or 1 ms"))


def transports(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    print("| bytes | connections | runs | NIO req per CPU-s | io_uring req per CPU-s | io_uring / NIO | errors |")
    print("|--:|---|--:|--:|--:|--:|--:|")
    for case in sorted({(int(r["bytes"]), r["connections"]) for r in rows}):
        mine = [r for r in rows if (int(r["bytes"]), r["connections"]) == case]
        at = {(r["round"], r["transport"]): float(r["requests"]) / float(r["engine_cpu_seconds"]) for r in mine}
        rounds = sorted({r["round"] for r in mine})
        nio, ring = ([at[i, t] for i in rounds] for t in ("nio", "io_uring"))
        errors = sum(int(float(r["errors"])) for r in mine)
        logs = [math.log(b / a) for a, b in zip(nio, ring)]
        print(f"| {case[0]:,} | {case[1]} | {len(rounds)} | {statistics.median(nio):,.0f} | {statistics.median(ring):,.0f} "
              f"| {ratio(logs)} | {errors} |")


def counts(encoded):
    """value in ns -> count, of an HdrHistogram in its compressed V2 form"""
    raw = base64.b64decode(encoded)
    cookie, length = struct.unpack(">ii", raw[:8])
    if cookie & ~0xF0 != 0x1C849304 & ~0xF0:
        sys.exit(f"figures.py: no compressed histogram: {cookie:#x}")
    body = zlib.decompress(raw[8:8 + length])
    size, _, digits, lowest, _, _ = struct.unpack(">iiiqqd", body[4:40])
    half_bits = math.ceil(math.log2(2 * 10 ** digits)) - 1
    unit_bits = int(math.log2(lowest))
    found, at, i = {}, 0, 40
    while i < 40 + size:
        zigzag = shift = 0
        for last in range(9):  # seven bits a byte; the ninth byte has eight
            byte = body[i]
            i += 1
            if last == 8:
                zigzag |= byte << shift
                break
            zigzag |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        count = (zigzag >> 1) ^ -(zigzag & 1)
        if count < 0:
            at -= count
            continue
        bucket = (at >> half_bits) - 1
        sub = (at & ((1 << half_bits) - 1)) + (1 << half_bits)
        if bucket < 0:
            bucket, sub = 0, sub - (1 << half_bits)
        if count:
            found[(sub + 0.5) * (1 << (bucket + unit_bits))] = count
        at += 1
    return found


def curve(document_):
    """points (1 / (1 - q), latency in ms), one for each value that occurred"""
    seen = sorted(counts(document_["histogramHdrV2Base64"]).items())
    total, below, points = sum(n for _, n in seen), 0, []
    for value, n in seen:
        below += n
        points.append((total / max(total - below, 0.5), value / 1e6))
    return points


def open_closed(closed_file, open_file, out):
    """a picture of two runs: latency over the quantile, both logarithmic"""
    with open(closed_file) as a, open(open_file) as b:
        runs = [("closed", "#c2410c", json.load(a)), ("open", "#1d4ed8", json.load(b))]
    width, height, left, right, top, bottom = 776, 420, 70, 40, 56, 56
    highest = 10 ** 5
    least, most = 0.01, 1000.0

    def x(tail):
        return left + (width - left - right) * min(math.log10(tail), 5) / math.log10(highest)

    def y(ms):
        share = (math.log10(max(ms, least)) - math.log10(least)) / (math.log10(most) - math.log10(least))
        return height - bottom - (height - top - bottom) * min(share, 1)

    s = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13" role="img" aria-label="One server that stands still for 100 ms in every 2 s">',
         '<style>@media (prefers-color-scheme:dark){svg{filter:invert(1) hue-rotate(180deg)}}</style>',
         f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
         f'<text x="{left}" y="24" font-size="15" fill="#111">One server that stands still for 100 ms in every 2 s</text>',
         f'<text x="{left}" y="42" fill="#555">latency over the quantile, as Fettle measured it with a closed and an open load</text>']
    for tail, label in ((1, "0"), (2, "p50"), (10, "p90"), (100, "p99"), (1000, "p99.9"), (10000, "p99.99"), (100000, "p99.999")):
        s.append(f'<line x1="{x(tail):.1f}" x2="{x(tail):.1f}" y1="{top}" y2="{height - bottom}" stroke="#e5e5e5"/>')
        s.append(f'<text x="{x(tail):.1f}" y="{height - bottom + 20}" text-anchor="middle" fill="#333">{label}</text>')
    for ms, label in ((0.01, "10 µs"), (0.1, "100 µs"), (1, "1 ms"), (10, "10 ms"), (100, "100 ms"), (1000, "1 s")):
        s.append(f'<line x1="{left}" x2="{width - right}" y1="{y(ms):.1f}" y2="{y(ms):.1f}" stroke="#e5e5e5"/>')
        s.append(f'<text x="{left - 8}" y="{y(ms) + 4:.1f}" text-anchor="end" fill="#333">{label}</text>')
    for i, (name, colour, run) in enumerate(runs):
        points, last = [], None
        for tail, ms in curve(run):
            at = (round(x(tail), 1), round(y(ms), 1))
            if last is None or abs(at[0] - last[0]) + abs(at[1] - last[1]) >= 0.8:
                points.append(at)
                last = at
        s.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{" ".join(f"{a},{b}" for a, b in points)}"/>')
        latency_ = run["latency"]
        s.append(f'<text x="{left + 14}" y="{top + 22 + 20 * i}" fill="{colour}">{name}: {run["throughputPerSecond"]:,.0f}/s, '
                 f'p99 {latency_["p99Millis"]:.3g} ms, p99.9 {latency_["p999Millis"]:.3g} ms, max {latency_["maxMillis"]:.3g} ms</text>')
    s.append("</svg>")
    with open(out, "w") as f:
        f.write("\n".join(s) + "\n")


GROWTH = {"live-heap-grows", "native-memory-grows"}


def growth(path):
    """what a diagnosis says of memory that grows: found, not found, or nothing since the trial was void or it was not observed"""
    found = document(*path.rsplit("/", 1))["conclusion"]
    told = [found["bottleneck"]] if "bottleneck" in found else []
    names = {f["rule"] for f in told + found["others"]} | {s for f in told + found["others"] for s in f.get("symptoms", [])}
    if names & GROWTH:
        print("GROWS: " + ", ".join(sorted(names & GROWTH)))
    elif found["result"] == "not_valid":
        print("void: " + found["headline"])
    else:
        blind = [f["rule"] for f in found["notObserved"] if f["rule"] in GROWTH]
        print("void: not observed: " + ", ".join(blind) if len(blind) == len(GROWTH) else "nothing grows")


def main():
    command, args = sys.argv[1], sys.argv[2:]
    if command == "peer":
        print(",".join(str(x) for x in peer(args[0], args[1], float(args[2]))))
    elif command == "gaps":
        print(json.dumps(gaps(float(args[0]))))
    elif command == "latency":
        print(json.dumps(latency(*args)))
    else:
        {"peers": peers, "truth": truth, "schedule": schedule, "transports": transports, "open-closed": open_closed, "growth": growth}[command](*args)


if __name__ == "__main__":
    main()
