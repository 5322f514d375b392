package dev.fettle.config.jetty;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Changes Jetty's ini files: own lines go into {@code start.d/fettle.ini}, lines that they override become comments. */
final class IniWriter {
    static final String OWN = "start.d/fettle.ini";

    /** Modules that listen on a port of their own, or exist only beside one that does. */
    private static final Set<String> PORTS = Set.of(
            "https",
            "ssl",
            "http2",
            "http3",
            "http-forwarded-ssl",
            "alpn",
            "jmx-remote",
            "unixdomain-http",
            "proxy-protocol-ssl",
            "test-keystore",
            "ssl-reload",
            "ssl-ini");

    private static final Set<String> POOLS = Set.of(
            "threadpool",
            "threadpool-virtual",
            "threadpool-virtual-preview",
            "threadpool-hybrid",
            JettyInis.VIRTUAL_MODULE);

    private static final String MARK = "#fettle# ";

    /** Ends an environment, so that what follows is the server's. */
    private static final String NO_ENVIRONMENT = "--modules=server";

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Set<String> modules = new LinkedHashSet<>();
    private final Map<String, String> properties = new LinkedHashMap<>();

    IniWriter(List<IniFile> files) {
        files.forEach(f -> texts.put(f.path(), f.text()));
    }

    /** The files, with what was set and turned on. */
    List<IniFile> files() {
        var all = new LinkedHashMap<>(texts);
        if (!modules.isEmpty() || !properties.isEmpty()) {
            String before = texts.getOrDefault(OWN, "");
            all.put(OWN, before + (before.isEmpty() || before.endsWith("\n") ? "" : "\n") + own());
        }
        return all.entrySet().stream()
                .map(e -> new IniFile(e.getKey(), e.getValue()))
                .toList();
    }

    /** Modules of environments come behind the properties, which would be theirs otherwise. */
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
        return IniPatterns.ENVIRONMENT.matcher(module).matches();
    }

    void set(String property, String value) {
        drop(line -> line instanceof IniLine.Property p && p.key().equalsIgnoreCase(property));
        properties.put(property, value);
    }

    void turnOn(String module) {
        boolean on = texts.values().stream()
                .flatMap(String::lines)
                .anyMatch(l ->
                        IniLine.of(l) instanceof IniLine.Modules m && m.names().contains(module));
        if (!on) {
            modules.add(module);
        }
    }

    void turnOff(String module) {
        texts.replaceAll((path, text) -> without(module, text));
    }

    void turnOffPools() {
        POOLS.forEach(this::turnOff);
    }

    /** Turns off what listens on other ports, and start.jar's own; gives the modules that were on. */
    List<String> turnOffPorts() {
        var off = new TreeSet<String>();
        for (String text : texts.values()) {
            text.lines().map(IniLine::of).forEach(l -> {
                if (l instanceof IniLine.Modules m) {
                    m.names().stream().filter(PORTS::contains).forEach(off::add);
                }
            });
        }
        off.forEach(this::turnOff);
        drop(line -> line instanceof IniLine.Property p && p.key().startsWith("STOP."));
        return List.copyOf(off);
    }

    private interface Which {
        boolean is(IniLine line);
    }

    /** Makes comments of lines. */
    private void drop(Which which) {
        texts.replaceAll((path, text) -> {
            var out = new StringBuilder();
            for (String line : lines(text)) {
                if (which.is(IniLine.of(line))) {
                    out.append(MARK);
                }
                out.append(line);
            }
            return out.toString();
        });
    }

    private static String without(String module, String text) {
        var out = new StringBuilder();
        for (String line : lines(text)) {
            if (IniLine.of(line) instanceof IniLine.Modules m && m.names().contains(module)) {
                out.append(MARK).append(line);
                IniLine.Modules rest = m.without(module);
                if (!rest.names().isEmpty()) {
                    out.append(line.endsWith("\n") ? "" : "\n").append(rest).append('\n');
                }
            } else {
                out.append(line);
            }
        }
        return out.toString();
    }

    /** The lines with their ends. */
    private static List<String> lines(String text) {
        var out = new ArrayList<String>();
        int from = 0;
        while (from < text.length()) {
            int newline = text.indexOf('\n', from);
            int to = newline < 0 ? text.length() : newline + 1;
            out.add(text.substring(from, to));
            from = to;
        }
        return out;
    }
}
