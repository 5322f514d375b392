#!/usr/bin/env python3
"""One line of bench/field/run.sh --score: score.py ID HALF RESULT.json ERRORS "[a, b]"

Right is a first finding (or, if the test of that refuted it, the one that took its place) whose title, sentences and evidence hold one of the
words that the case accepts, upper and lower case alike. What follows from the finding does not count.
"""
import json
import sys


def line(case, half, result, errors, words):
    try:
        with open(result) as f:
            conclusion = json.load(f)["conclusion"]
    except (OSError, ValueError, KeyError, TypeError):
        with open(errors, errors="replace") as f:
            said = [x for x in f.read().split("\n") if x.strip()]
        return f"{case:<22} {half:<7} {'-':<5} no diagnosis: {said[-1].strip() if said else 'nothing printed'}"
    first = conclusion.get("bottleneck") or next(iter(conclusion.get("others", [])), None)
    if not first:
        return f"{case:<22} {half:<7} {'no':<5} nothing found: {conclusion.get('headline', '')}"
    said = " ".join([first["title"], first["sentence"], *first["evidence"], first["remedy"]])
    right = any(w.lower() in said.lower() for w in words)
    return f"{case:<22} {half:<7} {'yes' if right else 'no':<5} {first['rule']}: {first['sentence']}"


if __name__ == "__main__":
    case, half, result, errors, accept = sys.argv[1:]
    words = [w.strip().strip('"') for w in accept.split("#")[0].strip().strip("[]").split(",")]
    print(line(case, half, result, errors, [w for w in words if w]), flush=True)
