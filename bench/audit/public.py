#!/usr/bin/env python3
"""Audits public configurations and guides, and writes docs/audit-of-public-configurations.md.

Usage: bench/audit/public.py CLONES

CLONES holds git repositories (bare or not) as OWNER+NAME or OWNER+NAME/repo. Only the settings that were judged are quoted.
"""
import json, pathlib, subprocess, sys, tempfile

HOME = pathlib.Path(__file__).resolve().parents[2]
SOURCES = [  # repository, licence, file, options of fettle audit, what it is
    ("judasn/Linux-Tutorial", "Apache-2.0", "favorite-file/Tomcat-Settings/server.xml", [], "a tuned server.xml"),
    ("judasn/Linux-Tutorial", "Apache-2.0", "markdown-file/Tomcat-Install-And-Settings.md", [], "a guide to Tomcat, Chinese"),
    ("judasn/Linux-Tutorial", "Apache-2.0", "markdown-file/Nginx-Install-And-Settings.md", [], "a guide to nginx, Chinese"),
    ("yangzongzhuan/RuoYi-Vue", "MIT", "ry.sh", [], "start script of a Spring Boot application"),
    ("yangzongzhuan/RuoYi-Vue", "MIT", "ruoyi-admin/src/main/resources/application.yml", [], "Spring Boot, Tomcat tuned"),
    ("h5bp/server-configs-nginx", "MIT", "nginx.conf", [], "nginx boilerplate"),
    ("apache/rocketmq", "Apache-2.0", "distribution/bin/runserver.sh", [], "start script, options by JDK"),
    ("apache/rocketmq", "Apache-2.0", "distribution/bin/runbroker.sh", [], "start script, options by JDK"),
    ("codecentric/helm-charts", "Apache-2.0", "charts/keycloak/README.md", [], "Kubernetes, Keycloak on WildFly and Undertow"),
    ("codecentric/helm-charts", "Apache-2.0", "charts/keycloakx/examples/postgresql/keycloak-server-values.yaml", [], "Helm values"),
    ("jetty/jetty.docker", "Apache-2.0", "amazoncorretto/12.0/jdk17-al2023/Dockerfile", [], "Jetty's own image"),
    ("macrozheng/mall", "Apache-2.0", "document/docker/nginx.conf", [], "nginx in front of Spring Boot"),
    ("macrozheng/mall", "Apache-2.0", "mall-admin/src/main/resources/application-prod.yml", [], "Spring Boot"),
    ("apereo/cas-overlay-template", "Apache-2.0", "Dockerfile", [], "Dockerfile of a Spring Boot application"),
    ("apereo/cas-overlay-template", "Apache-2.0", "helm/cas-server/values.yaml", [], "Helm values"),
    ("alibaba/nacos", "Apache-2.0", "distribution/bin/startup.sh", [], "start script, options by JDK"),
    ("alibaba/nacos", "Apache-2.0", "distribution/conf/application.properties", [], "Spring Boot on Tomcat"),
    ("xuxueli/xxl-job", "GPL-3.0", "xxl-job-admin/src/main/resources/application.properties", [], "Spring Boot, Hikari"),
    ("apache/solr-docker", "Apache-2.0", "9.10/Dockerfile", [], "Dockerfile of a server on Jetty"),
    ("Snailclimb/JavaGuide", "Apache-2.0", "docs/java/jvm/jvm-parameters-intro.md", [], "a guide to JVM options, Chinese"),
    ("Snailclimb/JavaGuide", "Apache-2.0", "docs/cs-basics/network/tcp-time-wait.md", [], "a guide to TIME_WAIT, Chinese"),
]
GRAVE = ("fatal", "removed", "dangerous", "wrong", "typo", "renamed", "no effect", "lowers the default", "no-effect", "lowers")


def clone(clones, repository):
    folder = clones / repository.replace("/", "+")
    return folder / "repo" if (folder / "repo").is_dir() else folder


def git(folder, *arguments):
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True).stdout


def audit(path, options):
    done = subprocess.run([str(HOME / "fettle"), "audit", str(path), "--json", *options], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip()
    return json.loads(done.stdout), ""


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if len(sys.argv) == 2 else 2)
    clones = pathlib.Path(sys.argv[1])
    out, table, total, findings = [], [], 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        for repository, licence, file, options, about in SOURCES:
            folder = clone(clones, repository)
            try:
                text = git(folder, "show", "HEAD:" + file)
                commit = git(folder, "log", "-1", "--format=%h %cs").decode().strip()
            except (subprocess.CalledProcessError, FileNotFoundError) as e:
                print("left out:", repository, file, e, file=sys.stderr)
                continue
            path = pathlib.Path(scratch) / pathlib.Path(file).name
            path.write_bytes(text)
            answer, error = audit(path, options)
            path.unlink()
            if answer is None:
                print("not read:", repository, file, error, file=sys.stderr)
                continue
            rows = [f for f in answer["findings"] if f["verdict"] not in ("unknown", "valid")]
            known = [f for f in answer["findings"] if f["verdict"] != "unknown"]
            grave = [f for f in rows if f["verdict"] in GRAVE]
            total += len(known)
            findings += len(rows)
            table.append(f"| [{repository}](https://github.com/{repository}) `{file}` ({about}) | {commit} | {licence} | "
                         f"{len(known)} | {len(rows)} | {len(grave)} |")
            out.append(f"\n## {repository}: {file}\n\n{about[0].upper()}{about[1:]}.\n")
            if not rows:
                out.append("\nNothing to say.\n")
                continue
            out.append("\n| setting | line | verdict | why | known by |\n|---|---|---|---|---|\n")
            for f in rows:
                setting = f["setting"] + (("=" + f["value"]) if f.get("value") else "")
                out.append(f"| `{cell(setting)}` | {f.get('line', '')} | {f['verdict']} | {cell(f['why'])} | {f['basis']} |\n")
    page = ["# Public configurations, audited\n",
            "\nWritten by `bench/audit/public.py` from clones of public repositories, judged for the machine it ran on (Linux 6.18,"
            " JDK 25, Tomcat 11.0.24). Settings that are right as they are, or not known, are left out; only what was judged is"
            " quoted. A file that is right on the JDK or the server it was written for can be wrong here: `--jdk`, `--kernel` and"
            " `--server` judge for another.\n\n",
            "| file | commit | licence | settings known | rows | harmful, void or gone |\n|---|---|---|---|---|---|\n",
            "\n".join(table), f"\n\nTogether: {len(table)} files, {total} settings, {findings} rows.\n", *out]
    (HOME / "docs/audit-of-public-configurations.md").write_text("".join(page))
    print(f"{len(table)} files, {total} settings, {findings} rows")


main()
