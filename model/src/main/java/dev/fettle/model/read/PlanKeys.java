package dev.fettle.model.read;

import java.util.List;
import java.util.Map;

/** Every key of a plan by section. The JSON Schema has a definition with the same name and keys for each section. */
final class PlanKeys {
    static final String PLAN = "plan";
    static final String TEMPLATE = "template";
    static final String HOOKS = "hooks";
    static final String BEFORE = "hookBefore";
    static final String AFTER = "hookAfter";
    static final String READY = "hookReady";
    static final String EMBEDDED = "embedded";
    static final String WAR = "war";
    static final String STANDALONE = "standalone";
    static final String BOOT = "boot";
    static final String COMMAND = "command";
    static final String PROCESS = "process";
    static final String URL = "url";
    static final String BACKEND = "backend";
    static final String LOAD = "load";
    static final String REQUEST = "request";
    static final String EXPECT = "expect";
    static final String STAGE = "stage";
    static final String TLS = "tls";
    static final String SCENARIO = "scenario";
    static final String FLOW = "flow";
    static final String STEP = "step";
    static final String ANSWER = "answer";
    static final String ANSWER_HEADER = "answerHeader";
    static final String EXTRACTION = "extraction";
    static final String THINK = "think";
    static final String DATA = "data";
    static final String INTERVAL = "interval";
    static final String OBJECTIVE = "objective";
    static final String LIMITS = "limits";
    static final String BUDGET = "budget";
    static final String SWEEP = "sweep";
    static final String COMPARE = "compare";
    static final String VARIANT = "variant";
    static final String LAYER = "layer";
    static final String SPIKE = "spike";
    static final String OWN = "ownKnob";
    static final String OWN_SET = "ownSet";
    static final String OWN_READ = "ownRead";

    static final Map<String, List<String>> ALL = Map.ofEntries(
            Map.entry(
                    PLAN,
                    List.of(
                            "name",
                            "about",
                            "target",
                            "load",
                            "own",
                            "hold",
                            "knobs",
                            "objective",
                            "budget",
                            "slo",
                            "sweep",
                            "compare",
                            "hooks",
                            "seed")),
            Map.entry(
                    OWN, List.of("type", "from", "to", "choices", "scale", "default", "unit", "about", "set", "read")),
            Map.entry(OWN_SET, List.of("property", "system-property", "env", "file", "line", "xpath")),
            Map.entry(OWN_READ, List.of("actuator", "mbean", "attribute", "url", "pointer", "run")),
            Map.entry(HOOKS, List.of("before", "after")),
            Map.entry(BEFORE, List.of("run", "env", "background", "ready", "within", "exit", "scope")),
            Map.entry(AFTER, List.of("run", "env", "within", "exit", "scope")),
            Map.entry(READY, List.of("tcp", "http", "status", "log", "run")),
            Map.entry(EMBEDDED, List.of("server", "app", "options", "backend", "java", "jvm")),
            Map.entry(WAR, List.of("server", "war", "context", "java", "jvm")),
            Map.entry(STANDALONE, List.of("standalone", "version", "home", "base", "war", "context", "java", "jvm")),
            Map.entry(BOOT, List.of("boot", "args", "java", "jvm")),
            Map.entry(
                    COMMAND,
                    List.of("command", "artifacts", "files", "templates", "env", "workers", "defaults", "java", "jvm")),
            Map.entry(TEMPLATE, List.of("from")),
            Map.entry(PROCESS, List.of("pid", "url", "live", "agent")),
            Map.entry(URL, List.of("url")),
            Map.entry(BACKEND, List.of("delay", "bytes")),
            Map.entry(
                    LOAD,
                    List.of(
                            "connections",
                            "keep-alive",
                            "request",
                            "expect",
                            "timeout",
                            "warm-up",
                            "measure",
                            "threads",
                            "think",
                            "rate",
                            "arrivals",
                            "stages",
                            "seed",
                            "protocol",
                            "in-flight",
                            "tls",
                            "transport",
                            "sources",
                            "scenario")),
            Map.entry(SCENARIO, List.of("data", "variables", "keep-cookies", "seed", "steps", "flows")),
            Map.entry(FLOW, List.of("weight", "steps")),
            Map.entry(
                    STEP,
                    List.of(
                            "name",
                            "send",
                            "method",
                            "path",
                            "headers",
                            "form",
                            "body",
                            "expect",
                            "extract",
                            "think",
                            "on-failure")),
            Map.entry(ANSWER, List.of("status", "headers", "contains", "lacks", "matches", "json")),
            Map.entry(ANSWER_HEADER, List.of("matches", "present")),
            Map.entry(EXTRACTION, List.of("json", "regex", "header")),
            Map.entry(THINK, List.of("from", "to")),
            Map.entry(DATA, List.of("file", "order")),
            Map.entry(STAGE, List.of("rate", "from", "to", "for", "burst")),
            Map.entry(TLS, List.of("ca", "insecure", "resume")),
            Map.entry(REQUEST, List.of("method", "path", "headers", "body")),
            Map.entry(EXPECT, List.of("status", "length", "contains", "echo")),
            Map.entry(INTERVAL, List.of("from", "to")),
            Map.entry(OBJECTIVE, List.of("maximize", "minimize", "against", "limits")),
            Map.entry(LIMITS, List.of("p99", "errors")),
            Map.entry(BUDGET, List.of("trials", "time", "pairs", "live", "whole-trials")),
            Map.entry(SWEEP, List.of("grid", "repeats")),
            Map.entry(COMPARE, List.of("pairs", "grid", "spike", "variants", "layers")),
            Map.entry(SPIKE, List.of("rate", "for", "watch")),
            Map.entry(VARIANT, List.of("server", "app", "options", "java", "jvm", "set")),
            Map.entry(LAYER, List.of("server", "app", "options", "backend", "java", "jvm", "set", "path", "expect")));

    private PlanKeys() {}

    static List<String> of(String section) {
        List<String> keys = ALL.get(section);
        if (keys == null) {
            throw new IllegalArgumentException(section);
        }
        return keys;
    }
}
