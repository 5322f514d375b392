package dev.fettle.model;

import dev.fettle.model.knob.ServerKind;
import java.util.List;
import java.util.stream.Stream;

/** Plans with one mistake each, and what is said about it. */
public final class BadPlans {

    /**
     * One bad plan.
     *
     * @param problems all that is wrong, without the file's name
     * @param schema whether the JSON Schema refuses it too; it knows nothing of what follows from two values
     */
    public record Bad(String yaml, List<String> problems, boolean schema) {
        @Override
        public String toString() {
            return problems.getFirst();
        }
    }

    private static final String KNOBS = "(all of them: fettle knobs)";

    private static final String HEAD = """
      name: p
      target: {server: tomcat, app: work}
      load: {connections: 10}
      """;
    private static final String JETTY = HEAD.replace("tomcat", "jetty");
    private static final String UNDERTOW = HEAD.replace("tomcat", "undertow");
    private static final String COMMAND = """
      name: p
      load: {connections: 10}
      target:
        command: ["{java}", "{jvm}", "--port={port}", [-t, "{threads.max}"]]
      """;

    private static final String CAPACITY = "objective: {maximize: capacity, limits: {p99: 50ms}}\n";

    private BadPlans() {}

    public static Stream<Bad> all() {
        return Stream.of(
                        shape(),
                        targets(),
                        commands(),
                        templates(),
                        hooks(),
                        jdks(),
                        loads(),
                        openLoads(),
                        wires(),
                        scenarios(),
                        knobs(),
                        experiments(),
                        constraints())
                .flatMap(s -> s);
    }

    private static Stream<Bad> shape() {
        return Stream.of(
                both("", "1:1: the plan is empty: it needs name, target and load"),
                both("42", "1:1: a plan is a mapping (key: value), not '42'"),
                both("- a\n", "1:1: a plan is a mapping (key: value), not a list"),
                both(
                        "name: p\nload: {connections: 1}\n",
                        "1:1: a plan needs 'target', for example target: {server: tomcat, app: hello}"),
                both(
                        HEAD + "buget: {trials: 5}\n",
                        "4:1: unknown key 'buget'; did you mean 'budget'? (allowed here: name, about, target, load, own, hold, knobs,"
                                + " hosts, objective, budget, slo, sweep, compare, hooks, seed, live-page)"),
                both(
                        HEAD.replace("connections", "conections"),
                        "3:8: unknown key 'conections'; did you mean 'connections'? (allowed here: connections, keep-alive,"
                                + " request, expect, timeout, warm-up, measure, threads, from, think, rate, arrivals, stages, seed,"
                                + " protocol, in-flight, tls, transport, trace, sources, scenario)"),
                reader(
                        HEAD + "slo: p99>50ms\n",
                        "4:6: slo: 'p99>50ms' says what is bad: an SLO says what is good, p99<50ms"),
                reader(
                        HEAD + "slo: p99<50ms, p98<1s\n",
                        "4:6: slo: 'p98' is no figure: there are p50, p75, p90, p95, p99, p99.9, p99.99, max, mean, errors,"
                                + " throughput (at position 11)"),
                both(
                        HEAD + "zzz: 1\n",
                        "4:1: unknown key 'zzz' (allowed here: name, about, target, load, own, hold, knobs, hosts, objective, budget, slo,"
                                + " sweep, compare, hooks, seed, live-page)"),
                reader(HEAD + "hold: {backlog: 1, backlog: 2}\n", "4:20: 'backlog' appears twice, first in line 4"),
                both(HEAD + "hold:\n", "4:1: 'hold' has no value"),
                reader(HEAD + "? [a]\n: 1\n", "4:3: a key of a plan is plain text, not a list"),
                both(
                        HEAD.replace("name: p", "name: ../p"),
                        "1:7: name is up to 64 letters, digits, '.', '_' and '-', starting with a letter or digit"),
                reader(HEAD + "about: &a text\n", "4:8: anchors are not supported: leave &a out"),
                reader(
                        "name: &a p\nabout: *a\n",
                        "1:7: anchors are not supported: leave &a out",
                        "2:8: aliases are not supported: write the value out in place of *a"),
                reader(
                        HEAD + "about: !!javax.script.ScriptEngineManager [x]\n",
                        "4:8: tags are not supported: leave the '!' word out, or quote the value"),
                reader(
                        HEAD + "---\n" + HEAD,
                        "4:1: a second document begins here, and the file is to hold one: leave the '---' out, or put it into a"
                                + " file of its own"),
                reader(
                        "name: p\n\tload: {}\n",
                        "2:1: not YAML: found character '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB) for indentation)"),
                reader("name: p\nabout: a\u0001b\n", "2:9: not YAML: control character U+0001"),
                reader(HEAD + "about: " + "[".repeat(30), "4:27: nested more than 20 deep"),
                reader("name: [\n", "2:1: not YAML: expected the node content, but found '<stream end>'"),
                both(HEAD + "seed: -1\n", "4:7: seed is a whole number from 0, not '-1'"));
    }

