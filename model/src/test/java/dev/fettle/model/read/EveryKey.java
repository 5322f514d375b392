package dev.fettle.model.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Right plans that together use every key of a plan, and what becomes of them when one key or value is another. */
final class EveryKey {
    /** Values of every kind: each is right for some keys and wrong for most. */
    private static final List<Part> VALUES = Stream.of(
                    "-1", "1", "70000", "1.5", "true", "'true'", "50ms", "99h", "64k", "0.1%", "2500/s", "abc", "''",
                    "/a", "[a]", "[]", "[1, 1]", "{}", "{a: b}", "[[a]]", "~")
            .map(EveryKey::part)
            .toList();

    private EveryKey() {}

    /** What is done with a plan in which one thing is another: {@code where} is the path of keys to it, and what it is. */
    interface Check {
        void plan(String where, JsonNode plan, Node node);
    }

    /** The same text for the schema and for the reader. */
    private record Part(JsonNode json, Node node) {}

    /** An entry in place of another; without a value there is none. */
    private record Entry(String what, String key, Optional<Part> value) {}

    private interface Change {
        List<Entry> of(String where, String key, Part value);
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
                            live-page: true
                            """)),
                Map.entry(
                        "open",
                        of(
                                "{url: 'https://127.0.0.1:8443'}",
                                "{connections: 10, rate: 100/s, arrivals: poisson, seed: 3, trace: 1%, tls: {ca: ca.pem, resume: false}}",
                                "objective: {minimize: p99}\n")),
                Map.entry(
                        "others",
                        of(
                                URL,
                                "{connections: 10, from: [gen-1, b]}",
                                "hosts: {gen-1: {ssh: perf@gen-1}, b: {ssh: 'ssh://b:22'}}\n")),
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
                        "war on two JDKs",
                        of("{server: jetty, war: shop.war, java: [21, 25]}", CLOSED, "compare: {pairs: 2}\n")),
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
                Map.entry(
                        "jars",
                        of(
                                "{boot: shop.jar, args: [--a], java: 25}",
                                CLOSED,
                                "compare: {variants: {base: {}, head: {boot: next.jar, args: [--b], java: 21, set: {backlog: 9}}}}\n")),
                Map.entry(
                        "wars",
                        of(
                                "{server: tomcat, war: shop.war}",
                                CLOSED,
                                "compare: {variants: {base: {}, head: {war: shop.war, context: /b}}}\n")),
                Map.entry(
                        "homes",
                        of(
                                "{standalone: tomcat, version: 11.0.24, war: shop.war}",
                                CLOSED,
                                "compare: {variants: {base: {}, head: {home: home, base: home}, newer: {version: 11.0.25}, other: {standalone: tomcat}}}\n")),
                Map.entry("commands", of("{command: [a, '{port}'], files: {a: b}}", CLOSED, """
                            compare:
                              variants:
                                base: {}
                                head: {command: [b, '{port}', '{threads.max}', '{artifact:c}'], artifacts: {c: 'd:e:1'}, files: {a: c}, env: {A: b},
                                  templates: {d: e}, workers: f, defaults: {threads.max: 10}}
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

    /** A plan with one of its keys misspelt, for each key. */
    static void misspelt(String name, String plan, Check check) {
        Part whole = part(plan);
        walk(whole, whole, name, (w, key, v) -> List.of(new Entry("misspelt", key + "qx", Optional.of(v))), check);
    }

    /** A plan without one of its keys, for each key. */
    static void without(String name, String plan, Check check) {
        Part whole = part(plan);
        walk(whole, whole, name, (w, key, v) -> List.of(new Entry("left out", key, Optional.empty())), check);
    }

    /** The plans with every value in place of one of their own; each key under another is changed once. */
    static void otherValues(Check check) {
        var changed = new HashSet<String>();
        new TreeMap<>(plans()).forEach((name, plan) -> {
            Part whole = part(plan);
            Change change = (where, key, value) -> {
                String parentAndKey = where.replaceAll("/\\d+(?=/)", "")
                        .replaceAll("/(own|variants|layers|flows)/[^/]+(?=/)", "/$1*") // names that the author chose
                        .replaceFirst(".*/(?=[^/]+/[^/]+$)", "");
                return changed.add(parentAndKey)
                        ? VALUES.stream()
                                .map(v -> new Entry(v.json().toString(), key, Optional.of(v)))
                                .toList()
                        : List.of();
            };
            walk(whole, whole, name, change, check);
        });
    }

    private static void walk(Part whole, Part at, String path, Change change, Check check) {
        if (at.json() instanceof ArrayNode list) {
            List<Node> items = ((SequenceNode) at.node()).getValue();
            for (int i = 0; i < list.size(); i++) {
                walk(whole, new Part(list.get(i), items.get(i)), path + "/" + i, change, check);
            }
        } else if (at.json() instanceof ObjectNode mapping) {
            List<NodeTuple> tuples = ((MappingNode) at.node()).getValue();
            var before = new LinkedHashMap<String, JsonNode>();
            mapping.properties().forEach(e -> before.put(e.getKey(), e.getValue()));
            for (int i = 0; i < tuples.size(); i++) {
                NodeTuple tuple = tuples.get(i);
                ScalarNode key = (ScalarNode) tuple.getKeyNode();
                var value = new Part(mapping.get(key.getValue()), tuple.getValueNode());
                String where = path + "/" + key.getValue();
                for (Entry other : change.of(where, key.getValue(), value)) {
                    mapping.remove(key.getValue());
                    tuples.remove(i);
                    if (other.value().isPresent()) {
                        Part own = other.value().get();
                        mapping.set(other.key(), own.json());
                        var named = new ScalarNode(
                                Tag.STR, other.key(), key.getStartMark(), key.getEndMark(), key.getScalarStyle());
                        tuples.add(i, new NodeTuple(named, own.node()));
                    }
                    check.plan(where + ": " + other.what(), whole.json(), whole.node());
                    if (other.value().isPresent()) {
                        tuples.remove(i);
                    }
                    tuples.add(i, tuple);
                    mapping.removeAll();
                    mapping.setAll(before);
                }
                walk(whole, value, where, change, check);
            }
        }
    }

    private static Part part(String yaml) {
        JsonNode json = tree(yaml);
        // JSON is YAML
        return new Part(json, new Yaml().compose(new StringReader(json.toString())));
    }

    static JsonNode tree(String yaml) {
        try {
            return new YAMLMapper().readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
