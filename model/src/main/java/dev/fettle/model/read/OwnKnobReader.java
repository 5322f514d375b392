package dev.fettle.model.read;

import dev.fettle.model.knob.Knob.Scale;
import dev.fettle.model.knob.Knob.Type;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.Node;

/** Reads {@code own}: the knobs of the user's application. */
final class OwnKnobReader {
    private static final List<String> TYPES = List.of("int", "duration", "size", "bool", "enum", "text");
    private static final long MOST = 1_000_000_000_000L;

    private final Problems problems;
    private final Scalars scalars;

    OwnKnobReader(Problems problems) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
    }

    /** All own knobs, in the plan's order. */
    List<OwnKnob> read(Node node) {
        var out = new ArrayList<OwnKnob>();
        for (YamlFields.Entry e : YamlFields.open(node, "own", problems).all()) {
            if (!e.key().matches("[a-z][a-z0-9]*+(?:[.-][a-z0-9]++)*+")) {
                problems.add(
                        e.keyNode(), "the name of an own knob is like pool or pool.size, not '%s'".formatted(e.key()));
                continue;
            }
            one(e).ifPresent(out::add);
        }
        return out;
    }

    private Optional<OwnKnob> one(YamlFields.Entry e) {
        YamlFields f = YamlFields.closed(e.value(), OwnKnob.PREFIX + e.key(), PlanKeys.OWN.keys(), problems);
        Optional<Type> type = f.require("type", "int")
                .flatMap(n -> scalars.oneOf(n, "type", TYPES))
                .map(t -> Type.valueOf(t.toUpperCase(Locale.ROOT)));
        Optional<OwnKnob.How> set =
                f.has("set") ? f.get("set").flatMap(this::how) : Optional.of(new OwnKnob.Placeholder());
        Optional<OwnKnob.ReadBack> read = f.get("read").flatMap(this::readBack);
        if (type.isEmpty() || set.isEmpty()) {
            return Optional.empty();
        }
        List<String> choices = choices(f, type.get());
        OwnKnob bare = new OwnKnob(
                OwnKnob.PREFIX + e.key(),
                type.get(),
                f.get("scale")
                        .flatMap(n -> scalars.oneOf(n, "scale", List.of("log", "linear")))
                        .map(s -> Scale.valueOf(s.toUpperCase(Locale.ROOT)))
                        .orElse(Scale.LOG),
                0,
                MOST,
                choices,
                Optional.empty(),
                unit(f, type.get()),
                f.get("about").flatMap(n -> scalars.text(n, "about")).orElse("").strip(),
                set.get(),
                read);
        OwnKnob ranged = bare.with()
                .min(end(f, "from", bare, 0))
                .max(end(f, "to", bare, MOST))
                .build();
        if (ranged.min() >= ranged.max()) {
            problems.add(f.at("to"), "%s: 'to' is above 'from'".formatted(bare.name()));
            return Optional.empty();
        }
        Optional<String> byDefault = f.get("default")
                .flatMap(n ->
                        scalars.text(n, "default").flatMap(t -> scalars.tried(n, "", t, ranged.knob()::canonical)));
        return Optional.of(ranged.withByDefault(byDefault));
    }

    private long end(YamlFields f, String key, OwnKnob knob, long otherwise) {
        if (!f.has(key)) {
            return otherwise;
        }
        if (!knob.knob().hasInterval()) {
            problems.add(
                    f.at(key),
                    "%s is %s and has no '%s'"
                            .formatted(knob.name(), knob.type().name().toLowerCase(Locale.ROOT), key));
            return otherwise;
        }
        return f.get(key)
                .flatMap(n -> scalars.text(n, key).flatMap(t -> scalars.tried(n, "", t, knob.knob()::number)))
                .orElse(otherwise);
    }

    private List<String> choices(YamlFields f, Type type) {
        if (type == Type.BOOL) {
            return List.of("true", "false");
        }
        if (type != Type.ENUM) {
            if (f.has("choices")) {
                problems.add(f.at("choices"), "only an enum has 'choices'");
            }
            return List.of();
        }
        return f.require("choices", "[LRU, LFU]")
                .map(n -> scalars.list(n, "choices").stream()
                        .flatMap(i -> scalars.text(i, "a choice").stream())
                        .distinct()
                        .toList())
                .orElse(List.of());
    }

    private String unit(YamlFields f, Type type) {
        Optional<Node> node = f.get("unit");
        String unit = node.flatMap(n -> scalars.text(n, "unit")).orElse("").strip();
        if (type == Type.DURATION && !unit.isEmpty() && !OwnKnob.isTime(unit)) {
            problems.add(
                    node.orElseThrow(),
                    "the unit of a duration is ns, us, ms, s, m or h: what the application counts in");
        }
        return unit;
    }

    private Optional<OwnKnob.How> how(Node node) {
        YamlFields f = YamlFields.closed(node, "set", PlanKeys.OWN_SET.keys(), problems);
        List<String> named = Stream.of("property", "system-property", "env", "file")
                .filter(f::has)
                .toList();
        if (named.size() != 1) {
            problems.add(
                    node,
                    "set is one of {property: NAME} (Spring), {system-property: NAME}, {env: NAME}, {file: PATH, line: TEXT} and"
                            + " {file: PATH, xpath: PATH}; without 'set', put {own.NAME} into the command");
            return Optional.empty();
        }
        Optional<String> name = f.get(named.getFirst())
                .flatMap(n -> scalars.text(n, named.getFirst()))
                .filter(t -> fits(f, named.getFirst(), t));
        return switch (named.getFirst()) {
            case "property" -> name.map(OwnKnob.Property::new);
            case "system-property" -> name.map(OwnKnob.SystemProperty::new);
            case "env" -> name.map(OwnKnob.Variable::new);
            default -> name.flatMap(file -> inFile(f, file));
        };
    }

    private boolean fits(YamlFields f, String key, String text) {
        boolean fits = switch (key) {
            case "env" -> text.matches("[A-Za-z_][A-Za-z0-9_.]*");
            case "file" ->
                !text.startsWith("/") && !("/" + text + "/").contains("/../") && text.matches("[\\w .+@/-]+");
            default -> text.matches("[A-Za-z_][\\w.\\[\\]-]*");
        };
        if (!fits) {
            problems.add(
                    f.at(key),
                    key.equals("file")
                            ? "file is a path inside the server's base, or one of the command's files, not '%s'"
                                    .formatted(text)
                            : "'%s' is no name for a %s".formatted(text, key.replace('-', ' ')));
        }
        return fits;
    }

    private Optional<OwnKnob.How> inFile(YamlFields f, String file) {
        if (f.has("line") == f.has("xpath")) {
            problems.add(
                    f.at("file"),
                    "a value in a file has either 'line' (with {value} in it) or 'xpath' (of an attribute)");
            return Optional.empty();
        }
        if (f.has("xpath")) {
            Optional<String> xpath = f.get("xpath").flatMap(n -> scalars.text(n, "xpath"));
            if (xpath.isPresent() && !xpath.get().matches(".*/@[\\w:.-]+")) {
                problems.add(f.at("xpath"), "xpath ends with the attribute: //Resource[@name='jdbc/shop']/@maxTotal");
                return Optional.empty();
            }
            return xpath.map(x -> new OwnKnob.Attribute(file, x));
        }
        Optional<String> line = f.get("line").flatMap(n -> scalars.text(n, "line"));
        if (line.isPresent() && (!line.get().contains("{value}") || line.get().startsWith("{value}"))) {
            problems.add(f.at("line"), "line begins with what is there, and has {value} in it: pool.size={value}");
            return Optional.empty();
        }
        return line.map(l -> new OwnKnob.Line(file, l));
    }

    private Optional<OwnKnob.ReadBack> readBack(Node node) {
        YamlFields f = YamlFields.closed(node, "read", PlanKeys.OWN_READ.keys(), problems);
        List<String> named =
                Stream.of("actuator", "mbean", "url", "run").filter(f::has).toList();
        if (named.size() != 1) {
            problems.add(
                    node,
                    "read is one of {actuator: METRIC}, {mbean: NAME, attribute: NAME}, {url: /PATH, pointer: /JSON/POINTER} and"
                            + " {run: [COMMAND, …]}");
            return Optional.empty();
        }
        return switch (named.getFirst()) {
            case "actuator" ->
                f.get("actuator").flatMap(n -> scalars.text(n, "actuator")).map(OwnKnob.Actuator::new);
            case "mbean" ->
                f.get("mbean")
                        .flatMap(n -> scalars.text(n, "mbean"))
                        .flatMap(b -> f.require("attribute", "MaximumPoolSize")
                                .flatMap(n -> scalars.text(n, "attribute"))
                                .map(a -> new OwnKnob.Bean(b, a)));
            case "url" ->
                f.get("url").flatMap(n -> scalars.text(n, "url")).flatMap(path -> {
                    String pointer = f.get("pointer")
                            .flatMap(n -> scalars.text(n, "pointer"))
                            .orElse("");
                    if (!path.matches("/[!-~]*") || !pointer.matches("(/.*)?")) {
                        problems.add(
                                f.at("url"),
                                "url is a path on the target, and pointer one of JSON: {url: /pool, pointer: /max}");
                        return Optional.empty();
                    }
                    return Optional.of(new OwnKnob.Document(path, pointer));
                });
            default ->
                f.get("run")
                        .map(n -> new OwnKnob.Output(scalars.list(n, "run").stream()
                                .flatMap(i -> scalars.text(i, "an argument").stream())
                                .toList()));
        };
    }

    /** Reports knobs that this target has no place for. */
    void fits(List<OwnKnob> own, Target target, YamlFields plan) {
        for (OwnKnob k : own) {
            String problem = problem(k, target);
            if (!problem.isEmpty()) {
                YamlFields all = YamlFields.open(plan.get("own").orElseThrow(), "own", new Problems(""));
                problems.add(all.at(k.name().substring(OwnKnob.PREFIX.length())), k.name() + ": " + problem);
            }
        }
    }

    private static String problem(OwnKnob k, Target target) {
        if (!target.isLaunched()) {
            return "an own knob is set when a target starts; Fettle does not start " + target.label();
        }
        return switch (k.set()) {
            case OwnKnob.Placeholder() ->
                target instanceof Target.Command c && c.configures().containsKey(k.name())
                        ? ""
                        : "nothing says where it is set: give it 'set', or put {%s} into the command, env or templates"
                                .formatted(k.name());
            case OwnKnob.Property _ ->
                target.takesProperties()
                        ? ""
                        : "a property is for a Spring Boot jar (target: {boot: app.jar}); elsewhere say system-property, env or"
                                + " file";
            case OwnKnob.SystemProperty _ -> target.takesFlags() ? "" : "a system property needs {jvm} in the command";
            case OwnKnob.Variable _ -> "";
            case OwnKnob.Line(var file, var _) -> inFile(file, target);
            case OwnKnob.Attribute(var file, var _) -> inFile(file, target);
        };
    }

    private static String inFile(String file, Target target) {
        return switch (target) {
            case Target.Standalone _ -> "";
            case Target.Command c ->
                c.files().containsKey(file) || c.templates().containsKey(file)
                        ? ""
                        : "there is no '%s' in the command's files or templates".formatted(file);
            default -> "a file of its own has only a standalone server or a command; say system-property or env";
        };
    }
}