    private static Stream<Bad> targets() {
        return Stream.of(
                target("hello", "2:9: target is a mapping (key: value), not 'hello'"),
                target(
                        "{app: hello}",
                        "2:9: target needs 'server' (an embedded server), 'standalone' (a server's distribution), 'boot' (a Spring"
                                + " Boot jar), 'command' (a program to start), 'pid' (a process that runs already) or 'url' (already"
                                + " up)"),
                target(
                        "{server: tomcatt, app: hello}",
                        "2:18: server is one of " + String.join(", ", ServerKind.ids())
                                + ", not 'tomcatt'; did you mean 'tomcat'?"),
                target("{server: tomcat}", "2:9: an embedded target needs 'app', for example app: hello"),
                target(
                        "{server: tomcat, app: helo}",
                        "2:31: app is one of hello, work, payload, static, login, not 'helo'; did you mean 'hello'?"),
                target(
                        "{server: tomcat, url: 'http://127.0.0.1:1'}",
                        "2:26: a target has either 'server' or 'url', not both"),
                target(
                        "{server: tomcat, app: work, option: {cpu: 1ms}}",
                        "2:37: unknown key 'option'; did you mean 'options'? (allowed here: server, app, options, backend, java, jvm)"),
                target(
                        "{server: tomcat, app: work, war: shop.war}",
                        "2:37: an embedded server has either 'app' (a sample app) or 'war', not both"),
                reader(
                        targetOf("{server: tomcat, app: hello, options: {cpu: 1ms}}"),
                        "2:48: the hello app has no option 'cpu'; it has session"),
                reader(
                        targetOf("{server: tomcat, app: payload, options: {cpu: 1ms}}"),
                        "2:50: the payload app has no option 'cpu'; it has bytes, type"),
                target(
                        "{server: tomcat, app: work, options: {cpu: 3}}",
                        "2:52: cpu: duration needs a unit: 50ms, 4s, 2m"),
                target(
                        "{server: tomcat, app: payload, options: {bytes: 2x}}",
                        "2:57: bytes: '2x' is not a size: write 1892, 64k, 512m, 2g"),
                reader(
                        targetOf("{server: tomcat, app: hello, backend: {delay: 1ms}}"),
                        "2:38: the hello app calls no backend; only login does"),
                target(
                        "{server: tomcat, app: login, backend: {delay: 50}}",
                        "2:55: delay: duration needs a unit: 50ms, 4s, 2m"),
                reader(targetOf("{server: tomcat, app: hello, java: 8}"), "2:44: java 8 is too old: at least 17"),
                target(
                        "{server: tomcat, app: hello, java: temurin}",
                        "2:44: java is a feature release such as 25, or the home folder of a JDK, not 'temurin'"),
                target("{server: tomcat, app: hello, jvm: [Xmx1g]}", "2:44: a JVM flag starts with '-', not 'Xmx1g'"),
                target("{server: tomcat, app: hello, jvm: -Xmx1g}", "2:43: jvm is a list, not '-Xmx1g'"),
                target("{url: 'ftp://127.0.0.1'}", "2:15: url starts with http:// or https://"),
                reader(
                        "name: p\ntarget: {url: 'https://127.0.0.1:1'}\nload: {connections: 1, tls: false}\n",
                        "3:24: tls: the target's url begins with https://, so it is on: leave it out, or say ca, insecure or"
                                + " resume"),
                reader(
                        "name: p\ntarget: {pid: 17, url: 'http://127.0.0.1:1'}\nload: {tls: true, connections: 1}\n",
                        "3:8: tls: the target's url begins with http://; with TLS it is https://"),
                target(
                        "{url: 'http://127.0.0.1:80/app'}",
                        "2:15: url is only http[s]://host:port; the path goes into load.request.path"),
                reader(
                        targetOf("{url: 'http://127.0.0.1:0'}"),
                        "2:15: url needs a host and a port from 1 to 65535: http://127.0.0.1:8080"),
                reader(
                        targetOf("{url: 'http://me:pw@127.0.0.1:1'}"),
                        "2:15: a name and password in the url are not sent: say load.request.headers: {Authorization: Basic …}"),
                target("{pid: 0}", "2:15: pid is a whole number from 1 to 4194304, not '0'"),
                target("{pid: 17, live: 1}", "2:25: live is true or false, not '1'"),
                target("{pid: 17, command: [a]}", "2:10: a target has either 'command' or 'pid', not both"),
                target("{pid: 17, jvm: [-Xmx1g]}", "2:19: unknown key 'jvm' (allowed here: pid, url, live, agent)"),
                target(
                        "{pid: 17, url: 'http://127.0.0.1:80/app'}",
                        "2:24: url is only http[s]://host:port; the path goes into load.request.path"),
                reader(
                        targetOf("{pid: 17}") + "hold: {threads.max: 50}\n",
                        "4:21: threads.max cannot be set: process 17 is only watched; 'live: true' (--live) lets Fettle set"
                                + " live knobs in it, and put them back"),
                reader(
                        targetOf("{pid: 17, live: true}") + "knobs: {jvm.heap: [64m, 128m]}\n",
                        "4:20: jvm.heap cannot be set: it needs a restart, and Fettle did not start process 17"),
                target("{url: 'http://a b'}", "2:15: url is not a URL: Illegal character in authority"));
    }

    private static Stream<Bad> templates() {
        return Stream.of(
                both(
                        COMMAND + "  templates: {../x: y}\n",
                        "5:15: '../x' is not a relative path inside the trial's folder: no '..', not absolute"),
                reader(
                        COMMAND + "  templates: {a: 'n={threads.mx}'}\n",
                        "5:18: unknown placeholder {threads.mx}; did you mean {threads.max}? (known: {port}, {java}, {jvm}, {dir},"
                                + " {artifact:NAME}, {port:NAME} and knobs); for the characters themselves write {{threads.mx}}"),
                reader(
                        COMMAND + "  templates: {a: 'j={jvm}'}\n",
                        "5:18: {jvm} stands for several arguments: give it a line of its own in the command"),
                reader(COMMAND + "  files: {a: x}\n  templates: {a: y}\n", "5:11: 'a' is in templates, too"),
                reader(COMMAND + "  templates: {a: {from: no-such-file.in}}\n", "5:25: no-such-file.in: no such file"),
                both(
                        COMMAND + "  templates: {a: {form: x}}\n",
                        "5:19: unknown key 'form'; did you mean 'from'? (allowed here: from)"));
    }

