package dev.fettle.model.read;

import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hook.Ready;
import dev.fettle.model.target.Hook.Scope;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Placeholders;
import dev.fettle.model.text.NearestName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** Reads {@code hooks}. */
final class HookReader {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final List<String> WAYS = List.of("tcp", "http", "log", "run");
    private static final List<String> PLAIN = List.of("dir", "java", "plan");
    private static final String PORT = "port:";
    private static final String SCOPE = "scope";
    /** The placeholder, but not its escaped form {{plan}}. */
    private static final Pattern HOME = Pattern.compile("(?<!\\{)\\{plan}");

    private final Problems problems;
    private final Scalars scalars;
    private final Path folder;

    /** @param folder the value of {@code {plan}} */
    HookReader(Problems problems, Path folder) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.folder = folder;
    }

    Hooks read(Node node) {
        YamlFields f = YamlFields.closed(node, "hooks", PlanKeys.HOOKS.keys(), problems);
        if (f.size() == 0 && problems.none()) {
            problems.add(node, "hooks needs 'before' or 'after'");
        }
        return new Hooks(list(f, "before", PlanKeys.BEFORE), list(f, "after", PlanKeys.AFTER));
    }

    private List<Hook> list(YamlFields f, String key, PlanKeys section) {
        var out = new ArrayList<Hook>();
        f.get(key)
                .ifPresent(n -> scalars.list(n, key)
                        .forEach(item -> hook(YamlFields.closed(item, "a hook", section.keys(), problems))
                                .ifPresent(out::add)));
        return out;
    }

    private Optional<Hook> hook(YamlFields f) {
        Scope scope = f.get(SCOPE)
                .flatMap(n -> scalars.oneOf(n, SCOPE, List.of("trial", "run")))
                .filter("run"::equals)
                .map(s -> Scope.RUN)
                .orElse(Scope.TRIAL);
        List<List<String>> run = f.require("run", "[redis-cli, flushall]")
                .map(n -> arguments(n, scope))
                .orElse(List.of());
        Map<String, String> environment = environment(f, scope);
        boolean background =
                f.get("background").flatMap(n -> scalars.bool(n, "background")).orElse(false);
        if (background && f.has("exit")) {
            problems.add(f.at("exit"), "exit has no effect: a hook in the background does not end by itself");
        }
        Optional<Ready> ready = f.get("ready").flatMap(n -> ready(n, scope));
        Duration within = f.get("within")
                .flatMap(n -> scalars.duration(n, "within", Duration.ofMillis(1), LONGEST))
                .orElse(Hook.WITHIN);
        int exit =
                f.get("exit").flatMap(n -> scalars.integer(n, "exit", 0, 255)).orElse(0);
        return run.isEmpty()
                ? Optional.empty()
                : Optional.of(new Hook(run, environment, background, ready, within, exit, scope));
    }

    private Optional<Ready> ready(Node node, Scope scope) {
        YamlFields f = YamlFields.closed(node, "ready", PlanKeys.READY.keys(), problems);
        List<String> ways = WAYS.stream().filter(f::has).toList();
        if (ways.size() != 1) {
            problems.add(node, "ready is one of tcp, http, log and run, for example {tcp: '127.0.0.1:{port:redis}'}");
            return Optional.empty();
        }
        String way = ways.getFirst();
        if (f.has("status") && !way.equals("http")) {
            problems.add(f.at("status"), "status has no effect without 'http'");
        }
        if (way.equals("run")) {
            return f.get("run")
                    .map(n -> arguments(n, scope))
                    .filter(a -> !a.isEmpty())
                    .map(Ready.Probe::new);
        }
        int status = f.get("status")
                .flatMap(n -> scalars.integer(n, "status", 100, 599))
                .orElse(200);
        return f.get(way)
                .flatMap(n -> scalars.text(n, way).flatMap(text -> {
                    if (way.equals("log")) {
                        return Optional.of(new Ready.Log(text));
                    }
                    String own = placeholders(n, text, scope);
                    return way.equals("tcp") ? tcp(n, own) : http(n, own, status);
                }));
    }

    private Optional<Ready> tcp(Node node, String address) {
        if (!address.matches("[^\\s/]+:([0-9]{1,5}|\\{port:[^}:]++})")) {
            problems.add(node, "tcp is HOST:PORT, for example '127.0.0.1:{port:redis}', not '%s'".formatted(address));
            return Optional.empty();
        }
        return Optional.of(new Ready.Tcp(address));
    }

    private Optional<Ready> http(Node node, String url, int status) {
        if (!url.matches("https?://[^\\s/]\\S*")) {
            problems.add(node, "http is a URL: http://127.0.0.1:{port:web}/health, not '%s'".formatted(url));
            return Optional.empty();
        }
        return Optional.of(new Ready.Http(url, status));
    }

    private List<List<String>> arguments(Node node, Scope scope) {
        var reader = new ArgumentReader(problems, (at, text, alone) -> placeholders(at, text, scope));
        return reader.read(node, "run").stream()
                .map(group -> group.stream().map(this::atHome).toList())
                .toList();
    }

    private Map<String, String> environment(YamlFields f, Scope scope) {
        var out = new LinkedHashMap<String, String>();
        f.get("env").ifPresent(node -> {
            for (YamlFields.Entry e : YamlFields.open(node, "env", problems).all()) {
                if (!e.key().matches("[A-Za-z_][A-Za-z0-9_.]*")) {
                    problems.add(e.keyNode(), "'%s' is not a name of an environment variable".formatted(e.key()));
                }
                scalars.text(e.value(), e.key()).ifPresent(v -> out.put(e.key(), placeholders(e.value(), v, scope)));
            }
        });
        return out;
    }

    /** Fills in the plan's folder. */
    private String placeholders(Node node, String text, Scope scope) {
        for (String name : Placeholders.in(text)) {
            boolean knob = Knobs.find(name).isPresent() || OwnKnob.is(name);
            if (name.startsWith(PORT)) {
                if (!name.matches("port:[A-Za-z][A-Za-z0-9_-]*")) {
                    problems.add(node, "{%s}: a port's name is letters, digits, '_' and '-'".formatted(name));
                }
            } else if (knob && scope == Scope.RUN) {
                problems.add(node, "{%s} differs by trial, and this hook runs once".formatted(name));
            } else if (!knob && !PLAIN.contains(name)) {
                problems.add(node, unknown(name));
            }
        }
        return atHome(text);
    }

    private static String unknown(String name) {
        String meant = NearestName.nearest(name, PLAIN)
                .or(() -> Knobs.nearest(name))
                .map(n -> "; did you mean {" + n + "}?")
                .orElse("");
        return "unknown placeholder {%s}%s (known in a hook: {dir}, {plan}, {java}, {port:NAME} and knobs)"
                .formatted(name, meant);
    }

    private String atHome(String text) {
        return HOME.matcher(text).replaceAll(Matcher.quoteReplacement(folder.toString()));
    }
}
