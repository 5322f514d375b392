package dev.fettle.config.jetty;

import dev.fettle.config.ConfigException;
import dev.fettle.config.KeyStoreFile;
import dev.fettle.config.OwnKnobs;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.Secrets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ini files of a {@code jetty.base}, Jetty 12: {@code start.ini}, then {@code start.d/*.ini} by name. If a property
 * is given twice, the later one wins; property names are not case-sensitive. After a line that turns on a module of an
 * environment such as {@code ee11-deploy}, all properties, also in later files, belong to that environment and not to
 * the server.
 */
public final class JettyInis {
    public static final String VIRTUAL = "threads.virtual";
    static final String VIRTUAL_MODULE = "threadpool-all-virtual";

    private static final Set<String> OF_KNOBS = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        for (Knob knob : Knobs.all()) {
            JettyPlace.of(knob.on(ServerKind.JETTY)).forEach(p -> OF_KNOBS.add(p.property()));
        }
    }

    private final List<IniFile> files;
    private final Set<String> modules = new LinkedHashSet<>();
    private final Map<String, Defined> properties = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<String> findings = new ArrayList<>();
    private final Map<String, String> values = new LinkedHashMap<>();
    private String environment = "";

    /** A property's value and where it is set. */
    private record Defined(String value, String place) {}

    private JettyInis(List<IniFile> files) {
        this.files = files.stream()
                .sorted(Comparator.comparing((IniFile f) -> f.path().contains("/"))
                        .thenComparing(f -> f.path().toLowerCase(Locale.ROOT)))
                .toList();
    }

    /** Reads the files, given in any order. */
    public static JettyInis read(List<IniFile> files) {
        var inis = new JettyInis(files);
        inis.files.forEach(inis::lines);
        Knobs.all().forEach(inis::knob);
        return inis;
    }

    private void lines(IniFile file) {
        for (IniFile.Line line : file.lines()) {
            switch (line.is()) {
                case IniLine.Modules m -> {
                    modules.addAll(m.names());
                    environment = m.environment();
                }
                case IniLine.Property p -> property(p, file.path() + ":" + line.number());
                case IniLine.Other _ -> {
                    // start.jar's business
                }
            }
        }
    }

    private void property(IniLine.Property p, String place) {
        if (!environment.isEmpty()) {
            if (OF_KNOBS.contains(p.key())) {
                findings.add(("%s: %s has no effect: it stands below a module of %s and so is that environment's; put"
                                + " --modules=server in front of it")
                        .formatted(place, p.key(), environment));
            }
            return;
        }
        Defined before = properties.get(p.key());
        switch (p.operator()) {
            case "?=" -> properties.putIfAbsent(p.key(), new Defined(p.value(), place));
            case "+=" ->
                properties.put(p.key(), new Defined(before == null ? p.value() : before.value() + p.value(), place));
            default -> {
                if (before != null && !before.value().equals(p.value())) {
                    findings.add("%s: %s=%s takes the place of %s, which %s gave"
                            .formatted(place, p.key(), shown(p, p.value()), shown(p, before.value()), before.place()));
                }
                properties.put(p.key(), new Defined(p.value(), place));
            }
        }
    }

    private static String shown(IniLine.Property p, String value) {
        return Secrets.looksSecret(p.key()) ? Secrets.MASK : Secrets.redact(value);
    }

    private void knob(Knob knob) {
        NativeKnob on = knob.on(ServerKind.JETTY);
        if (knob.part() != Knob.Part.SERVER || JettyPlace.of(on).isEmpty()) {
            return;
        }
        var found = new ArrayList<Optional<String>>();
        for (JettyPlace place : JettyPlace.of(on)) {
            found.add(place.isSwitch() ? isOn(place) : value(knob, place));
        }
        if (found.stream().distinct().count() == 1) {
            found.getFirst().ifPresent(v -> values.put(knob.name(), v));
        } else {
            findings.add("%s is not read: its properties (%s) differ"
                    .formatted(
                            knob.name(),
                            String.join(
                                    ", ",
                                    JettyPlace.of(on).stream()
                                            .map(JettyPlace::property)
                                            .toList())));
        }
    }

    private Optional<String> isOn(JettyPlace place) {
        return modules.contains(place.module()) ? Optional.of("true") : Optional.empty();
    }

    private Optional<String> value(Knob knob, JettyPlace place) {
        Optional<String> given = place.properties(modules.contains(VIRTUAL_MODULE)).stream()
                .filter(properties::containsKey)
                .findFirst();
        if (given.isEmpty()) {
            return Optional.empty();
        }
        String property = given.get();
        Defined defined = Objects.requireNonNull(properties.get(property));
        if (!place.isAlwaysOn() && !modules.contains(place.module())) {
            findings.add("%s: %s has no effect unless the module %s is on"
                    .formatted(defined.place(), property, place.module()));
            return Optional.empty();
        }
        if (defined.value().contains("${")) {
            findings.add("%s: %s=%s is filled in by start.jar, and is not read"
                    .formatted(defined.place(), property, defined.value()));
            return Optional.empty();
        }
        try {
            return Optional.of(knob.common(ServerKind.JETTY, defined.value()));
        } catch (IllegalArgumentException problem) {
            if (!defined.value().equals("0") && !defined.value().equals("-1")) { // to Jetty these mean: choose yourself
                findings.add("%s: %s=%s is not read: %s"
                        .formatted(defined.place(), property, defined.value(), problem.getMessage()));
            }
            return Optional.empty();
        }
    }

    /** The files, in the order in which start.jar reads them. */
    public List<IniFile> files() {
        return files;
    }

    /** The modules that are turned on by name; modules that these depend on are not included. */
    public Set<String> modules() {
        return Set.copyOf(modules);
    }

    /** The knobs that the files set, by their common names. */
    public Setting setting() {
        return Setting.of(values);
    }

    /** Lines of the files that have no effect or could not be read, one note each, with file and line number. */
    public List<String> findings() {
        return List.copyOf(findings);
    }

    /**
     * The files with a setting on top: it goes into {@link StartIni#FILE}, and lines elsewhere that it overrides become comments,
     * so that the order of files does not matter. An empty setting changes nothing. Of knobs of the JVM only the flags that they
     * take the place of become comments; those of the process are ignored.
     *
     * @throws ConfigException if Jetty's files can't express a knob
     */
    public JettyInis with(Setting over) throws ConfigException {
        var writer = new IniWriter(files);
        boolean virtual = over.get(VIRTUAL).map("true"::equals).orElseGet(() -> modules.contains(VIRTUAL_MODULE));
        for (Knob knob : Knobs.all()) {
            Optional<String> value = over.get(knob.name());
            if (value.isPresent() && knob.part() == Knob.Part.SERVER) {
                put(knob, value.get(), virtual, writer);
            }
        }
        writer.dropFlags(over);
        return read(writer.files());
    }

    private static void put(Knob knob, String value, boolean virtual, IniWriter writer) throws ConfigException {
        List<JettyPlace> places = JettyPlace.of(knob.on(ServerKind.JETTY));
        if (places.isEmpty()) {
            throw new ConfigException(
                    "%s is not tunable here: it has no place in Jetty's ini files".formatted(knob.name()));
        }
        for (JettyPlace place : places) {
            if (OwnKnobs.isNoLimit(ServerKind.JETTY, knob.name(), value)) {
                place.properties(virtual).forEach(writer::unset);
                if (!place.isAlwaysOn()) {
                    writer.turnOff(place.module()); // it has a limit of its own
                }
            } else if (!place.isSwitch()) {
                if (!place.isAlwaysOn()) {
                    writer.turnOn(place.module());
                }
                place.properties(virtual).forEach(p -> writer.set(p, knob.written(ServerKind.JETTY, value)));
                place.companions().forEach(writer::set);
            } else if (value.equals("true")) {
                if (knob.name().equals(VIRTUAL)) {
                    writer.turnOffPools(); // only one module may provide the pool
                }
                writer.turnOn(place.module());
            } else {
                writer.turnOff(place.module());
            }
        }
    }

    /**
     * The files for a private copy of the server: HTTP on a port of its own on 127.0.0.1, and no other port.
     *
     * @param more further modules to turn on
     * @param key for HTTPS in place of HTTP
     */
    public PrivateInis privately(int port, Set<String> more, Optional<KeyStoreFile> key) {
        var writer = new IniWriter(files);
        List<String> off = writer.turnOffPorts();
        more.forEach(writer::turnOn);
        if (key.isPresent()) {
            secure(writer, port, key.get());
        } else {
            writer.turnOn("http");
            writer.set("jetty.http.host", "127.0.0.1");
            writer.set("jetty.http.port", Integer.toString(port));
        }
        return new PrivateInis(
                read(writer.files()),
                off.stream()
                        .map(m -> "left out of the private copy of jetty.base: the module " + m)
                        .toList());
    }

    /** Replaces HTTP by HTTPS, whose connector is a separate one with its own properties of the same names. */
    private void secure(IniWriter writer, int port, KeyStoreFile key) {
        properties.forEach((name, defined) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith("jetty.http.")) {
                writer.set("jetty.ssl." + name.substring("jetty.http.".length()), defined.value());
            } else if (lower.startsWith("jetty.http2c.")) {
                writer.set("jetty.http2." + name.substring("jetty.http2c.".length()), defined.value());
            }
        });
        writer.turnOff("http");
        boolean http2 = modules.contains("http2c");
        writer.turnOff("http2c");
        writer.turnOn("https");
        if (http2) {
            writer.turnOn("http2");
        }
        writer.set("jetty.ssl.host", "127.0.0.1");
        writer.set("jetty.ssl.port", Integer.toString(port));
        writer.set("jetty.sslContext.keyStorePath", key.path());
        writer.set("jetty.sslContext.keyStorePassword", key.password());
        writer.set("jetty.sslContext.keyStoreType", "PKCS12");
    }

    /**
     * Ini files for a private copy of the server.
     *
     * @param notes what was removed, one line each
     */
    public record PrivateInis(JettyInis inis, List<String> notes) {
        public PrivateInis {
            notes = List.copyOf(notes);
        }
    }
}
