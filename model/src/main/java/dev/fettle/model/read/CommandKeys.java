package dev.fettle.model.read;

import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Names;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Section;
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
import org.yaml.snakeyaml.nodes.Node;

/** The keys of a command target. */
@Section(value = "command", what = "a command target", doc = "Any program that listens on the port it is given.")
record CommandKeys(
        YamlFields at,

        @Key(
                value =
                        "The arguments, with placeholders {port}, {java}, {jvm}, {dir}, {artifact:NAME} and {KNOB}. A nested list is a group, left out when a knob in it is not set.",
                form = Form.ARGUMENTS,
                required = "['{java}', -jar, app.jar, '--port={port}']")
        List<List<Placed<String>>> command,

        @Key("Maven artifacts by name, group:artifact:version; {artifact:NAME} is the path of the file.")
        @Names(value = "[A-Za-z0-9._-]+", says = "an artifact's name is letters, digits, '.', '_' and '-', not '%s'")
        @Matches(value = "[\\w.-]+:[\\w.-]+:[\\w.-]+", says = "an artifact is group:artifact:version, not '%s'")
        Map<String, String> artifacts,

        @Key("Files to create in the trial's folder, by relative path.") @Names(value = FILE, says = NO_FILE)
        Map<String, String> files,

        @Key(
                "Files with placeholders, by relative path; a line with one of a knob that is not set is left out. {{name}} is the text {name}.")
        @Names(value = FILE, says = NO_FILE)
        List<Named<Template>> templates,

        @Key("Extra environment variables; values may hold placeholders.")
        @Names(value = HookKeys.VARIABLE, says = HookKeys.NO_VARIABLE)
        List<Named<String>> env,

        @Key("Prefix of the worker threads' names, by which busy threads are counted.")
        Optional<String> workers,

        @Key(value = "The program's own defaults of the knobs in the command.", form = Form.SETTING)
        Optional<Node> defaults,

        @Key(value = TargetKeys.JAVA, form = Form.JDKS) @Range(from = "8")
        List<String> java,

        @Key(value = "JVM flags of every trial; {jvm} stands for them.", form = Form.FLAGS)
        List<String> jvm)
        implements TargetKeys {
    /** Inside the trial's folder; bounded as {@link TargetKeys#PATH}. */
    private static final String FILE = "(?!.*(^|/)( *|\\.{1,2})(/|$))[\\w .+@-]+(/[\\w .+@-]+){0,64}";

    private static final String NO_FILE =
            "'%s' is not a relative path inside the trial's folder: no '..', not absolute";

    private static final List<String> PLAIN = List.of("port", "java", "jvm", "dir");
    private static final String ARTIFACT = "artifact:";
    private static final String PORT = "port:";

    @Override
    public Optional<Target> value(Reading reading) {
        var use = new Use(reading, at.in("artifacts"), new LinkedHashSet<>());
        command.forEach(group -> group.forEach(a -> use.argument(a, group.size() == 1)));
        var variables = new LinkedHashMap<String, String>();
        for (Named<String> e : env) {
            use.placeholders(e.at(), e.value(), false);
            variables.put(e.name(), e.value());
        }
        var texts = new LinkedHashMap<String, String>();
        for (Named<Template> t : templates) {
            t.value().contents(reading).ifPresent(text -> {
                use.template(t.at(), text);
                texts.put(t.name(), text);
            });
            if (at.in("files").has(t.name())) {
                at.in("files").wrong(t.name(), "'%s' is in templates, too".formatted(t.name()));
            }
        }
        Jvm on = TargetKeys.jvm(at, java, jvm, reading);
        if (!command.isEmpty()) {
            wants(
                    use,
                    "port",
                    "command",
                    "nothing gives the program its port: put {port} into the command, env or templates");
            wants(use, "java", "java", "java has no effect: {java} is not in the command");
            wants(use, "jvm", "jvm", "jvm has no effect: {jvm} is not in the command");
        }
        for (YamlFields.Entry e : at.in("artifacts").all()) {
            wants(
                    use,
                    ARTIFACT + e.key(),
                    "artifacts",
                    "artifact '%s' is not used: put {artifact:%s} into the command".formatted(e.key(), e.key()));
        }
        Map<String, String> configures = use.configures();
        defaults.ifPresent(node -> new KnobReader(reading.problems())
                .setting(node, "defaults")
                .values()
                .forEach((k, v) -> {
                    if (configures.replace(k, v) == null) {
                        at.in("defaults").wrong(k, "%s has a default, but {%s} is not in the command".formatted(k, k));
                    }
                }));
        List<List<String>> arguments = command.stream()
                .map(g -> g.stream().map(Placed::value).toList())
                .toList();
        return arguments.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Target.Command(arguments, variables, files, texts, artifacts, workers, configures, on));
    }

    private void wants(Use use, String placeholder, String key, String message) {
        if (at.has(key) && !use.found().contains(placeholder)) {
            at.wrong(key, message);
        }
    }

    /** A template: its text, or a file that holds it and becomes part of the plan. */
    @Section(value = "template", what = "a template", doc = "A template that is a file of yours.")
    record Template(
            @Key(value = "Its text.", alone = true) Optional<String> text,

            @Key(value = "The file, from the plan's folder.", required = "conf/app.properties.in")
            Optional<Placed<String>> from) {
        Optional<String> contents(Reading reading) {
            return text.or(() -> from.flatMap(reading::contents));
        }
    }

    /**
     * Checks the placeholders in use.
     *
     * @param found knobs, {@code port}, {@code artifact:NAME}…
     */
    private record Use(Reading reading, YamlFields artifacts, Set<String> found) {
        void argument(Placed<String> argument, boolean alone) {
            placeholders(argument.at(), argument.value(), alone);
        }

        void placeholders(Node node, String text, boolean mayExpand) {
            Problems problems = reading.problems();
            for (String name : Placeholders.in(text)) {
                if (name.startsWith(ARTIFACT)) {
                    artifact(node, name);
                } else if (name.startsWith(PORT)) {
                    reading.port(node, name.substring(PORT.length()));
                } else if (name.equals("jvm") && !(mayExpand && text.equals("{jvm}"))) {
                    problems.add(node, "{jvm} stands for several arguments: give it a line of its own in the command");
                } else if (!PLAIN.contains(name) && !isKnob(name)) {
                    problems.add(node, unknown(name));
                }
                found.add(name);
            }
        }

        private void artifact(Node node, String name) {
            String artifact = name.substring(ARTIFACT.length());
            if (!artifacts.has(artifact)) {
                String meant = NearestName.nearest(artifact, artifacts.keys())
                        .map(n -> "; did you mean '" + n + "'?")
                        .orElse("");
                reading.problems().add(node, "{%s}: there is no '%s' in artifacts%s".formatted(name, artifact, meant));
            }
        }

        /** Files may contain braces of their own: text that looks like a placeholder must be escaped. */
        void template(Node node, String text) {
            for (String name : new LinkedHashSet<>(Placeholders.in(text))) {
                if (PLAIN.contains(name) || name.startsWith(ARTIFACT) || name.startsWith(PORT) || isKnob(name)) {
                    placeholders(node, "{" + name + "}", false);
                } else {
                    reading.problems()
                            .add(node, unknown(name) + "; for the characters themselves write {{%s}}".formatted(name));
                }
            }
        }

        /** The knobs the command understands, without defaults. */
        Map<String, String> configures() {
            var out = new LinkedHashMap<String, String>();
            found.stream().filter(Use::isKnob).forEach(name -> out.put(name, ""));
            if (found.contains("jvm")) {
                out.putIfAbsent("jvm.flags", "");
            }
            if (found.contains("java")) {
                out.putIfAbsent(Jvm.JDK, "");
            }
            return out;
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
    }
}