    private static Stream<Bad> hooks() {
        return Stream.of(
                tail("hooks: {}", "4:8: hooks needs 'before' or 'after'"),
                tail("hooks: {before: {run: [a]}}", "4:17: before is a list, not a mapping"),
                tail("hooks: {before: [redis-server]}", "4:18: a hook is a mapping (key: value), not 'redis-server'"),
                tail(
                        "hooks: {before: [{background: true}]}",
                        "4:18: a hook needs 'run', for example run: [redis-cli, flushall]"),
                tail(
                        "hooks: {before: [{run: redis-server --port 1}]}",
                        "4:24: run is a list, not 'redis-server --port 1'"),
                tail("hooks: {before: [{run: []}]}", "4:24: run is empty"),
                tail(
                        "hooks: {before: [{run: [a], exit: 0, background: true}]}",
                        "4:29: exit has no effect: a hook in the background does not end by itself"),
                tail(
                        "hooks: {after: [{run: [a], background: true}]}",
                        "4:28: unknown key 'background' (allowed here: run, env, within, exit, scope)"),
                tail("hooks: {after: [{run: [a], scope: once}]}", "4:35: scope is one of trial, run, not 'once'"),
                tail("hooks: {after: [{run: [a], within: 5}]}", "4:36: within: duration needs a unit: 50ms, 4s, 2m"),
                reader(HEAD + "hooks: {after: [{run: [a], within: 1h}]}\n", "4:36: within lies between 1ms and 10m"),
                tail(
                        "hooks: {after: [{run: [a], exit: 256}]}",
                        "4:34: exit is a whole number from 0 to 255, not '256'"),
                tail(
                        "hooks: {after: [{run: [a], env: {a b: c}}]}",
                        "4:34: 'a b' is not a name of an environment variable"),
                tail(
                        "hooks: {before: [{run: [a], ready: {tcp: 'x:1', log: up}}]}",
                        "4:36: ready is one of tcp, http, log and run, for example {tcp: '127.0.0.1:{port:redis}'}"),
                tail(
                        "hooks: {before: [{run: [a], ready: {log: up, status: 200}}]}",
                        "4:46: status has no effect without 'http'"),
                tail(
                        "hooks: {before: [{run: [a], ready: {tcp: 6379}}]}",
                        "4:42: tcp is HOST:PORT, for example '127.0.0.1:{port:redis}', not '6379'"),
                tail(
                        "hooks: {before: [{run: [a], ready: {http: '127.0.0.1'}}]}",
                        "4:43: http is a URL: http://127.0.0.1:{port:web}/health, not '127.0.0.1'"),
                reader(
                        HEAD + "hooks: {before: [{run: ['{threads.mx}']}]}\n",
                        "4:25: unknown placeholder {threads.mx}; did you mean {threads.max}? (known in a hook: {dir}, {plan},"
                                + " {java}, {port:NAME} and knobs)"),
                reader(
                        HEAD + "hooks: {before: [{run: [a, '{threads.max}'], scope: run}]}\n",
                        "4:28: {threads.max} differs by trial, and this hook runs once"),
                reader(
                        HEAD + "hooks: {before: [{run: [a, '{port:6379}']}]}\n",
                        "4:28: {port:6379}: a port's name is letters, digits, '_' and '-'"),
                reader(
                        COMMAND.replace("{threads.max}", "{port:redsi}")
                                + "hooks: {before: [{run: [a, '{port:redis}']}]}\n",
                        "4:54: {port:redsi}: no hook has it; did you mean {port:redis}?"));
    }

    private static Stream<Bad> jdks() {
        String several =
                "several JDKs are the variants of a 'compare' that has no 'variants': add compare: {pairs: 5}, or name one"
                        + " JDK here and put jvm.java into knobs, a grid or the variants";
        return Stream.of(
                reader(targetOf("{server: tomcat, app: hello, java: [17, 25]}"), "2:38: " + several),
                reader(
                        targetOf("{server: tomcat, app: hello, java: [17, 25]}")
                                + "compare: {variants: {a: {java: 17}, b: {java: 25}}}\n",
                        "2:38: " + several),
                reader(
                        targetOf("{server: tomcat, app: hello, java: [17, 17, 25]}") + "compare: {pairs: 2}\n",
                        "2:49: 17 is listed twice"),
                reader(
                        targetOf("{server: tomcat, app: hello, java: [17]}") + "compare: {pairs: 2}\n",
                        "2:44: java: one JDK needs no list; several are compared"),
                both(
                        targetOf("{server: tomcat, app: hello}")
                                + "compare: {variants: {a: {java: [17, 25]}, b: {}}}\n",
                        "4:32: java is text, not a list"),
                both(
                        HEAD + "hold: {jvm.java: temurin}\n",
                        "4:18: jvm.java is a feature release such as 25, or the home folder of a JDK from / on, not 'temurin'"),
                reader(
                        HEAD + "hold: {jvm.java: 11}\n",
                        "4:18: jvm.java=11 is too old: an embedded server needs Java 17 or newer"),
                reader(
                        HEAD + "hold: {jvm.java: 17, threads.virtual: true}\n",
                        "4:39: threads.virtual=true needs Java 21 or newer, and this is Java 17"),
                reader(
                        HEAD + "hold: {jvm.java: 21, jvm.headers.compact: true}\n",
                        "4:43: jvm.headers.compact does not exist in Java 21: it is in Java 24 and newer"),
                reader(
                        HEAD + "knobs: {jvm.java: {from: 17, to: 25}}\n",
                        "4:19: jvm.java has no interval: give a list of values"),
                reader(
                        COMMAND.replace("{java}", "x") + "hold: {jvm.java: 17}\n",
                        "5:18: jvm.java: nothing would change, {java} is not in the command"),
                reader(
                        "name: p\nload: {connections: 1}\ntarget: {standalone: tomcat, version: 10.1.59, war: examples}\n"
                                + "hold: {jvm.java: 8}\n",
                        "4:18: jvm.java=8 is too old: tomcat 10.1.59/examples needs Java 11 or newer"));
    }

