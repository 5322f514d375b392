package dev.fettle.model.knob;

import dev.fettle.model.knob.Knob.Part;
import dev.fettle.model.knob.Knob.Scale;
import dev.fettle.model.knob.Knob.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the catalogue's files, whose keys are explained at the top of each. A mistake in them breaks the build. */
record KnobFile(String file, Part part) {
    private static final Set<String> KEYS = Set.of("""
            about type range none scale choices needs at-most constraint watch shown try jvm process tomcat jetty
            undertow""".split("\\s+"));
    private static final Set<String> NATIVE_KEYS = Set.of("""
            name default defaults live set standalone boot boot-in mbean values with unread may-differ try""".split("\\s+"));
    private static final Set<String> JVM_KEYS = Set.of("""
            option write unit since until property at-least values default live needs unread may-differ""".split("\\s+"));
    private static final Set<String> PROCESS_KEYS =
            Set.of("launch", "read", "default", "systemd", "docker", "may-differ");
    private static final int FIRST_JAVA = 11;
    /** Chooses a JDK; not a JVM flag. */
    private static final String JAVA_HOME = "JAVA_HOME";

    static List<Knob> read(String file, Part part) {
        return new KnobFile(file, part).knobs();
    }

    private List<Knob> knobs() {
        try (InputStream in = KnobFile.class.getResourceAsStream("/dev/fettle/model/knobs/" + file)) {
            if (in == null) {
                throw new IllegalStateException("knobs/" + file + " is missing from the class path");
            }
            var options = new LoaderOptions();
            options.setAllowDuplicateKeys(false);
            Map<String, Object> all = new Yaml(new SafeConstructor(options)).load(in);
            var knobs = new ArrayList<Knob>();
            all.forEach((name, entry) -> {
                try {
                    knobs.add(knob(name, new Entry(entry, KEYS)));
                } catch (RuntimeException e) {
                    throw new IllegalStateException(file + ": " + name + ": " + e.getMessage(), e);
                }
            });
            return knobs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Knob knob(String name, Entry e) {
        Type type = Type.valueOf(e.text("type").toUpperCase(Locale.ROOT));
        boolean interval = type == Type.INT || type == Type.DURATION || type == Type.SIZE;
        List<String> range = interval ? e.list("range") : List.of("0", "0");
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
                Scale.valueOf(
                        e.get("scale").isEmpty() ? "LINEAR" : e.get("scale").toUpperCase(Locale.ROOT)),
                e.get("none").isEmpty() ? least : Long.parseLong(e.get("none")),
                least,
                Long.parseLong(range.getLast()),
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

    private static NativeKnob server(ServerKind server, Entry knob) {
        if (!knob.has(server.id())) {
            throw new IllegalArgumentException(server.id() + " is missing");
        }
        if (knob.is(server.id(), String.class)) {
            return NativeKnob.absent(knob.text(server.id()));
        }
        Entry e = knob.entry(server.id(), NATIVE_KEYS);
        String name = e.text("name");
        boolean tomcat = server == ServerKind.TOMCAT;
        String set = e.get("set").isEmpty() && tomcat ? "connector." + name : e.text("set");
        boolean attribute = set.startsWith("connector.");
        return new NativeKnob(
                true,
                name,
                e.text("default"),
                e.map("defaults"),
                e.flag("live"),
                set,
                e.get("standalone").isEmpty() && tomcat && attribute ? "Connector@" + name : e.get("standalone"),
                e.get("boot"),
                e.get("boot").isEmpty()
                        ? ""
                        : e.get("boot-in").isEmpty()
                                ? server == ServerKind.UNDERTOW ? "3.5" : "3.5 and 4"
                                : e.get("boot-in"),
                e.get("mbean"),
                e.map("values"),
                e.map("with"),
                e.get("unread"),
                e.get("may-differ"),
                e.get("try").isEmpty() ? knob.text("try") : e.get("try"));
    }

    private static NativeKnob everywhere(String written, Entry e, String trial) {
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

    private static JvmOption jvm(Type type, Entry e) {
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

    private static LaunchOption launch(Entry e) {
        return new LaunchOption(e.text("launch"), e.text("read"), e.get("systemd"), e.get("docker"));
    }

    /** A mapping of the file; unread keys are errors. */
    private static final class Entry {
        private final Map<?, ?> values;

        Entry(@Nullable Object node, Set<String> known) {
            if (!(node instanceof Map<?, ?> map)) {
                throw new IllegalArgumentException("a mapping is wanted, not " + node);
            }
            for (Object key : map.keySet()) {
                if (!known.contains(String.valueOf(key))) {
                    throw new IllegalArgumentException("unknown key '" + key + "'");
                }
            }
            this.values = map;
        }

        boolean has(String key) {
            return values.containsKey(key);
        }

        boolean is(String key, Class<?> type) {
            return type.isInstance(values.get(key));
        }

        Entry entry(String key, Set<String> known) {
            return new Entry(values.get(key), known);
        }

        /** A value; empty if missing. */
        String get(String key) {
            Object value = values.get(key);
            return value == null ? "" : String.valueOf(value);
        }

        String text(String key) {
            String value = get(key);
            if (value.isBlank()) {
                throw new IllegalArgumentException("'" + key + "' is missing");
            }
            return value;
        }

        boolean flag(String key) {
            return get(key).equals("true");
        }

        List<String> list(String key) {
            if (!(values.get(key) instanceof List<?> list)) {
                throw new IllegalArgumentException("'" + key + "' is no list");
            }
            return list.stream().map(String::valueOf).toList();
        }

        Map<String, String> map(String key) {
            var out = new LinkedHashMap<String, String>();
            if (values.get(key) instanceof Map<?, ?> map) {
                map.forEach((k, v) -> out.put(String.valueOf(k), String.valueOf(v)));
            }
            return out;
        }
    }
}
