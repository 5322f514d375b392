package dev.fettle.model.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Right plans that together use every key of a plan, and what becomes of them when one key or value is another. */
final class EveryKey {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Values of every kind: each is right for some keys and wrong for most. */
    private static final List<JsonNode> VALUES = Stream.of(
                    "-1", "1", "70000", "1.5", "true", "'true'", "50ms", "99h", "64k", "0.1%", "2500/s", "abc", "''",
                    "/a", "[a]", "[]", "[1, 1]", "{}", "{a: b}", "[[a]]", "~")
            .map(EveryKey::tree)
            .toList();

    private EveryKey() {}

    /**
     * A plan in which one thing is another.
     *
     * @param where the path of keys to what differs, and what it is
     */
    record Changed(String where, String yaml) {
        /** The key, and the one that it is under; one of several plans has it there. */
        String parentAndKey() {
            return where.replaceFirst(": .*", "").replaceAll("/\\d+(?=/)", "").replaceFirst(".*/(?=[^/]+/[^/]+$)", "");
        }

        @Override
        public String toString() {
            return where;
        }
    }

    /** Makes the files that the plans name. */
    static void files(Path folder) {
        try {
            Files.writeString(folder.resolve("users.csv"), "login,secret\nann,x\nbob,y\n");
            Files.writeString(folder.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\n");
            Files.writeString(folder.resolve("shop.war"), "");
            Files.writeString(folder.resolve("app.conf.in"), "port={port}\n");
            Files.writeString(folder.resolve("steps.yaml"), "steps: [{name: page, path: /}]\n");
            Files.createDirectories(folder.resolve("home/webapps"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String of(String target, String load, String rest) {
        return "name: every\ntarget: " + target + "\nload: " + load + "\n" + rest;
    }

    private static final String SAMPLE = "{server: tomcat, app: login}";
    private static final String URL = "{url: 'http://127.0.0.1:8080'}";
    private static final String CLOSED = "{connections: 100}";

    /** The plans. */
    static Map<String, String> plans() {
        return Map.ofEntries(
                Map.entry("closed", of("""
                            {server: tomcat, app: login, options: {cpu: 1ms, fault: log-lock, session: true},
                              backend: {delay: 20ms, bytes: 1k}, java: 25, jvm: [-Xmx512m]}""", """
                            {connections: 100, keep-alive: true, request: {method: POST, path: /a, headers: {X-A: b}, body: hello},
                              expect: {status: 200, length: 5, contains: x}, timeout: 5s, warm-up: 10s, measure: 4s, threads: 2,
                              think: 10ms, protocol: http/1.1, in-flight: 2, tls: {resume: true}, transport: nio, sources: [127.0.0.2]}""", """
                            about: every key that there is
                            hold: {backlog: 50, jvm.gc: g1, jvm.heap: 64m, tcp.nodelay: true}
                            knobs: {threads.max: {from: 8, to: 100}, keepalive.timeout: [1s, 5s], server: [tomcat, jetty]}
                            objective: {maximize: throughput, against: memory, limits: {p99: 1s, errors: 1%}}
                            budget: {trials: 5, time: 5m, pairs: 5, live: false, whole-trials: true}
                            slo: p99<50ms
                            sweep: {grid: {threads.max: [8, 16]}, repeats: 2}
                            seed: 7
                            """)),
                Map.entry(
                        "open",
                        of(
                                "{url: 'https://127.0.0.1:8443'}",
                                "{connections: 10, rate: 100/s, arrivals: poisson, seed: 3, tls: {ca: ca.pem, resume: false}}",
                                "objective: {minimize: p99}\n")),
                Map.entry(
                        "insecure",
                        of("{url: 'https://127.0.0.1:8443'}", "{connections: 10, tls: {insecure: true}}", "")),
                Map.entry(
                        "stages",
                        of(URL, "{stages: [{rate: 10/s, for: 5s, burst: 2}, {from: 0, to: 100/s, for: 5s}]}", "")),
                Map.entry(
                        "messages",
                        of(
                                URL,
                                "{connections: 10, protocol: websocket, request: {path: /echo, body: hello}, expect: {echo: true}}",
                                "")),
                Map.entry("scenario", of(URL, """
                            {connections: 10, scenario: {data: [{file: users.csv, order: random}], variables: {shop: berlin}, keep-cookies: true,
                              seed: 3, steps: [
                                {name: log in, method: POST, path: /login, headers: {X-A: '${shop}'}, form: {user: '${login}'},
                                  expect: {status: 302, headers: {Location: /, X-B: {matches: a}, X-C: {present: true}}, contains: [a, b], lacks: c,
                                    matches: d, json: {$.a: e}},
                                  extract: {token: {json: $.token}, etag: {header: ETag, regex: a}, csrf: {regex: '(a)'}},
                                  think: {from: 1s, to: 2s}, on-failure: continue},
                                {name: pay, path: /pay, body: '${token}', think: 1s, expect: {status: [200, 201]}},
                                {name: bye, path: /bye, expect: {status: 2xx}}]}}""", "")),
                Map.entry(
                        "flows",
                        of(
                                URL,
                                "{connections: 10, scenario: {flows: {look: {weight: 3, steps: [{name: a, path: /}]}, buy: {steps: [{name: b, path: /b}]}}}}",
                                "")),
                Map.entry(
                        "talk",
                        of(
                                URL,
                                "{connections: 10, protocol: websocket, scenario: {steps: [{name: hi, send: hello, expect: {contains: x}}]}}",
                                "")),
                Map.entry("file", of(URL, "{connections: 10, scenario: steps.yaml}", "")),
                Map.entry(
                        "war",
                        of("{server: jetty, war: shop.war, context: /shop, java: 25, jvm: [-Xmx1g]}", CLOSED, "")),
                Map.entry(
                        "fetched",
                        of(
                                "{standalone: tomcat, version: 11.0.24, war: shop.war, context: /, java: 25, jvm: [-Xmx1g]}",
                                CLOSED,
                                "")),
                Map.entry("installed", of("{standalone: tomcat, home: home, base: home}", CLOSED, "")),
                Map.entry("boot", of("{boot: shop.jar, args: [--a=b], java: 25, jvm: [-Xmx1g]}", CLOSED, """
                            own:
                              pool: {type: int, from: 1, to: 200, scale: log, default: 10, unit: connections, about: the pool, set: {property: a.b},
                                read: {actuator: hikaricp.connections.max}}
                              wait: {type: duration, unit: s, set: {system-property: a.b}, read: {mbean: 'a:type=b', attribute: c}}
                              kind: {type: enum, choices: [LRU, LFU], set: {env: KIND}, read: {url: /pool, pointer: /max}}
                              flag: {type: bool, set: {env: FLAG}, read: {run: [cat, x]}}
                            hold: {own.pool: 20}
                            knobs: {own.wait: {from: 1s, to: 5s}, own.kind: [LRU, LFU]}
                            """)),
                Map.entry("command", of("""
                            {command: ['{java}', '{jvm}', -jar, '{artifact:wm}', '--port={port}', [-t, '{threads.max}'], '{own.file}'],
                              artifacts: {wm: 'org.wiremock:wiremock-standalone:3.13.1'}, files: {conf/a.txt: b}, env: {A_B: c},
                              templates: {conf/b.txt: 'x={dir}', conf/c.txt: {from: app.conf.in}}, workers: qtp, defaults: {threads.max: 10},
                              java: 25, jvm: [-Xmx1g]}""", CLOSED, """
                            own:
                              file: {type: text}
                              line: {type: int, set: {file: conf/a.txt, line: 'a={value}'}}
                              path: {type: int, set: {file: conf/a.txt, xpath: //a/@b}}
                            """)),
                Map.entry(
                        "process",
                        of("{pid: 4711, url: 'http://127.0.0.1:8080', live: true, agent: true}", CLOSED, "")),
                Map.entry("hooks", of(SAMPLE, CLOSED, """
                            hooks:
                              before:
                                - {run: [redis-server, --port, '{port:redis}', [-d, '{dir}']], env: {A: b}, background: true,
                                    ready: {tcp: '127.0.0.1:{port:redis}'}, within: 5s, scope: run}
                                - {run: [a], exit: 3, ready: {http: 'http://127.0.0.1:1/x', status: 204}}
                                - {run: [a], ready: {log: up}}
                                - {run: [a], ready: {run: [b, c]}}
                              after:
                                - {run: [clean], env: {A: b}, within: 5s, exit: 1, scope: trial}
                            """)),
                Map.entry("variants", of(SAMPLE, "{rate: 100/s}", """
                            objective: {minimize: p99, limits: {p99: 1s}}
                            compare:
                              pairs: 3
                              grid: {load.connections: [10, 20]}
                              spike: {rate: 500/s, for: 5s, watch: 10s}
                              baseline: a
                              variants:
                                a: {}
                                b: {server: jetty, app: hello, options: {session: true}, java: 25, jvm: [-Xmx1g], set: {threads.max: 20}}
                            """)),
                Map.entry("layers", of(SAMPLE, CLOSED, """
                            compare:
                              layers:
                                a: {}
                                b: {server: jetty, app: login, options: {cpu: 1ms}, backend: {delay: 1ms, bytes: 10}, java: 25, jvm: [-Xmx1g],
                                  set: {backlog: 20}, path: /x, expect: {status: 200}}
                            """)),
                Map.entry("grid of a login", of(SAMPLE, "{connections: 10, request: {method: POST, body: x}}", """
                            sweep:
                              grid:
                                server: [tomcat, jetty]
                                load.connections: [10, 20]
                                load.keep-alive: [true]
                                load.path: [/, /a]
                                load.think: [0s, 10ms]
                                load.in-flight: [1, 2]
                                load.protocol: [http/1.1, h2]
                                load.tls: [none, full]
                                load.request-bytes: [0, 1k]
                                backend.delay: [0ms]
                                backend.bytes: [1, 1k]
                                app.cpu: [1ms, 2ms]
                                app.fault: [log-lock]
                                app.session: [true]
                            """)),
                Map.entry(
                        "grid of a page",
                        of(
                                "{server: tomcat, app: payload, options: {bytes: 1k, type: json}}",
                                "{rate: 10/s}",
                                "objective: {minimize: p99}\nsweep: {grid: {load.rate: [10/s, 20/s], app.bytes: [1k, 2k], app.type: [text, json]}}\n")),
                Map.entry(
                        "grid of work",
                        of(
                                "{server: tomcat, app: work, options: {cpu: 1ms, wait: 1ms}}",
                                CLOSED,
                                "sweep: {grid: {app.cpu: [1ms, 2ms], app.wait: [0s, 1ms]}}\n")));
    }

    /** Every plan with one key misspelt. */
    static Stream<Changed> misspelt(String name, String plan) {
        return changed(name, plan, (mapping, key) -> {
            ObjectNode other = JSON.objectNode();
            mapping.properties()
                    .forEach(e -> other.set(e.getKey().equals(key) ? key + "qx" : e.getKey(), e.getValue()));
            return Map.of("misspelt", other);
        });
    }

    /** Every plan without one of its keys. */
    static Stream<Changed> without(String name, String plan) {
        return changed(name, plan, (mapping, key) -> {
            ObjectNode other = mapping.deepCopy();
            other.remove(key);
            return Map.of("left out", other);
        });
    }

    /** The plans with every value in place of one of their own; each key under another is changed in one plan. */
    static Stream<Changed> otherValues() {
        var seen = new HashSet<String>();
        return new TreeMap<>(plans()).entrySet().stream().flatMap(plan -> {
            var fresh = new HashSet<String>();
            Stream<Changed> all = changed(plan.getKey(), plan.getValue(), (mapping, key) -> {
                var others = new LinkedHashMap<String, JsonNode>();
                for (JsonNode value : VALUES) {
                    ObjectNode other = mapping.deepCopy();
                    other.set(key, value);
                    others.put(value.toString(), other);
                }
                return others;
            });
            List<Changed> kept =
                    all.filter(c -> !seen.contains(c.parentAndKey())).toList();
            kept.forEach(c -> fresh.add(c.parentAndKey()));
            seen.addAll(fresh);
            return kept.stream();
        });
    }

    private interface Change {
        Map<String, JsonNode> of(ObjectNode mapping, String key);
    }

    private static Stream<Changed> changed(String name, String plan, Change change) {
        var out = new ArrayList<Changed>();
        JsonNode root = tree(plan);
        walk(root, root, name, change, out);
        return out.stream();
    }

    private static void walk(JsonNode root, JsonNode at, String path, Change change, List<Changed> out) {
        if (at instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                walk(root, list.get(i), path + "/" + i, change, out);
            }
        } else if (at instanceof ObjectNode mapping) {
            ObjectNode before = mapping.deepCopy();
            for (var e : before.properties()) {
                change.of(before, e.getKey()).forEach((what, other) -> {
                    mapping.removeAll();
                    mapping.setAll((ObjectNode) other);
                    out.add(new Changed(path + "/" + e.getKey() + ": " + what, root.toString()));
                });
                mapping.removeAll();
                mapping.setAll(before);
            }
            before.fieldNames().forEachRemaining(k -> walk(root, mapping.get(k), path + "/" + k, change, out));
        }
    }

    static JsonNode tree(String yaml) {
        try {
            return new YAMLMapper().readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
