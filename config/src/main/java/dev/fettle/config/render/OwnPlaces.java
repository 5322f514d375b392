package dev.fettle.config.render;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.Escapes;
import dev.fettle.config.tomcat.XPathAttribute;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Where the values of a setting's own knobs go: those that a plan declares for the user's application. Placeholders in
 * a command are not included.
 */
public final class OwnPlaces {
    private final Map<String, String> properties = new LinkedHashMap<>();
    private final List<String> flags = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Map<OwnKnob, String> inFiles = new LinkedHashMap<>();
    private final Map<String, String> written = new LinkedHashMap<>();
    private final Map<String, String> canonical = new LinkedHashMap<>();

    /** @param own all own knobs of the plan; only those that the setting has a value for are used */
    public OwnPlaces(List<OwnKnob> own, Setting setting) {
        for (OwnKnob k : own) {
            setting.get(k.name()).ifPresent(value -> {
                String text = k.written(value);
                written.put(k.name(), text);
                canonical.put(k.name(), value);
                switch (k.set()) {
                    case OwnKnob.Placeholder() -> {
                        // filled in where the placeholder is
                    }
                    case OwnKnob.Property(var p) -> properties.put(p, text);
                    case OwnKnob.SystemProperty(var p) -> flags.add("-D" + p + "=" + text);
                    case OwnKnob.Variable(var v) -> variables.put(v, text);
                    case OwnKnob.Line _, OwnKnob.Attribute _ -> inFiles.put(k, text);
                }
            });
        }
    }

    /** Properties of Spring Boot, with their values. */
    public Map<String, String> properties() {
        return properties;
    }

    /** Flags of the JVM. */
    public List<String> flags() {
        return flags;
    }

    /** Environment variables, with their values. */
    public Map<String, String> variables() {
        return variables;
    }

    /** Every own knob of the setting, with its value as the application reads it. */
    public Map<String, String> written() {
        return written;
    }

    /** The files that a value goes into. */
    public List<String> files() {
        return inFiles.keySet().stream().map(OwnPlaces::file).distinct().toList();
    }

    private static String file(OwnKnob k) {
        return switch (k.set()) {
            case OwnKnob.Line(var file, var _) -> file;
            case OwnKnob.Attribute(var file, var _) -> file;
            default -> "";
        };
    }

    /**
     * A file's text with the values filled in.
     *
     * @throws ConfigException if there is no place for one of them
     */
    public String in(String file, String text) throws ConfigException {
        String changed = text;
        for (var e : inFiles.entrySet()) {
            if (file(e.getKey()).equals(file)) {
                changed = switch (e.getKey().set()) {
                    case OwnKnob.Line(var _, var line) -> line(changed, line, e.getValue());
                    case OwnKnob.Attribute(var _, var xpath) -> XPathAttribute.with(file, changed, xpath, e.getValue());
                    default -> changed;
                };
            }
        }
        return changed;
    }

    /** The line replaces lines that begin in the same way up to the value, or is added at the end. */
    static String line(String text, String line, String value) {
        String begin = line.substring(0, line.indexOf("{value}")).stripLeading();
        String wanted = line.replace("{value}", value);
        String end = text.contains("\r\n") ? "\r\n" : "\n";
        var out = new StringBuilder();
        boolean there = false;
        for (String l : text.split("(?<=\n)", -1)) {
            if (begins(l.strip(), begin)) {
                String indent = l.substring(0, l.indexOf(l.strip()));
                out.append(indent).append(wanted).append(l.endsWith("\n") ? end : "");
                there = true;
            } else {
                out.append(l);
            }
        }
        if (!there) {
            out.append(out.isEmpty() || out.charAt(out.length() - 1) == '\n' ? "" : end)
                    .append(wanted)
                    .append(end);
        }
        return out.toString();
    }

    /** Whether a line begins so; a word that a blank ends in the pattern must end there, too: {@code timeout} is no {@code timeout_read}. */
    private static boolean begins(String line, String begin) {
        String word = begin.stripTrailing();
        boolean whole =
                !begin.equals(word) && !word.isEmpty() && Character.isLetterOrDigit(word.charAt(word.length() - 1));
        return line.startsWith(word)
                && (!whole || line.length() == word.length() || Character.isWhitespace(line.charAt(word.length())));
    }

    /** Lines and paths to put into the user's files. */
    List<ConfigFile> pieces() {
        var pieces = new ArrayList<ConfigFile>();
        for (String file : files()) {
            var text = new StringBuilder();
            var without = new LinkedHashMap<String, String>();
            inFiles.forEach((k, value) -> {
                if (file(k).equals(file)) {
                    without.put(k.name(), canonical.getOrDefault(k.name(), value));
                    text.append(
                            switch (k.set()) {
                                case OwnKnob.Line(var _, var line) -> line.replace("{value}", value) + "\n";
                                case OwnKnob.Attribute(var _, var xpath) -> xpath + " = " + value + "\n";
                                default -> "";
                            });
                }
            });
            pieces.add(new ConfigFile(Kind.OWN_FILE, file, text.toString(), without));
        }
        return pieces;
    }

    /** Lines of {@code application.properties}. */
    String propertyLines() {
        var lines = new StringBuilder();
        each(
                properties,
                (name, value) -> lines.append(name)
                        .append('=')
                        .append(Escapes.property(value))
                        .append('\n'));
        return lines.toString();
    }

    private static void each(Map<String, String> map, BiConsumer<String, String> what) {
        map.forEach(what);
    }
}
