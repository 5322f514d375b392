package dev.fettle.config.jetty;

import dev.fettle.config.process.JvmLine;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Changes Jetty's ini files: new lines go into {@link StartIni#FILE}, and lines that they override become comments. */
final class IniWriter {
    static final String OWN = StartIni.FILE;

    /** Modules that listen on a port of their own, or that make sense only together with one that does. */
    private static final Set<String> PORTS = Set.of("""
            https ssl http2 http3 http-forwarded-ssl alpn jmx-remote unixdomain-http proxy-protocol-ssl test-keystore
            ssl-reload ssl-ini""".split("\\s+"));

    private static final Set<String> POOLS = Set.of(
            "threadpool",
            "threadpool-virtual",
            "threadpool-virtual-preview",
            "threadpool-hybrid",
            JettyInis.VIRTUAL_MODULE);

    private static final String MARK = "#fettle# ";

    /** Ends an environment, so that what follows belongs to the server. */
    private static final String NO_ENVIRONMENT = "--modules=server";

    private final Map<String, IniFile> files = new LinkedHashMap<>();
    private final Set<String> modules = new LinkedHashSet<>();
    private final Map<String, String> properties = new LinkedHashMap<>();

    IniWriter(List<IniFile> files) {
        files.forEach(f -> this.files.put(f.path(), f));
    }

    /** The files, with what was set and turned on. */
    List<IniFile> files() {
        var all = new LinkedHashMap<>(files);
        if (!modules.isEmpty() || !properties.isEmpty()) {
            String before = all.containsKey(OWN) ? all.get(OWN).text() : "";
            all.put(OWN, new IniFile(OWN, before + (before.isEmpty() || before.endsWith("\n") ? "" : "\n") + own()));
        }
        return List.copyOf(all.values());
    }

    /**
     * The lines of Fettle's own file. Modules of environments come after the properties, which would otherwise belong to them.
     */
    private String own() {
        var lines = new ArrayList<String>();
        lines.add("# what Fettle set for this trial");
        lines.add(NO_ENVIRONMENT);
        modules.stream().filter(m -> !ofEnvironment(m)).forEach(m -> lines.add("--modules=" + m));
        properties.forEach((key, value) -> lines.add(key + "=" + value));
        if (modules.stream().anyMatch(IniWriter::ofEnvironment)) {
            modules.stream().filter(IniWriter::ofEnvironment).forEach(m -> lines.add("--modules=" + m));
            lines.add(NO_ENVIRONMENT);
        }
        return String.join("\n", lines) + "\n";
    }

    private static boolean ofEnvironment(String module) {
        return IniLine.ENVIRONMENT.matcher(module).matches();
    }

    void set(String property, String value) {
        unset(property);
        properties.put(property, value);
    }

    void unset(String property) {
        drop(line -> line instanceof IniLine.Property p && p.key().equalsIgnoreCase(property));
    }

    /** Takes out the JVM's flags for the knobs of a setting, which has others in their place. */
    void dropFlags(Setting over) {
        change(line -> line.is() instanceof IniLine.Other
                        && JvmLine.without(List.of(line.text().strip()), over).isEmpty()
                ? MARK + line.text()
                : line.text());
    }

    void turnOn(String module) {
        if (turnedOn().noneMatch(module::equals)) {
            modules.add(module);
        }
    }

    /** The modules that the files turn on. */
    private Stream<String> turnedOn() {
        return files.values().stream()
                .flatMap(f -> f.lines().stream())
                .flatMap(l -> l.is() instanceof IniLine.Modules m ? m.names().stream() : Stream.empty());
    }

    void turnOff(String module) {
        change(line -> {
            if (!(line.is() instanceof IniLine.Modules m) || !m.names().contains(module)) {
                return line.text();
            }
            IniLine.Modules rest = m.without(module);
            String end = line.text().endsWith("\n") ? "" : "\n";
            return MARK + line.text() + (rest.names().isEmpty() ? "" : end + rest + "\n");
        });
    }

    void turnOffPools() {
        POOLS.forEach(this::turnOff);
    }

    /** Turns off modules that listen on other ports, and start.jar's STOP port; returns the modules that were on. */
    List<String> turnOffPorts() {
        var off = turnedOn().filter(PORTS::contains).collect(Collectors.toCollection(TreeSet::new));
        off.forEach(this::turnOff);
        drop(line -> line instanceof IniLine.Property p && p.key().startsWith("STOP."));
        return List.copyOf(off);
    }

    /** Turns lines into comments. */
    private void drop(Predicate<IniLine> which) {
        change(line -> which.test(line.is()) ? MARK + line.text() : line.text());
    }

    private void change(Function<IniFile.Line, String> changed) {
        files.replaceAll((path, file) ->
                new IniFile(path, file.lines().stream().map(changed).collect(Collectors.joining())));
    }
}
