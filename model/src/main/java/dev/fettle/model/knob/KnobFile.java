package dev.fettle.model.knob;

import dev.fettle.model.knob.Knob.Part;
import dev.fettle.model.knob.Knob.Scale;
import dev.fettle.model.knob.Knob.Type;
import dev.fettle.model.text.TableEntry;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the catalogue's files, whose keys are explained at the top of each. A mistake in them breaks the build. */
final class KnobFile {
    private static final Set<String> KEYS = Stream.concat(Stream.of("""
            about type int duration size none choices needs at-most constraint watch shown try jvm process""".split("\\s+")), ServerKind.ids().stream())
            .collect(Collectors.toUnmodifiableSet());
    /** A type and its range in one. */
    private static final List<String> INTERVALS = List.of("int", "duration", "size");

    private static final Set<String> NATIVE_KEYS = Set.of("""
            name default defaults live set standalone boot boot-in mbean values with unread may-differ try""".split("\\s+"));
    private static final Set<String> JVM_KEYS = Set.of("""
            option write unit since until property at-least values default live needs unread may-differ""".split("\\s+"));
    private static final Set<String> PROCESS_KEYS =
            Set.of("launch", "read", "default", "systemd", "docker", "may-differ");
    private static final int FIRST_JAVA = 11;
    /** Chooses a JDK; not a JVM flag. */
    private static final String JAVA_HOME = "JAVA_HOME";

    private KnobFile() {}

    static List<Knob> read(String file, Part part) {
        return TableEntry.read("knobs/" + file, KEYS, (name, entry) -> knob(name, part, entry));
    }

    private static Knob knob(String name, Part part, TableEntry e) {
        Optional<String> interval = INTERVALS.stream().filter(e::has).findAny();
        Type type = Type.valueOf(interval.orElseGet(() -> e.text("type")).toUpperCase(Locale.ROOT));
        List<String> range = interval.map(e::list).orElse(List.of("0", "0", "linear"));
        long least = Long.parseLong(range.getFirst());
        Optional<JvmOption> option =
                part == Part.JVM ? Optional.of(jvm(type, e.entry("jvm", JVM_KEYS))) : Optional.empty();
        Optional<LaunchOption> launch =
                part == Part.PROCESS ? Optional.of(launch(e.entry("process", PROCESS_KEYS))) : Optional.empty();
        var natives = new EnumMap<ServerKind, NativeKnob>(ServerKind.class);
        for (ServerKind server : ServerKind.values()) {
            natives.put(
                    server,
                    switch (part) {
                        case SERVER -> server(server, e);
                        case JVM ->
                            everywhere(
                                    option.orElseThrow().write().isEmpty()
                                            ? JAVA_HOME
                                            : option.orElseThrow().write(),
                                    e.entry("jvm", JVM_KEYS),
                                    e.get("try"));
                        case PROCESS ->
                            everywhere(launch.orElseThrow().command(), e.entry("process", PROCESS_KEYS), e.get("try"));
                    });
        }
        return new Knob(
                name,
                part,
                type,
                Scale.valueOf(range.getLast().toUpperCase(Locale.ROOT)),
                e.get("none").isEmpty() ? least : Long.parseLong(e.get("none")),
                least,
                Long.parseLong(range.get(1)),
                type == Type.BOOL ? List.of("false", "true") : type == Type.ENUM ? e.list("choices") : List.of(),
                e.text("about"),
                e.get("constraint"),
                e.get("watch"),
                e.flag("shown"),
                e.map("needs"),
                Optional.of(e.get("at-most")).filter(k -> !k.isEmpty()),
                natives,
                option,
                launch);
    }

    private static NativeKnob server(ServerKind server, TableEntry knob) {
        if (!knob.has(server.id())) {
            throw new IllegalArgumentException(server.id() + " is missing");
        }
        if (knob.hasText(server.id())) {
            return NativeKnob.absent(knob.text(server.id()));
        }
        TableEntry e = knob.entry(server.id(), NATIVE_KEYS);
        String name = e.text("name");
        ServerRules rules = server.rules();
        String set = e.get("set").isEmpty() ? rules.usualPlace(name).orElseGet(() -> e.text("set")) : e.get("set");
        return new NativeKnob(
                true,
                name,
                e.text("default"),
                e.map("defaults"),
                e.flag("live"),
                set,
                e.get("standalone").isEmpty() ? rules.usualStandalone(name, set) : e.get("standalone"),
                e.get("boot"),
                e.get("boot").isEmpty()
                        ? ""
                        : e.get("boot-in").isEmpty()
                                ? rules.bootModule().isEmpty() ? "3.5" : "3.5 and 4"
                                : e.get("boot-in"),
                e.get("mbean"),
                e.map("values"),
                e.map("with"),
                e.get("unread"),
                e.get("may-differ"),
                e.get("try").isEmpty() ? knob.text("try") : e.get("try"));
    }

    private static NativeKnob everywhere(String written, TableEntry e, String trial) {
        return new NativeKnob(
                true,
                written,
                e.text("default"),
                Map.of(),
                e.flag("live"),
                "",
                "",
                "",
                "",
                "",
                Map.of(),
                Map.of(),
                e.get("unread"),
                e.get("may-differ"),
                trial);
    }

    private static JvmOption jvm(Type type, TableEntry e) {
        String option = e.get("option");
        boolean property = e.flag("property");
        String usual = property ? "-D%s={}" : type == Type.BOOL ? "-XX:{}%s" : "-XX:%s={}";
        return new JvmOption(
                option,
                type == Type.JDK ? "" : e.get("write").isEmpty() ? usual.formatted(option) : e.get("write"),
                e.get("unit").isEmpty() ? 1 : Long.parseLong(e.get("unit")),
                e.get("since").isEmpty() ? FIRST_JAVA : Integer.parseInt(e.get("since")),
                e.get("until").isEmpty() ? JvmOption.STILL : Integer.parseInt(e.get("until")),
                property,
                e.flag("at-least"),
                e.map("values"),
                e.map("needs").getOrDefault("jvm.gc", ""),
                e.flag("live"));
    }

    private static LaunchOption launch(TableEntry e) {
        return new LaunchOption(e.text("launch"), e.text("read"), e.get("systemd"), e.get("docker"));
    }
}