    private static Stream<Bad> commands() {
        return Stream.of(
                reader(
                        COMMAND.replace("{threads.max}", "{threads.mx}"),
                        "4:54: unknown placeholder {threads.mx}; did you mean {threads.max}?"
                                + " (known: {port}, {java}, {jvm}, {dir}, {artifact:NAME}, {port:NAME} and knobs)"),
                reader(
                        COMMAND.replace("{port}", "1"),
                        "4:3: nothing gives the program its port: put {port} into the command, env or templates"),
                reader(
                        COMMAND.replace("{port}", "{port}{jvm}"),
                        "4:32: {jvm} stands for several arguments: give it a line of its own in the command"),
                reader(COMMAND.replace("{java}", "{artifact:a}"), "4:13: {artifact:a}: there is no 'a' in artifacts"),
                reader(
                        COMMAND + "  artifacts: {a: 'g:a:1'}\n",
                        "5:3: artifact 'a' is not used: put {artifact:a} into the command"),
                both(
                        COMMAND.replace("{java}", "{artifact:a}") + "  artifacts: {a: 'g:a'}\n",
                        "5:18: an artifact is group:artifact:version, not 'g:a'"),
                reader(
                        COMMAND.replace("{jvm}", "-x") + "  jvm: [-Xmx1g]\n",
                        "5:3: jvm has no effect: {jvm} is not in the command"),
                reader(
                        COMMAND.replace("{java}", "x") + "  java: 25\n",
                        "5:3: java has no effect: {java} is not in the command"),
                both(
                        COMMAND + "  files: {../x: y}\n",
                        "5:11: '../x' is not a relative path inside the trial's folder: no '..', not absolute"),
                both(
                        COMMAND + "  files: {/etc/x: y}\n",
                        "5:11: '/etc/x' is not a relative path inside the trial's folder: no '..', not absolute"),
                both(
                        COMMAND + "  files: {a/../../x: y}\n",
                        "5:11: 'a/../../x' is not a relative path inside the trial's folder: no '..', not absolute"),
                both(COMMAND + "  files: {a: [b]}\n", "5:14: a is text, not a list"),
                both(COMMAND + "  env: {a=b: c}\n", "5:9: 'a=b' is not a name of an environment variable"),
                reader(
                        COMMAND + "  defaults: {backlog: 5}\n",
                        "5:14: backlog has a default, but {backlog} is not in the command"),
                both(COMMAND.replaceAll("\\[\"\\{java.*", "[]"), "4:12: command is empty"),
                reader(
                        COMMAND + "knobs: {backlog: {from: 10, to: 100}}\n",
                        "5:25: backlog: nothing would change, {backlog} is not in the command"),
                reader(
                        COMMAND.replace("\"{jvm}\", ", "") + "hold: {jvm.gc: g1}\n",
                        "5:16: jvm.gc: nothing would change, {jvm} is not in the command"),
                reader(
                        COMMAND + "  defaults: {threads.max: 25}\n".replace("25", "ten"),
                        "5:27: threads.max is a whole number from 1 to 20000, not 'ten'"));
    }

    private static Stream<Bad> loads() {
        return Stream.of(
                load("{}", "3:7: load needs 'connections', for example connections: 100"),
                load("{think: 1s}", "3:7: load needs 'connections', for example connections: 100"),
                load("{connections: many}", "3:21: connections is a whole number from 1 to 60000, not 'many'"),
                load("{connections: \"5\"}", "3:21: connections is a whole number from 1 to 60000, not the text \"5\""),
                load("{connections: 70000}", "3:21: connections is a whole number from 1 to 60000, not '70000'"),
                load(
                        "{connections: 5, keep-alive: 'true'}",
                        "3:36: keep-alive is true or false, not the text \"true\""),
                load("{connections: 5, timeout: 10}", "3:33: timeout: duration needs a unit: 50ms, 4s, 2m"),
                load(
                        "{connections: 5, timeout: 10 sec}",
                        "3:33: timeout: '10 sec' is not a duration: write 50ms, 4s, 2m"),
                reader(loadOf("{connections: 5, measure: 1ms}"), "3:33: measure lies between 100ms and 1h"),
                reader(loadOf("{connections: 5, threads: 6}"), "3:24: threads: 6 for 5 connections"),
                load("{connections: 5, request: {path: x}}", "3:40: a path starts with '/' and holds no blanks: 'x'"),
                load(
                        "{connections: 5, request: {path: 'x?a=b&token=hunter2'}}",
                        "3:40: a path starts with '/' and holds no blanks: 'x?a=b&token=***'"),
                load(
                        "{connections: 5, request: {method: get}}",
                        "3:42: method is one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, not 'get'; did you mean 'GET'?"),
                load(
                        "{connections: 5, request: {headers: {Connection: close}}}",
                        "3:44: header Connection is set by Fettle: use load.keep-alive"),
                load("{connections: 5, request: {headers: {'a b': c}}}", "3:44: 'a b' is not a header name"),
                reader(
                        loadOf("{connections: 5, request: {headers: {A: \"b\\r\\nc\"}}}"),
                        "3:47: header A: no line breaks or control characters"),
                load(
                        "{connections: 5, expect: {status: 700}}",
                        "3:41: status is a whole number from 200 to 599, not '700'"),
                load(
                        "{connections: 5, expect: {contain: x}}",
                        "3:33: unknown key 'contain'; did you mean 'contains'? (allowed here: status, length, contains, echo)"));
    }

