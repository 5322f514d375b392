"""Sums up the runs that TunerProof and rivals.py print: a table by tuner and trials, and a plot. table.py RUNS(.gz) TABLE.md PLOT.svg"""
import collections, gzip, json, math, random, statistics, sys

opened = gzip.open if sys.argv[1].endswith(".gz") else open
runs = [json.loads(l) for l in opened(sys.argv[1], "rt")]
by = collections.defaultdict(list)
for r in runs:
    by[r["tuner"], r["trials"]].append(r)
default = {r["surface"]: r["regret"] for r in runs if r["tuner"] == "default"}
tuners = sorted({t for t, _ in by}, key=lambda t: statistics.mean(r["regret"] for (u, n), rs in by.items() if u == t for r in rs))
trials = sorted({n for _, n in by})


def interval(values):
    rnd = random.Random(7)
    means = sorted(statistics.mean(rnd.choices(values, k=len(values))) for _ in range(1000))
    return means[25], means[974]


lines = ["| tuner | trials | runs | s | median regret | mean regret | 95 % interval | within 2 % | worse than the default |", "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
points = collections.defaultdict(list)
for t in tuners:
    for n in trials:
        rs = by.get((t, n))
        if not rs:
            continue
        regret = [r["regret"] for r in rs]
        low, high = interval(regret)
        seconds = statistics.mean(r["seconds"] for r in rs)
        points[t].append((seconds, statistics.mean(regret), low, high))
        lines.append("| %s | %d | %d | %.0f | %.1f %% | %.1f %% | %.1f to %.1f %% | %.2f | %.3f |" % (
            t, n, len(rs), seconds, 100 * statistics.median(regret), 100 * statistics.mean(regret), 100 * low, 100 * high,
            sum(x <= 0.02 for x in regret) / len(regret), sum(r["regret"] > default.get(r["surface"], 1) + 1e-9 for r in rs) / len(rs)))
lines += ["", "Mean regret by surface, with %d trials:" % trials[min(len(trials) - 1, 2)], ""]
surfaces = list(dict.fromkeys(r["surface"] for r in runs))
lines += ["| tuner | " + " | ".join(surfaces) + " |", "|---|" + "--:|" * len(surfaces)]
for t in tuners:
    rs = by.get((t, trials[min(len(trials) - 1, 2)]), [])
    if not rs:
        continue
    lines.append("| %s | %s |" % (t, " | ".join("%.1f %%" % (100 * statistics.mean([r["regret"] for r in rs if r["surface"] == s] or [math.nan])) for s in surfaces)))
open(sys.argv[2], "w").write("\n".join(lines) + "\n")

width, height, left, top = 760, 420, 60, 20
shown = [t for t in tuners if t not in ("default", "preset", "all")]
right = max(s for t in shown for s, *_ in points[t])
most = min(1.0, max(h for t in shown for *_, h in points[t]))
x = lambda s: left + (width - left - 200) * s / right
y = lambda v: top + (height - top - 50) * (1 - v / most)
colours = ["#1b6ca8", "#d1495b", "#2e8b57", "#8a5fbf", "#e08e0b", "#555555", "#00897b"]
svg = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">' % (width, height), '<rect width="100%" height="100%" fill="white"/>']
for k in range(6):
    v = most * k / 5
    svg.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#e5e5e5"/><text x="%d" y="%.1f" text-anchor="end">%.0f %%</text>' % (left, width - 200, y(v), y(v), left - 6, y(v) + 4, 100 * v))
    s = right * k / 5
    svg.append('<text x="%.1f" y="%d" text-anchor="middle">%.0f s</text>' % (x(s), height - 32, s))
svg.append('<text x="%d" y="%d" text-anchor="middle">virtual seconds: starting, warming up, measuring</text>' % ((left + width - 200) // 2, height - 10))
for i, t in enumerate(shown):
    p, c = sorted(points[t]), colours[i % len(colours)]
    band = ["%.1f,%.1f" % (x(s), y(min(h, most))) for s, _, _, h in p] + ["%.1f,%.1f" % (x(s), y(l)) for s, _, l, _ in reversed(p)]
    svg.append('<polygon points="%s" fill="%s" opacity="0.15"/>' % (" ".join(band), c))
    svg.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (" ".join("%.1f,%.1f" % (x(s), y(min(m, most))) for s, m, *_ in p), c))
    svg.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/><text x="%d" y="%d">%s</text>' % (width - 190, top + 20 * i, c, width - 172, top + 10 + 20 * i, t))
svg.append("</svg>")
open(sys.argv[3], "w").write("\n".join(svg))
