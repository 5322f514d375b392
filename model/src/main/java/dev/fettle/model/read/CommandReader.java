package dev.fettle.model.read;

import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.target.Placeholders;
import dev.fettle.model.target.Target;
import dev.fettle.model.target.Target.Jvm;
import dev.fettle.model.text.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a command target. */
final class CommandReader {
    private static final List<String> PLAIN = List.of("port", "java", "jvm", "dir");
    private static final String ARTIFACT = "artifact:";
    private static final String PORT = "port:";

    private final Problems problems;
    private final Scalars scalars;
    private final TargetReader targets;
    /** Placeholders in use: knobs, {@code port}, {@code artifact:NAME}… */
    private final Set<String> used = new LinkedHashSet<>();

    CommandReader(Problems problems, TargetReader targets) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.targets = targets;
    }

    Optional<Target> read(YamlFields f) {
        Map<String, String> artifacts = map(f, "artifacts", this::artifact);
        List<List<String>> arguments = f.get("command")
                .map(n -> new ArgumentReader(
                                problems, (at, text, alone) -> placeholders(at, text, artifacts.keySet(), alone))
                        .read(n, "command"))
                .orElse(List.of());
        Map<String, String> env = map(f, "env", (e, value) -> {
            if (!e.key().matches("[A-Za-z_][A-Za-z0-9_.]*")) {
                problems.add(e.keyNode(), "'%s' is not a name of an environment variable".formatted(e.key()));
            }
            placeholders(e.value(), value, artifacts.keySet(), false);
        });
        Map<String, String> files = map(f, "files", (e, value) -> file(e));
        Map<String, String> templates = templates(f, artifacts.keySet());
        Optional<String> workers = f.get("workers").flatMap(n -> scalars.text(n, "workers"));
        Jvm jvm = targets.jvm(f, 8);
        if (!arguments.isEmpty()) {
            wants(
                    f,
                    "port",
                    "command",
                    "nothing gives the program its port: put {port} into the command, env or templates");
            needs(f, "java", "java", "java has no effect: {java} is not in the command");
            needs(f, "jvm", "jvm", "jvm has no effect: {jvm} is not in the command");
        }
        for (String name : artifacts.keySet()) {
            if (!used.contains(ARTIFACT + name)) {
                problems.add(
                        f.at("artifacts"),
                        "artifact '%s' is not used: put {artifact:%s} into the command".formatted(name, name));
            }
        }
        Map<String, String> configures = configures(f);
        return arguments.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Target.Command(arguments, env, files, templates, artifacts, workers, configures, jvm));
    }

    private void wants(YamlFields f, String placeholder, String key, String message) {
        if (!used.contains(placeholder)) {
            problems.add(f.at(key), message);
        }
    }

    private void needs(YamlFields f, String key, String placeholder, String message) {
        if (f.has(key)) {
            wants(f, placeholder, key, message);
        }
    }

    private void placeholders(Node node, String text, Set<String> artifacts, boolean mayExpand) {
        for (String name : Placeholders.in(text)) {
            if (name.startsWith(ARTIFACT)) {
                String artifact = name.substring(ARTIFACT.length());
                if (!artifacts.contains(artifact)) {
                    String meant = NearestName.nearest(artifact, artifacts)
                            .map(n -> "; did you mean '" + n + "'?")
                            .orElse("");
                    problems.add(node, "{%s}: there is no '%s' in artifacts%s".formatted(name, artifact, meant));
                }
            } else if (name.startsWith(PORT)) {
                targets.port(node, name.substring(PORT.length()));
            } else if (name.equals("jvm") && !(mayExpand && text.equals("{jvm}"))) {
                problems.add(node, "{jvm} stands for several arguments: give it a line of its own in the command");
            } else if (!PLAIN.contains(name) && !isKnob(name)) {
                problems.add(node, unknown(name));
            }
            used.add(name);
        }
    }

    private static boolean isKnob(String name) {
        return Knobs.find(name).isPresent() || OwnKnob.is(name);
    }

    private static String unknown(String name) {
        var known = new ArrayList<>(PLAIN);
        known.addAll(Knobs.names());
        String meant = NearestName.nearest(name, known)
                .or(() -> Knobs.nearest(name))
                .map(n -> "; did you mean {" + n + "}?")
                .orElse("");
        return "unknown placeholder {%s}%s (known: {port}, {java}, {jvm}, {dir}, {artifact:NAME}, {port:NAME} and knobs)"
                .formatted(name, meant);
    }

    /** The knobs the command understands, each with the program's default or an empty text. */
    private Map<String, String> configures(YamlFields f) {
        var out = new LinkedHashMap<String, String>();
        for (String name : used) {
            if (isKnob(name)) {
                out.put(name, "");
            }
        }
        if (used.contains("jvm")) {
            out.putIfAbsent("jvm.flags", "");
        }
        if (used.contains("java")) {
            out.putIfAbsent(Jvm.JDK, "");
        }
        f.get("defaults").ifPresent(node -> {
            for (var e :
                    new KnobReader(problems).setting(node, "defaults").values().entrySet()) {
                if (!out.containsKey(e.getKey())) {
                    problems.add(
                            YamlFields.open(node, "defaults", new Problems("")).at(e.getKey()),
                            "%s has a default, but {%s} is not in the command".formatted(e.getKey(), e.getKey()));
                } else {
                    out.put(e.getKey(), e.getValue());
                }
            }
        });
        return out;
    }

    /** {@code PATH: TEXT} or {@code PATH: {from: FILE}}, where the file's text becomes part of the plan. */
    private Map<String, String> templates(YamlFields f, Set<String> artifacts) {
        var out = new LinkedHashMap<String, String>();
        f.get("templates").ifPresent(node -> {
            for (YamlFields.Entry e :
                    YamlFields.open(node, "templates", problems).all()) {
                file(e);
                Optional<String> text = e.value() instanceof MappingNode
                        ? YamlFields.closed(e.value(), "a template", PlanKeys.TEMPLATE.keys(), problems)
                                .require("from", "conf/app.properties.in")
                                .flatMap(targets::contents)
                        : scalars.text(e.value(), e.key());
                text.ifPresent(t -> {
                    templatePlaceholders(e.value(), t, artifacts);
                    out.put(e.key(), t);
                });
            }
            f.get("files")
                    .ifPresent(files -> YamlFields.open(files, "files", new Problems(""))
                            .all()
                            .forEach(e -> {
                                if (out.containsKey(e.key())) {
                                    problems.add(e.keyNode(), "'%s' is in templates, too".formatted(e.key()));
                                }
                            }));
        });
        return out;
    }

    /**
     * Checks a template's placeholders. Files may contain braces of their own; text that looks like a placeholder must be
     * escaped.
     */
    private void templatePlaceholders(Node node, String text, Set<String> artifacts) {
        for (String name : new LinkedHashSet<>(Placeholders.in(text))) {
            boolean known = PLAIN.contains(name) || name.startsWith(ARTIFACT) || name.startsWith(PORT) || isKnob(name);
            if (known) {
                placeholders(node, "{" + name + "}", artifacts, false);
            } else {
                problems.add(node, unknown(name) + "; for the characters themselves write {{%s}}".formatted(name));
            }
        }
    }

    private Map<String, String> map(YamlFields f, String key, BiConsumer<YamlFields.Entry, String> check) {
        var out = new LinkedHashMap<String, String>();
        f.get(key).ifPresent(node -> {
            for (YamlFields.Entry e : YamlFields.open(node, key, problems).all()) {
                scalars.text(e.value(), e.key()).ifPresent(value -> {
                    check.accept(e, value);
                    out.put(e.key(), value);
                });
            }
        });
        return out;
    }

    private void artifact(YamlFields.Entry e, String value) {
        if (!e.key().matches("[A-Za-z0-9._-]+")) {
            problems.add(
                    e.keyNode(),
                    "an artifact's name is letters, digits, '.', '_' and '-', not '%s'".formatted(e.key()));
        }
        if (!value.matches("[\\w.-]+:[\\w.-]+:[\\w.-]+")) {
            problems.add(e.value(), "an artifact is group:artifact:version, not '%s'".formatted(value));
        }
    }

    /** Checks that a file lies inside the trial's folder. */
    private void file(YamlFields.Entry e) {
        boolean inside = e.key().matches("[\\w .+@-]++(?:/[\\w .+@-]++)*+");
        for (String part : e.key().split("/", -1)) {
            inside &= !part.isBlank() && !part.equals(".") && !part.equals("..");
        }
        if (!inside) {
            problems.add(
                    e.keyNode(),
                    "'%s' is not a relative path inside the trial's folder: no '..', not absolute".formatted(e.key()));
        }
    }
}