    private static Stream<Bad> openLoads() {
        String open = "{connections: 5, rate: 9/s}";
        return Stream.of(
                load("{connections: 5, rate: fast}", "3:30: rate: 'fast' is not a rate: write 2500/s, 2.5k/s or 90/m"),
                load("{connections: 5, rate: 0}", "3:30: rate: a rate is over 0 and at most 10,000,000/s, not '0'"),
                load(
                        "{connections: 5, rate: 9/s, think: 1s}",
                        "3:35: an open load sends on its schedule, so there is no think time: leave out 'think' or the rate"),
                load(
                        "{connections: 5, rate: 9/s, stages: [{rate: 9/s, for: 1s}]}",
                        "3:35: a load has either 'rate' or 'stages', not both"),
                reader(
                        loadOf("{connections: 5, arrivals: poisson}"),
                        "3:24: 'arrivals' belongs to an open load: give it a 'rate' or 'stages'"),
                reader(
                        loadOf("{connections: 5, rate: 9, seed: 3}"),
                        "3:33: 'seed' is of use only with arrivals: poisson"),
                load("{connections: 5, stages: []}", "3:32: stages is empty"),
                load("{connections: 5, stages: [{rate: 9}]}", "3:33: a stage needs 'for', for example for: 10s"),
                load(
                        "{connections: 5, stages: [{from: 9, for: 1s}]}",
                        "3:33: a stage needs 'to', for example to: 2000/s"),
                load(
                        "{connections: 5, stages: [{rate: 9, to: 10, for: 1s}]}",
                        "3:34: a stage has either 'rate', or 'from' and 'to'"),
                load(
                        "{connections: 5, stages: [{rate: 9, for: 1s, bursts: 2}]}",
                        "3:52: unknown key 'bursts'; did you mean 'burst'? (allowed here: rate, from, to, for, burst)"),
                reader(
                        loadOf("{connections: 5, stages: [{rate: 0, for: 1s}]}"),
                        "3:32: no stage has a rate above 0, so nothing would be sent"),
                reader(
                        loadOf(open) + "sweep: {grid: {threads.max: [8, 9]}}\nobjective: {maximize: throughput}\n",
                        "5:1: the throughput of an open load is the rate that is offered, whatever the setting:"
                                + " use objective: {minimize: p99}, or a closed load"),
                reader(
                        loadOf("{connections: 5, stages: [{from: 1, to: 9, for: 1s}]}")
                                + "knobs: {threads.max: [8, 9]}\nobjective: {minimize: p99}\n",
                        "3:1: a trial measures a steady load: one rate, not stages that change it"));
    }

    private static Stream<Bad> wires() {
        return Stream.of(
                load(
                        "{connections: 5, protocol: http/2}",
                        "3:34: protocol is one of http/1.1, h2, websocket, websocket-binary, not 'http/2'; did you mean 'http/1.1'?"),
                reader(
                        loadOf("{connections: 5, protocol: websocket}"),
                        "3:24: a WebSocket needs a message to send: request: {path: /echo, body: hello}"),
                reader(
                        loadOf("{connections: 5, expect: {echo: true}}"),
                        "3:24: expect.echo is of WebSockets: protocol: websocket"),
                reader(
                        loadOf("{connections: 5, protocol: h2, keep-alive: false}"),
                        "3:24: h2 carries all requests over one connection: keep-alive: true"),
                reader(
                        loadOf("{connections: 5, in-flight: 4, keep-alive: false}"),
                        "3:24: several requests in flight on one connection need keep-alive: true"),
                load("{connections: 5, in-flight: 0}", "3:35: in-flight is a whole number from 1 to 10000, not '0'"),
                load(
                        "{connections: 5, transport: epoll}",
                        "3:35: transport is one of auto, nio, io_uring, not 'epoll'"),
                reader(loadOf("{connections: 5, tls: no}"), "3:29: tls is true or false, not 'no'"),
                reader(loadOf("{connections: 5, tls: {ca: /no/such.pem}}"), "3:34: ca: no such file: /no/such.pem"),
                load(
                        "{connections: 5, sources: [10.0.0.1]}",
                        "3:34: sources are addresses of this machine's loopback, such as 127.0.0.2, not '10.0.0.1'"),
                load("{connections: 5, sources: [127.0.0.2, 127.0.0.2]}", "3:45: 127.0.0.2 is listed twice"),
                reader(
                        "name: x\ntarget: {url: 'http://127.0.0.1:1'}\nload: {connections: 5, from: [g, g]}\nhosts: {g: {ssh: a}}\n",
                        "3:34: g is listed twice"),
                reader(
                        "name: x\ntarget: {url: 'http://127.0.0.1:1'}\nload: {connections: 5, from: [g]}\nhosts: {gen: {ssh: a}}\n",
                        "3:24: there is no host 'g' in the plan: hosts: {g: {ssh: USER@HOST}}"),
                reader(
                        "name: x\ntarget: {url: 'http://127.0.0.1:1'}\nload: {connections: 5, from: [g, h]}\n"
                                + "hosts: {g: {ssh: a}, h: {ssh: a}}\n",
                        "3:24: 'h' is a machine that sends a part already"),
                reader(
                        "name: x\ntarget: {url: 'http://127.0.0.1:1'}\nload: {connections: 1, from: [g, h]}\n"
                                + "hosts: {g: {ssh: a}, h: {ssh: b}}\n",
                        "3:24: 2 hosts for 1 connections"),
                reader(
                        "name: x\ntarget: {server: tomcat, app: hello}\nload: {connections: 5, from: [g]}\nhosts: {g: {ssh: a}}\n",
                        "3:24: other machines can't load a target that Fettle launches: it listens on this machine's loopback. Start"
                                + " it yourself, and name it: target: {url: …}"),
                reader(
                        "name: x\ntarget: {url: 'http://127.0.0.1:1'}\nload: {connections: 5}\nhosts: {g: {ssh: '-oProxyCommand=id'}}\n",
                        "4:18: ssh is HOST, USER@HOST, ssh://USER@HOST:PORT, or a name of your ssh configuration, not"
                                + " '-oProxyCommand=id'"));
    }

