package dev.fettle.model.read;

import static dev.fettle.model.key.Rule.Kind.NEEDS;
import static dev.fettle.model.key.Rule.Kind.NOT_BOTH;
import static dev.fettle.model.key.Rule.Kind.ONE;

import dev.fettle.model.key.Choice;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.Knob.Scale;
import dev.fettle.model.knob.Knob.Type;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;

/** The keys of a knob under {@code own}: one of the user's application. */
@Section(value = "ownKnob", what = OwnKnob.PREFIX + "%s", doc = "A knob of the user's application.")
record OwnKnobKeys(
        YamlFields at,

        @Key(value = "How its values are written in the plan.", required = "int")
        @Choice({"int", "duration", "size", "bool", "enum", "text"})
        Optional<Type> type,

        @Key(value = "Smallest value.", form = Form.VALUE) Optional<Node> from,
        @Key(value = "Largest value.", form = Form.VALUE) Optional<Node> to,

        @Key(value = "The values of an enum.", item = "a choice")
        List<String> choices,

        @Key("How a search spaces its steps.") @Choice({"log", "linear"}) @Default("log")
        Scale scale,

        @Key(value = "What the application has when nothing is set.", name = "default")
        Optional<Placed<String>> byDefault,

        @Key(
                "Of a duration, what the application counts in: ns, us, ms, s, m or h (default: ms); of others, a word for reports.")
        Optional<Placed<String>> unit,

        @Key("One line for reports.") String about,

        @Key(value = "Where a value goes; without it, {own.NAME} stands in the command.", of = Place.class)
        Optional<OwnKnob.How> set,

        @Key(value = "Where the value in effect can be read.", of = Effect.class)
        Optional<OwnKnob.ReadBack> read) {
    /** What such a knob may be called; bounded as {@link TargetKeys#PATH}. */
    static final String NAMES = "[a-z][a-z0-9]*([.-][a-z0-9]+){0,64}";

    private static final String PROPERTY = "[A-Za-z_][\\w.\\[\\]-]*";
    private static final long MOST = 1_000_000_000_000L;

    /** The knob of a name; empty if a problem was reported. */
    Optional<OwnKnob> knob(String name, Reading reading) {
        Optional<OwnKnob.How> how = at.has("set") ? set : Optional.of(new OwnKnob.Placeholder());
        if (type.isEmpty() || how.isEmpty()) {
            return Optional.empty();
        }
        OwnKnob bare = new OwnKnob(
                OwnKnob.PREFIX + name,
                type.get(),
                scale,
                0,
                MOST,
                values(type.get()),
                Optional.empty(),
                unit(type.get(), reading),
                about.strip(),
                how.get(),
                read);
        OwnKnob ranged = bare.with()
                .min(end("from", from, bare, 0, reading))
                .max(end("to", to, bare, MOST, reading))
                .build();
        if (ranged.min() >= ranged.max()) {
            at.wrong("to", "%s: 'to' is above 'from'".formatted(bare.name()));
            return Optional.empty();
        }
        return Optional.of(ranged.withByDefault(
                byDefault.flatMap(d -> reading.scalars().tried(d.at(), "", d.value(), ranged.knob()::canonical))));
    }

    private long end(String key, Optional<Node> node, OwnKnob knob, long otherwise, Reading reading) {
        if (node.isPresent() && !knob.knob().hasInterval()) {
            at.wrong(
                    key,
                    "%s is %s and has no '%s'"
                            .formatted(knob.name(), knob.type().name().toLowerCase(Locale.ROOT), key));
            return otherwise;
        }
        return node.flatMap(n -> reading.scalars()
                        .text(n, key)
                        .flatMap(t -> reading.scalars().tried(n, "", t, knob.knob()::number)))
                .orElse(otherwise);
    }

    private List<String> values(Type of) {
        if (of == Type.BOOL) {
            return List.of("true", "false");
        }
        if (of == Type.ENUM) {
            at.require("choices", "[LRU, LFU]");
            return choices.stream().distinct().toList();
        }
        if (at.has("choices")) {
            at.wrong("choices", "only an enum has 'choices'");
        }
        return List.of();
    }

    private String unit(Type of, Reading reading) {
        String in = unit.map(Placed::value).orElse("").strip();
        if (of == Type.DURATION && !in.isEmpty() && !OwnKnob.isTime(in)) {
            reading.problems()
                    .add(
                            unit.orElseThrow().at(),
                            "the unit of a duration is ns, us, ms, s, m or h: what the application counts in");
        }
        return in;
    }

    /** Why a target has no place for a knob; empty if it has one. */
    static String problem(OwnKnob k, Target target) {
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

    /** Where a value goes. */
    @Section(value = "ownSet", what = "set", doc = "Where the value of an own knob goes.")
    @Rule(
            kind = ONE,
            whole = true,
            keys = "property system-property env file",
            says =
                    "set is one of {property: NAME} (Spring), {system-property: NAME}, {env: NAME}, {file: PATH, line: TEXT} and"
                            + " {file: PATH, xpath: PATH}; without 'set', put {own.NAME} into the command")
    @Rule(kind = NEEDS, keys = "file line xpath", says = Place.ONE_WAY)
    @Rule(kind = NOT_BOTH, keys = "line xpath", says = Place.ONE_WAY)
    record Place(
            @Key("A property of a Spring Boot application.")
            @Matches(value = PROPERTY, says = "'%s' is no name for a property")
            Optional<String> property,

            @Key("A system property of the JVM.")
            @Matches(value = PROPERTY, says = "'%s' is no name for a system property")
            Optional<String> systemProperty,

            @Key("An environment variable.") @Matches(value = HookKeys.VARIABLE, says = "'%s' is no name for a env")
            Optional<String> env,

            @Key("A file: from the server's base, or among the command's files.")
            @Matches(
                    value = "(?!/)(?!.*(^|/)\\.\\.(/|$))[\\w .+@/-]+",
                    says = "file is a path inside the server's base, or one of the command's files, not '%s'")
            Optional<String> file,

            @Key("A line of the file, with {value} in it; it takes the place of the one that begins as it does.")
            @Matches(
                    value = "(?!\\{value\\})[\\s\\S]*\\{value\\}[\\s\\S]*",
                    says = "line begins with what is there, and has {value} in it: pool.size={value}")
            Optional<String> line,

            @Key("Of an attribute in an XML file: //Resource[@name='jdbc/shop']/@maxTotal.")
            @Matches(
                    value = ".*/@[\\w:.-]+",
                    says = "xpath ends with the attribute: //Resource[@name='jdbc/shop']/@maxTotal")
            Optional<String> xpath)
            implements Written<OwnKnob.How> {
        static final String ONE_WAY =
                "a value in a file has either 'line' (with {value} in it) or 'xpath' (of an attribute)";

        @Override
        public Optional<OwnKnob.How> value(Reading reading) {
            return property.<OwnKnob.How>map(OwnKnob.Property::new)
                    .or(() -> systemProperty.map(OwnKnob.SystemProperty::new))
                    .or(() -> env.map(OwnKnob.Variable::new))
                    .or(() -> file.flatMap(f -> line.<OwnKnob.How>map(l -> new OwnKnob.Line(f, l))
                            .or(() -> xpath.map(x -> new OwnKnob.Attribute(f, x)))));
        }
    }

    /** Where the value in effect can be read. */
    @Section(value = "ownRead", what = "read", doc = "Where the value of an own knob can be read.")
    @Rule(
            kind = ONE,
            whole = true,
            keys = "actuator mbean url run",
            says =
                    "read is one of {actuator: METRIC}, {mbean: NAME, attribute: NAME}, {url: /PATH, pointer: /JSON/POINTER} and"
                            + " {run: [COMMAND, …]}")
    @Rule(
            kind = NEEDS,
            whole = true,
            keys = "mbean attribute",
            says = "%s needs 'attribute', for example attribute: MaximumPoolSize")
    record Effect(
            @Key("A metric of Spring Boot's actuator: hikaricp.connections.max.")
            Optional<String> actuator,

            @Key("An MBean's name, or a pattern that one matches.")
            Optional<String> mbean,

            @Key("Of the MBean.") Optional<String> attribute,

            @Key("A path on the target.") @Matches(value = "/[!-~]*", says = NO_DOCUMENT)
            Optional<String> url,

            @Key("A JSON pointer into its answer; without it, the answer is the value.")
            @Matches(value = "(/.*)?", says = NO_DOCUMENT)
            String pointer,

            @Key(
                    value = "A command that prints the value; {pid} and {port} stand for the target's.",
                    item = "an argument")
            List<String> run)
            implements Written<OwnKnob.ReadBack> {
        static final String NO_DOCUMENT =
                "url is a path on the target, and pointer one of JSON: {url: /pool, pointer: /max}";

        @Override
        public Optional<OwnKnob.ReadBack> value(Reading reading) {
            return actuator.<OwnKnob.ReadBack>map(OwnKnob.Actuator::new)
                    .or(() -> mbean.flatMap(b -> attribute.map(a -> new OwnKnob.Bean(b, a))))
                    .or(() -> url.map(u -> new OwnKnob.Document(u, pointer)))
                    .or(() -> run.isEmpty() ? Optional.empty() : Optional.of(new OwnKnob.Output(run)));
        }
    }
}
