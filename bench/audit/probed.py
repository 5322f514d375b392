#!/usr/bin/env python3
"""Holds the rules against JDKs that are tried, and writes docs/audit-probed.md.

Usage: bench/audit/probed.py JDK [JDK...]      folders of JDKs: /usr/lib/jvm/java-17 /usr/lib/jvm/java-25

Each option of the JVM that a rule names is judged twice for each JDK: by the rules alone, and tried, one start each ("java OPTION
-version"). A flag takes its default of a JDK that knows it as its value, so that the flag is tried and not the value. What
writes a file, loads code or runs a command is not tried. Some 300 starts a JDK, a minute of CPU time.
"""
import json, pathlib, re, subprocess, sys, tempfile

HOME = pathlib.Path(__file__).resolve().parents[2]
RULES = HOME / "model/src/main/resources/dev/fettle/model/audit/jvm.yaml"
SIZES = {"LargePageSizeInBytes": "2m"}  # its default, 0, stands for any and can't be written
EACH = 100  # fettle audit tries no more than 120 of a file


def names():
    return re.findall(r'^"?((?:-X|-D|-s|-d|-v|--i|--e)[^"\n]*?)"?:$', RULES.read_text(encoding="utf-8"), re.M)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def flags(jdk):
    out = run(str(jdk / "bin/java"), "-XX:+UnlockExperimentalVMOptions", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-version").stdout
    return {m[1]: (m[0], m[2]) for m in re.findall(r"^\s*(\w+)\s+(\w+)\s+=\s*(\S*)\s+\{", out, re.M)}


def option(name, known):
    if not name.startswith("-XX:"):
        return {"-Xms": "-Xms64m", "-Xmx": "-Xmx512m", "-Xmn": "-Xmn16m", "-Xss": "-Xss1m"}.get(name, name)
    flag = name[4:]
    if flag in SIZES:
        return f"-XX:{flag}={SIZES[flag]}"
    kind, value = next((k[flag] for k in known if flag in k), ("bool", ""))
    if kind == "bool":
        return "-XX:+" + flag
    return f"-XX:{flag}={value}" if value else None


def audit(options, jdk, *more):
    found = {}
    for i in range(0, len(options), EACH):
        with tempfile.NamedTemporaryFile("w", suffix=".options") as f:
            f.write("-XX:+UnlockExperimentalVMOptions\n-XX:+UnlockDiagnosticVMOptions\n" + "\n".join(options[i:i + EACH]) + "\n")
            f.flush()
            done = run(str(HOME / "fettle"), "audit", f.name, "--json", "--all", "--jdk", str(jdk), *more)
            if done.returncode:
                sys.exit(done.stderr)
            for x in json.loads(done.stdout)["findings"]:
                if x.get("rule") and not x["rule"].startswith("together-"):
                    found.setdefault(x["setting"], x)
    return found


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    jdks = [pathlib.Path(j) for j in sys.argv[1:]]
    known = [flags(j) for j in jdks]
    versions = [re.search(r'version "([^"]+)"', run(str(j / "bin/java"), "-version").stderr)[1] for j in jdks]
    options = [o for o in (option(n, known) for n in names()) if o]
    remembered = [audit(options, j, "--no-probe") for j in jdks]
    tried = [audit(options, j) for j in jdks]
    rows, counts, differ = [], [[0, 0] for _ in jdks], []
    for n in names():
        cells, any_probed = [], False
        for i in range(len(jdks)):
            r, t = remembered[i].get(n), tried[i].get(n)
            if r is None or t is None:
                cells += ["", ""]
                continue
            probed = t["basis"] == "probed"
            counts[i][0] += probed
            same = r["verdict"] == t["verdict"]
            counts[i][1] += probed and same
            any_probed |= probed
            cells += [r["verdict"], t["verdict"] if probed else "takes it" if r["verdict"] in ("situational", "default", "valid", "no-effect", "dangerous") else "–"]
            if not same:
                differ.append(f"- `{n}` on JDK {versions[i]}: remembered {r['verdict']}, tried {t['verdict']}: {t['why']}")
        rows.append(f"| `{n}` | " + " | ".join(cells) + " |")
    head = "| option |" + "".join(f" remembered, JDK {v} | tried, JDK {v} |" for v in versions)
    text = ["# Remembered and tried: options of the JVM", "",
            "Written by `bench/audit/probed.py`. Each option of [the rules](audit-rules.md) is judged by what is known of it, and tried on the JDK itself. "
            "*takes it*: the JDK starts with it and says nothing, which does not say what it is worth, so the rule's verdict stands. "
            "*–*: not tried, since it would write a file, load code or run a command.", ""]
    for v, c in zip(versions, counts):
        text.append(f"JDK {v}: of {len(rows)} options, {c[0]} verdicts were decided or confirmed by trying; {c[1]} of them are what was remembered, {c[0] - c[1]} are not.")
        text.append("")
    text += ["## Where they differ", ""] + (differ or ["Nowhere."]) + ["", "## All", "", head, "|---|" + "---|" * (2 * len(jdks))] + rows + [""]
    (HOME / "docs/audit-probed.md").write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text[4:4 + 2 * len(jdks)] + differ))


main()