    private static Stream<Bad> scenarios() {
        return Stream.of(
                scenario("{}", "5:13: a scenario needs 'steps', for example steps: [{name: page, path: /}]"),
                scenario("{steps: []}", "5:21: steps is empty"),
                scenario(
                        "{step: []}",
                        "5:14: unknown key 'step'; did you mean 'steps'? (allowed here: data, variables, keep-cookies, seed,"
                                + " steps, flows)"),
                scenario(
                        "{steps: [{name: a, path: /}], flows: {x: {steps: [{name: a, path: /}]}}}",
                        "5:43: a scenario has either 'steps' or several 'flows' of them, not both"),
                scenario(
                        "{flows: {x: {weight: 0, steps: [{name: a, path: /}]}}}",
                        "5:34: weight is a whole number from 1 to 1000000, not '0'"),
                step("{name: a}", "6:7: a step needs 'path', for example path: /"),
                step("{path: /}", "6:7: a step needs 'name', for example name: log in"),
                step("{name: 'a;b', path: /}", "6:14: a step's name is up to 60 letters, digits, blanks and ._/:-"),
                step(
                        "{name: a, path: x}",
                        "6:23: a path starts with '/' (or with a value that is one: ${name|path}) and holds no blanks: 'x'"),
                step(
                        "{name: a, path: 'http://me:hunter2@h/'}",
                        "6:23: a path starts with '/' (or with a value that is one: ${name|path}) and holds no blanks:"
                                + " 'http://***@h/'"),
                readStep(
                        "{name: a, path: '/${id}'}",
                        "6:23: ${id} has no value here: it is neither a variable, nor a column of the data, nor taken from an"
                                + " answer by a step before this one"),
                readStep(
                        "{name: a, path: '/${user|upper}'}",
                        "6:23: no filter 'upper': raw, url, json and path are there"),
                readStep(
                        "{name: a, path: /, body: '${user'}",
                        "6:32: '${' without '}' (for the characters themselves write $${)"),
                step("{name: a, path: /, body: x, form: {a: b}}", "6:26: a step has either 'form' or 'body', not both"),
                step(
                        "{name: a, path: /, headers: {Content-Length: 5}}",
                        "6:36: header Content-Length is set by Fettle: it follows from the body"),
                step(
                        "{name: a, path: /, expect: {status: 3xx}}",
                        "6:43: status is a whole number from 200 to 599, not '3xx'"),
                readStep(
                        "{name: a, path: /, expect: {matches: '('}}",
                        "6:44: '(' is no regular expression: Unclosed group"),
                step(
                        "{name: a, path: /, expect: {json: {id: 5}}}",
                        "6:42: 'id' is no JSON path of members and indexes, such as $.items[0].id"),
                step(
                        "{name: a, path: /, expect: {headers: {ETag: {is: 5}}}}",
                        "6:52: unknown key 'is' (allowed here: matches, present)"),
                step(
                        "{name: a, path: /, extract: {id: {json: '$..id'}}}",
                        "6:47: '$..id' is no JSON path of members and indexes, such as $.items[0].id"),
                step("{name: a, path: /, extract: {id: {}}}", "6:40: extract id needs 'json', 'regex' or 'header'"),
                readStep("{name: a, path: /, extract: {user: {header: ETag}}}", "6:36: ${user} has two sources"),
                step(
                        "{name: a, path: /, extract: {id: {json: $.id, header: ETag}}}",
                        "6:40: a value is taken by 'json', by 'regex', or from a 'header' (perhaps with 'regex')"),
                readStep(
                        "{name: a, path: /, think: 1s}",
                        "6:33: nothing follows the last step; the pause between iterations is load.think"),
                readStep(
                        "{name: a, path: /, think: {from: 2s, to: 1s}}, {name: b, path: /}",
                        "6:44: think: 'to' is shorter than 'from'"),
                readStep("{name: a, path: /}, {name: a, path: /b}", "6:27: two steps of a flow are named 'a'"),
                readStep(
                        "{name: a, method: HEAD, path: /, expect: {contains: x}}",
                        "6:7: the answer to HEAD has no body to look into"),
                scenario(
                        "{steps: [{name: a, path: /}], data: [{file: x.csv, order: shuffled}]}",
                        "5:57: no such file: " + java.nio.file.Path.of("x.csv").toAbsolutePath(),
                        "5:71: order is one of sequential, random, user, not 'shuffled'"),
                reader(
                        scenarioOf("{steps: [{name: a, path: /}]}") + "  in-flight: 2\n",
                        "6:3: a user of a scenario waits for each answer: with http/1.1 in-flight is 1"),
                both(
                        scenarioOf("{steps: [{name: a, path: /}]}") + "  request: {path: /}\n",
                        "6:3: a load has either 'scenario' or 'request': each step says it itself"),
                reader(
                        scenarioOf("{steps: [{name: a, path: /}]}") + "sweep: {grid: {load.path: [/a, /b]}}\n",
                        "3:1: the grid varies load.path, but a scenario's steps have requests of their own"));
    }

    private static String scenarioOf(String scenario) {
        return """
          name: p
          target: {server: tomcat, app: hello}
          load:
            connections: 5
            scenario: %s
          """.formatted(scenario);
    }

    private static Bad scenario(String scenario, String... problems) {
        return both(scenarioOf(scenario), problems);
    }

    private static String stepsOf(String steps) {
        return scenarioOf("{steps: [\n      " + steps + "\n    ]}");
    }

    private static Bad step(String step, String... problems) {
        return both(stepsOf(step), problems);
    }

    private static Bad readStep(String step, String... problems) {
        return reader(stepsOf(step), problems);
    }

