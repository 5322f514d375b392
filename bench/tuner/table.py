"""Sums up the runs that TunerProof and rivals.py print: tables by tuner, trials, kind of surface and surface, and a plot.

    table.py RUNS(.gz) TABLE.md PLOT.svg

An interval is that of 1,000 resamples: of the runs where the surfaces are known ones; of the surfaces, each with all of its runs, where
they were drawn, as they stand for all that might have been; of the halves of each recording where they were recorded, as all runs that
are judged by one half share its luck.
"""
import collections, gzip, json, math, random, statistics, sys

GOOD = 0.02
WHOLE = "fettle"

opened = gzip.open if sys.argv[1].endswith(".gz") else open
runs = [json.loads(l) for l in opened(sys.argv[1], "rt")]
by = collections.defaultdict(list)
for r in runs:
    by[r["tuner"], r["trials"]].append(r)
default = {(r["surface"], r["seed"]): r["regret"] for r in runs if r["tuner"] == "default"}
tuners = sorted({t for t, _ in by}, key=lambda t: statistics.mean(r["regret"] for (u, n), rs in by.items() if u == t for r in rs))
trials = sorted({n for _, n in by})
shown = 12 if 12 in trials else trials[len(trials) // 2]
surfaces = list(dict.fromkeys(r["surface"] for r in runs))
traits = {r["surface"]: r.get("traits", []) for r in runs}


def regret(r):
    return r["regret"]


def interval(rs, value=regret):
    rnd = random.Random(7)
    groups = collections.defaultdict(list)
    for i, r in enumerate(rs):
        of = traits[r["surface"]]
        groups[r["surface"] if "drawn" in of else (r["surface"], r["seed"] % 2) if "recorded" in of else i].append(value(r))
    groups = list(groups.values())
    means = sorted(statistics.mean(v for g in rnd.choices(groups, k=len(groups)) for v in g) for _ in range(1000))
    return means[25], means[974]


def table(head, rows):
    return ["", "| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1), *("| " + " | ".join(row) + " |" for row in rows)]


def percent(rs):
    return "%.1f %%" % (100 * statistics.mean(map(regret, rs))) if rs else ""


def by_tuner(t):
    return [r for r in runs if r["tuner"] == t]


points, summary = collections.defaultdict(list), []
for t in tuners:
    for n in trials:
        rs = by.get((t, n))
        if not rs:
            continue
        values = [regret(r) for r in rs]
        low, high = interval(rs)
        seconds = statistics.mean(r["seconds"] for r in rs)
        points[t].append((seconds, statistics.mean(values), low, high, statistics.median(values)))
        summary.append([t, str(n), str(len(rs)), "%.0f" % seconds, "%.1f %%" % (100 * statistics.median(values)), percent(rs),
                        "%.1f to %.1f %%" % (100 * low, 100 * high), "%.2f" % (sum(x <= GOOD for x in values) / len(values)),
                        "%.3f" % (sum(regret(r) > default.get((r["surface"], r["seed"]), 1) + 1e-9 for r in rs) / len(rs))])
lines = table(["tuner", "trials", "runs", "s", "median regret", "mean regret", "95 % interval", "within 2 %", "worse than the default"], summary)[1:]


def reached(t, of):
    return next(("%.0f s" % p[0] for p in sorted(points[t]) if p[of] <= GOOD), "not reached")


lines += ["", "Seconds until the regret is at most 2 %, by the first number of trials that reaches it:"]
lines += table(["tuner", "median", "mean"], [[t, reached(t, 4), reached(t, 1)] for t in tuners])

ablated = [t for t in tuners if t.startswith(WHOLE + " without ")]
whole = {(r["surface"], r["trials"], r["seed"]): r for r in by_tuner(WHOLE)}


def more(r, of="regret"):
    return r[of] - whole[r["surface"], r["trials"], r["seed"]][of]


def signed(rs):
    return "%+.1f [%.1f, %.1f]" % tuple(round(100 * v, 1) + 0.0 for v in (statistics.mean(map(more, rs)), *interval(rs, more)))


if ablated:
    lines += ["", "What a part gives: the regret without it less that of the whole, by runs of the same surface, trials and seed, in points; and how many",
              "knobs more are changed without it:"]
    kinds = [k for k in ("known", "drawn") if any(k in v for v in traits.values())]
    rows = []
    for t in ablated:
        for n in trials:
            changes = statistics.mean(more(r, "changes") for r in by[t, n])
            rows.append([t.removeprefix(WHOLE + " "), str(n), *(signed([r for r in by[t, n] if k in traits[r["surface"]]]) for k in kinds),
                         "%+.1f" % (round(changes, 1) + 0.0)])
    lines += table(["", "trials", *(k + " surfaces" for k in kinds), "knobs"], rows)
else:
    lines += ["", "Regret less Fettle's, by runs of the same surface, trials and seed, in points:"]
    lines += table(["tuner", *("%d trials" % n for n in trials)], [
        [t, *(signed(by[t, n]) if (t, n) in by else "" for n in trials)] for t in tuners if t not in (WHOLE, "all")])

kinds = [k for k in dict.fromkeys(k for v in traits.values() for k in v) if not all(k in v for v in traits.values())]
at = {t: by.get((t, shown), []) for t in tuners if by.get((t, shown))}
if kinds:
    lines += ["", "Mean regret by kind of surface, with %d trials:" % shown]
    lines += table(["kind", "surfaces", *at], [
        [k, str(sum(k in v for v in traits.values())), *(percent([r for r in rs if k in traits[r["surface"]]]) for rs in at.values())] for k in kinds])
lines += ["", "Mean regret by surface, with %d trials:" % shown]
cell = lambda t, s: percent([r for r in at[t] if r["surface"] == s])
if len(surfaces) > 10:
    lines += table(["surface", *at], [[" ".join([s, *(k for k in traits[s] if k in kinds)]), *(cell(t, s) for t in at)] for s in surfaces])
else:
    lines += table(["tuner", *surfaces], [[t, *(cell(t, s) for s in surfaces)] for t in at])
open(sys.argv[2], "w").write("\n".join(lines) + "\n")

width, height, left, top = 760, 420, 60, 20
plotted = [t for t in tuners if t not in ("default", "preset", "all")]
right = max(s for t in plotted for s, *_ in points[t])
most = min(1.0, max(h for t in plotted for _, _, _, h, _ in points[t]))
x = lambda s: left + (width - left - 200) * s / right
y = lambda v: top + (height - top - 50) * (1 - v / most)
colours = ["#1b6ca8", "#d1495b", "#2e8b57", "#8a5fbf", "#e08e0b", "#555555", "#00897b", "#a0522d"]
svg = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-label="Regret over the seconds of load that a search takes">' % (width, height), '<style>@media (prefers-color-scheme:dark){svg{filter:invert(1) hue-rotate(180deg)}}</style>', '<rect width="100%" height="100%" fill="white"/>']
for k in range(6):
    v = most * k / 5
    svg.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#e5e5e5"/><text x="%d" y="%.1f" text-anchor="end">%.0f %%</text>' % (left, width - 200, y(v), y(v), left - 6, y(v) + 4, 100 * v))
    s = right * k / 5
    svg.append('<text x="%.1f" y="%d" text-anchor="middle">%.0f s</text>' % (x(s), height - 32, s))
svg.append('<text x="%d" y="%d" text-anchor="middle">virtual seconds: starting, warming up, measuring</text>' % ((left + width - 200) // 2, height - 10))
for i, t in enumerate(plotted):
    p, c = sorted(points[t]), colours[i % len(colours)]
    band = ["%.1f,%.1f" % (x(s), y(min(h, most))) for s, _, _, h, _ in p] + ["%.1f,%.1f" % (x(s), y(l)) for s, _, l, *_ in reversed(p)]
    svg.append('<polygon points="%s" fill="%s" opacity="0.15"/>' % (" ".join(band), c))
    svg.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (" ".join("%.1f,%.1f" % (x(s), y(min(m, most))) for s, m, *_ in p), c))
    svg.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/><text x="%d" y="%d">%s</text>' % (width - 190, top + 20 * i, c, width - 172, top + 10 + 20 * i, t))
svg.append("</svg>")
open(sys.argv[3], "w").write("\n".join(svg))
