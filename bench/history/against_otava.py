#!/usr/bin/env python3
"""Holds Fettle's search for change points against Apache Otava's: on every series that Otava's own tests search, with the settings that these
tests use, and on random series (steps, outliers, slopes, changes of the spread) at several windows and levels.

  against_otava.py FOLDER COMMAND…    FOLDER: a checkout of Otava with its tests; COMMAND: runs dev.fettle.bench.history.ChangePoints

Needs the Python packages apache-otava and pytest. Prints a table; ends with 1 if any point differs."""
import os
import random
import subprocess
import sys

import pytest
from otava import analysis, series

SEARCHES = []
real = analysis.compute_change_points


def recorded(figures, window_len=50, max_pvalue=0.001, min_magnitude=0.0, new_data=None, old_weak_cp=None):
    result = real(figures, window_len=window_len, max_pvalue=max_pvalue, min_magnitude=min_magnitude,
                  new_data=new_data, old_weak_cp=old_weak_cp)
    if new_data is None and len(figures) > 0 and all(f is not None for f in figures):
        SEARCHES.append((window_len, max_pvalue, min_magnitude, [float(f) for f in figures], [int(c.index) for c in result[0]]))
    return result


def of_its_tests(folder):
    analysis.compute_change_points = series.compute_change_points = recorded
    random.seed(42)  # one of its tests searches random figures
    here = os.getcwd()
    os.chdir(folder)
    tests = ["tests/tigerbeetle_test.py", "tests/analysis_test.py", "tests/series_test.py", "tests/importer_test.py", "tests/report_test.py"]
    with open(os.devnull, "w") as nowhere:
        out, sys.stdout = sys.stdout, nowhere
        try:
            pytest.main(["-q", "-p", "no:cacheprovider"] + [t for t in tests if os.path.exists(t)])
        finally:
            sys.stdout = out
    os.chdir(here)
    analysis.compute_change_points = series.compute_change_points = real


def made(kind, r):
    n = r.randrange(20, 160)
    x = [100 + r.gauss(0, 2) for _ in range(n)]
    if kind == "steps":
        for _ in range(r.randrange(1, 4)):
            at, by = r.randrange(1, n), r.choice([-1, 1]) * r.uniform(2, 15)
            x[at:] = [v + by for v in x[at:]]
    elif kind == "outliers":
        x = [v - r.uniform(10, 40) if r.random() < 0.06 else v for v in x]
    elif kind == "slope":
        x = [v + 0.15 * i for i, v in enumerate(x)]
    elif kind == "spread":
        x = [v if i < n // 2 else 100 + 5 * (v - 100) for i, v in enumerate(x)]
    elif kind == "whole numbers":
        x = [float(round(v)) for v in x]
    return [float(repr(v)) for v in x]


def random_ones():
    r = random.Random(42)
    for kind in ["quiet", "steps", "outliers", "slope", "spread", "whole numbers"]:
        for _ in range(100):
            x = made(kind, r)
            window, p, least = r.choice([10, 30, 50]), r.choice([0.0001, 0.001, 0.01]), r.choice([0.0, 0.05])
            points, _ = real(list(x), window_len=window, max_pvalue=p, min_magnitude=least)
            yield kind, (window, p, least, x, [int(c.index) for c in points])


def ours(searches, command):
    lines = "".join(f"{w} {p!r} {m!r} {' '.join(repr(v) for v in x)}\n" for w, p, m, x, _ in searches)
    out = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [[int(i) for i in line.split()] for line in out.splitlines()]


def main():
    folder, command = sys.argv[1], sys.argv[2:]
    of_its_tests(folder)
    groups = {"Otava's own tests": SEARCHES}
    for kind, search in random_ones():
        groups.setdefault("random: " + kind, []).append(search)
    bad = 0
    print("| series | searches | with a change | points of Otava | of Fettle at Otava's levels | searches that differ |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, searches in groups.items():
        mine = ours(searches, command)
        differ = [(s, m) for s, m in zip(searches, mine) if s[4] != m]
        bad += len(differ)
        print(f"| {name} | {len(searches)} | {sum(1 for s in searches if s[4])} | {sum(len(s[4]) for s in searches)} "
              f"| {sum(len(m) for m in mine)} | {len(differ)} |")
        for (w, p, least, x, theirs), m in differ[:3]:
            print(f"  differs: window {w}, p {p}, least {least}, {len(x)} figures: Otava {theirs}, Fettle {m}", file=sys.stderr)
    long = list({tuple(s[3]): s[3] for s in SEARCHES if len(s[3]) >= 50}.values())
    own = ours([(50, 0.001, 0.0, x, []) for x in long], command + ["--own"])
    print("\n| series of Otava's tests, 50 figures or more | Otava at its defaults, one search at the end | Fettle at its own levels, run by run |")
    print("|---|---|---|")
    for x, mine in zip(long, own):
        points, _ = real(list(x))
        print(f"| {len(x)} figures, from {x[0]:g} on | {', '.join(str(c.index) for c in points)} | {', '.join(map(str, mine))} |")
    sys.exit(1 if bad else 0)


main()