    private static Stream<Bad> knobs() {
        return Stream.of(
                tail("hold: {maxThreads: 5}", "4:8: unknown knob 'maxThreads'; did you mean 'threads.max'? " + KNOBS),
                tail("hold: {thread.max: 5}", "4:8: unknown knob 'thread.max'; did you mean 'threads.max'? " + KNOBS),
                tail("hold: {nonsense: 5}", "4:8: unknown knob 'nonsense' " + KNOBS),
                tail("hold: {threads.max: 0}", "4:21: threads.max is a whole number from 1 to 20000, not '0'"),
                tail("hold: {keepalive.timeout: 60}", "4:27: keepalive.timeout: duration needs a unit: 50ms, 4s, 2m"),
                // to YAML 1.1, and so to some validators, "yes" and "on" are true
                reader(HEAD + "hold: {tcp.nodelay: yes}", "4:21: tcp.nodelay is true or false, not 'yes'"),
                tail("hold: {jvm.gc: cms}", "4:16: jvm.gc is one of serial, parallel, g1, z, shenandoah, not 'cms'"),
                tail("hold: {jvm.flags: UseG1}", "4:19: jvm.flags: a JVM flag starts with '-', not 'UseG1'"),
                reader(HEAD + "hold: {jvm.heap: 1m}", "4:18: jvm.heap=1m is out of range: 16m to 512g"),
                tail(
                        "knobs: {threads.max: 5}",
                        "4:22: threads.max is {from: ..., to: ...} or a list of values; one value goes into 'hold'"),
                tail("knobs: {threads.max: {from: 5}}", "4:22: threads.max needs 'to', for example to: 1"),
                reader(
                        HEAD + "knobs: {threads.max: {from: 50, to: 5}}",
                        "4:22: threads.max: from 50 is not below to 5"),
                tail("knobs: {jvm.gc: {from: g1, to: z}}", "4:17: jvm.gc has no interval: give a list of values"),
                reader(
                        HEAD + "knobs: {connections.max: {from: -1, to: 100}}",
                        "4:27: connections.max: -1 is no amount; an interval starts at 0 or above"),
                tail("knobs: {jvm.gc: []}", "4:17: jvm.gc is empty"),
                tail("knobs: {jvm.gc: [g1, g1]}", "4:22: g1 is listed twice"),
                reader(
                        HEAD + "hold: {backlog: 5}\nknobs: {backlog: [10, 20]}",
                        "5:9: backlog is held and tuned at once: take it out of 'hold' or 'knobs'"));
    }

    private static Stream<Bad> experiments() {
        return Stream.of(
                tail("objective: {}", "4:12: objective needs 'maximize', for example maximize: throughput"),
                tail("objective: {maximize: p99}", "4:23: maximize is one of throughput, capacity, not 'p99'"),
                tail("objective: {minimize: cpu}", "4:23: minimize is one of p99, cpu-per-request, memory, not 'cpu'"),
                tail(
                        "objective: {minimize: throughput}",
                        "4:23: minimize is one of p99, cpu-per-request, memory, not 'throughput'"),
                reader(
                        HEAD + "objective: {minimize: memory}",
                        "4:1: the setting with the lowest memory may be one that hardly serves: offer a rate (load.rate), or set"
                                + " limits: {p99: …}, which with a closed load keeps the throughput up"),
                reader(
                        HEAD + "objective: {maximize: capacity}",
                        "4:1: capacity is the highest rate at which an SLO is met, so it needs one that bounds a latency:"
                                + " limits: {p99: 50ms}, or 'slo: p99<50ms,errors<0.1%' next to the objective"),
                reader(
                        HEAD + "slo: errors<1%\nobjective: {maximize: capacity}",
                        "5:1: capacity is the highest rate at which an SLO is met, so it needs one that bounds a latency:"
                                + " limits: {p99: 50ms}, or 'slo: p99<50ms,errors<0.1%' next to the objective"),
                reader(
                        HEAD + "slo: p99<50ms\n" + CAPACITY,
                        "5:1: capacity is under one SLO: leave out objective.limits or the plan's 'slo'"),
                reader(
                        loadOf("{connections: 5, rate: 9/s}") + CAPACITY,
                        "3:1: a trial searches for the highest rate itself: leave out rate, arrivals, stages and think, in a"
                                + " grid, too. 'connections' are the clients that warm the server up before"),
                reader(
                        loadOf("{connections: 5, measure: 14s}") + CAPACITY,
                        "3:1: load.measure is a trial's time for all its probes: for p99<=50ms,errors<=0.1% at least 15s"
                                + " (without it, 30s)"),
                reader(
                        scenarioOf("{steps: [{name: a, path: /, think: 1s}, {name: b, path: /}]}") + CAPACITY,
                        "3:1: a trial's probes last about two seconds, too short for users who pause: leave 'think' out of the"
                                + " scenario's steps, or use 'fettle capacity'"),
                reader(
                        HEAD + "objective: {maximize: capacity, against: memory, limits: {p99: 50ms}}",
                        "4:33: capacity has no second metric: what a process uses depends on the rate, and a trial probes"
                                + " many"),
                tail(
                        "objective: {maximize: throughput, against: capacity}",
                        "4:44: against is one of throughput, p99, cpu-per-request, memory, not 'capacity'"),
                tail(
                        "objective: {maximize: throughput, minimize: p99}",
                        "4:35: an objective has either 'maximize' or 'minimize', not both"),
                tail(
                        "objective: {maximize: throughput, limits: {p99: 1}}",
                        "4:49: p99: duration needs a unit: 50ms, 4s, 2m"),
                tail(
                        "objective: {maximize: throughput, limits: {errors: 1.5}}",
                        "4:52: errors: a share lies between 0 and 1 (0% and 100%), not '1.5'"),
                tail("budget: {trials: 2}", "4:18: trials is a whole number from 3 to 10000, not '2'"),
                tail("budget: {time: 4}", "4:16: time: duration needs a unit: 50ms, 4s, 2m"),
                tail("sweep: {repeats: 2}", "4:8: sweep needs 'grid', for example grid: {threads.max: [8, 16, 32]}"),
                tail("sweep: {grid: {}}", "4:15: grid is empty"),
                tail(
                        "sweep: {grid: {load.conections: [1]}}",
                        "4:16: unknown dimension 'load.conections'; did you mean 'load.connections'?"
                                + " (a knob, server, load.connections, load.keep-alive, load.path, load.think, load.rate, load.in-flight, load.protocol, load.tls, load.request-bytes, app.cpu, app.wait)"),
                reader(
                        HEAD + "sweep: {grid: {app.bytes: [1]}}",
                        "4:16: unknown dimension 'app.bytes'"
                                + " (a knob, server, load.connections, load.keep-alive, load.path, load.think, load.rate, load.in-flight, load.protocol, load.tls, load.request-bytes, app.cpu, app.wait)"),
                tail(
                        "sweep: {grid: {load.connections: [0]}}",
                        "4:35: load.connections is a whole number from 1 to 60000, not '0'"),
                reader(
                        HEAD + "sweep: {grid: {load.keep-alive: [on]}}",
                        "4:34: load.keep-alive is true or false, not 'on'"),
                tail("sweep: {grid: {app.cpu: [1]}}", "4:26: duration needs a unit: 50ms, 4s, 2m"),
                reader(HEAD + "sweep: {grid: " + hugeGrid() + "}", "4:15: the grid has more than 10000 cells"),
                tail("compare: {variants: {a: {set: {backlog: 5}}}}", "4:21: compare needs at least two variants"),
                tail(
                        "compare: {variants: {a: {sets: {backlog: 5}}, b: {set: {backlog: 6}}}}",
                        "4:26: unknown key 'sets'; did you mean 'set'? (allowed here: server, app, options, java, jvm, set,"
                                + " war, context, standalone, version, home, base, boot, args, command, artifacts, files, templates,"
                                + " env, workers, defaults)"),
                reader(
                        HEAD
                                + "compare: {grid: {backlog: [5]}, variants: {a: {set: {backlog: 5}}, b: {set: {threads.max: 6}}}}",
                        "4:54: backlog is in the grid too, which would override it"),
                reader(
                        COMMAND + "compare: {variants: {a: {server: jetty}, b: {set: {threads.max: 6}}}}",
                        "5:26: 'server' cannot vary: the target is a command"));
    }

    private static Stream<Bad> constraints() {
        return Stream.of(
                reader(
                        JETTY + "hold: {threads.max: 3}",
                        "4:21: threads.max=3 is below Jetty's thread budget: 1 acceptor + 1 selector + 1 reserved + 1 = 4 needed"),
                reader(
                        JETTY + "knobs: {threads.max: {from: 2, to: 50}}",
                        "4:29: threads.max=2 is below Jetty's thread budget: 1 acceptor + 1 selector + 1 reserved + 1 = 4 needed"),
                reader(
                        JETTY + "sweep: {grid: {threads.max: [8, 4, 3]}}",
                        "4:36: threads.max=3 is below Jetty's thread budget: 1 acceptor + 1 selector + 1 reserved + 1 = 4 needed"),
                reader(
                        HEAD + "compare:\n  variants:\n    a: {}\n    j: {server: jetty, set: {threads.max: 2}}\n",
                        "7:43: threads.max=2 is below Jetty's thread budget: 1 acceptor + 1 selector + 1 reserved + 1 = 4 needed"),
                reader(
                        HEAD + "hold: {threads.acceptors: 2}",
                        "4:27: threads.acceptors does not exist on Tomcat: Tomcat always has 1; use backlog and connections.max"),
                reader(
                        UNDERTOW + "hold: {admission.max: 5, admission.queue: 0}",
                        "4:43: admission.queue=0: Undertow takes 0 as an unlimited queue; use 1 or more"),
                reader(
                        HEAD + "hold: {backlog: 5000}",
                        "4:17: backlog=5000 is above net.core.somaxconn=4096: the kernel would cut it to 4096"),
                reader(
                        HEAD + "knobs: {threads.min: [10, 300]}",
                        "4:27: threads.min=300 is above threads.max=200, Tomcat's default"),
                reader(
                        "name: p\ntarget: {url: 'http://127.0.0.1:1'}\nload: {connections: 1}\nhold: {backlog: 5}\n",
                        "4:17: backlog cannot be set: http://127.0.0.1:1 is already running"));
    }

    private static String hugeGrid() {
        String values = "[" + "x".repeat(22).replaceAll("x", "%d,") + "]";
        Object[] numbers = Stream.iterate(1, i -> i + 1).limit(22).toArray();
        String list = values.formatted(numbers);
        return "{threads.max: %s, backlog: %s, load.connections: %s}".formatted(list, list, list);
    }

    private static String targetOf(String target) {
        return "name: p\ntarget: " + target + "\nload: {connections: 10}\n";
    }

    private static String loadOf(String load) {
        return "name: p\ntarget: {server: tomcat, app: hello}\nload: " + load + "\n";
    }

    private static Bad target(String target, String problem) {
        return both(targetOf(target), problem);
    }

    private static Bad load(String load, String problem) {
        return both(loadOf(load), problem);
    }

    private static Bad tail(String tail, String problem) {
        return both(HEAD + tail + "\n", problem);
    }

    private static Bad both(String yaml, String... problems) {
        return new Bad(yaml, List.of(problems), true);
    }

    private static Bad reader(String yaml, String... problems) {
        return new Bad(yaml, List.of(problems), false);
    }
}
