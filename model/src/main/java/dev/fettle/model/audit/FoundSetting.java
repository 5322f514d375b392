package dev.fettle.model.audit;

import dev.fettle.model.text.OneLine;
import dev.fettle.model.text.Secrets;
import java.util.Optional;
import java.util.Set;

/**
 * A setting that was found.
 *
 * @param name in the notation of its kind: {@code net.core.somaxconn}, {@code -Xmx}, {@code Connector.maxThreads}
 * @param value as written, without what looks like a secret; empty if it has none, or none was given
 * @param scope the part of a file that it belongs to: a Connector, a container; settings of one scope are in force
 *     together
 */
public record FoundSetting(SettingKind kind, String name, String value, Place place, String scope) {
    private static final int LONGEST = 200;
    /** Values of switches, which are no secrets whatever they switch: {@code clientAuth="false"}. */
    private static final Set<String> SWITCHES =
            Set.of("true", "false", "on", "off", "yes", "no", "want", "need", "none", "required", "optional");

    public FoundSetting {
        name = shortened(OneLine.of(name));
        boolean named = kind == SettingKind.SPRING
                || kind == SettingKind.JVM
                || (kind == SettingKind.NGINX && !name.endsWith("_pass")) // proxy_pass names a server
                || kind == SettingKind.TOMCAT
                || kind == SettingKind.JETTY;
        value = named && !name.startsWith("-XX:") && Secrets.looksSecret(name) && !SWITCHES.contains(value.strip())
                ? Secrets.MASK
                : shortened(Secrets.redact(OneLine.of(value)));
        scope = shortened(OneLine.of(scope));
    }

    /** A setting that belongs to the whole file. */
    public FoundSetting(SettingKind kind, String name, String value, Place place) {
        this(kind, name, value, place, "");
    }

    private static final String ONLY_IF = "only if ";

    /** The scope of a setting that a script makes only under a condition. */
    public static String onlyIf(String condition) {
        return ONLY_IF + condition;
    }

    /** The condition under which a script makes the setting; empty if there is none, or if its text is unknown. */
    public Optional<String> onlyIf() {
        return scope.startsWith(ONLY_IF) ? Optional.of(scope.substring(ONLY_IF.length())) : Optional.empty();
    }

    private static final String UNREAD = "in a variable that nothing reads: ";

    /** The scope of options in an environment variable that no program in sight reads. */
    public static String unread(String variable) {
        return UNREAD + variable;
    }

    /** The environment variable that holds the setting and that no program in sight reads; empty if there is none. */
    public Optional<String> unread() {
        return scope.startsWith(UNREAD) ? Optional.of(scope.substring(UNREAD.length())) : Optional.empty();
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }

    /**
     * Where a setting was found.
     *
     * @param file as the user named it, or a description if it is not a file
     * @param line from 1; 0 if there are no lines
     * @param start offset in the text of the first character of everything that makes the setting; -1 if it can't be
     *     changed there
     * @param end offset just past the last
     * @param comment offset of a line before which a comment can be inserted; -1 if there is none
     */
    public record Place(String file, int line, int start, int end, int comment) {
        public Place {
            file = OneLine.of(file);
        }

        /** A place that has a name only. */
        public Place(String file, int line) {
            this(file, line, -1, -1, -1);
        }

        @Override
        public String toString() {
            return line > 0 ? file + ":" + line : file;
        }
    }

    private String option() {
        if (name.startsWith("-XX:") && (value.equals("true") || value.equals("false"))) {
            return "-XX:" + (value.equals("true") ? "+" : "-") + name.substring("-XX:".length());
        }
        return name
                + (name.startsWith("-XX:") || name.startsWith("-D")
                        ? "="
                        : name.startsWith("-") || name.startsWith("+") ? "" : ": ")
                + value;
    }

    /** Name and value together, as written in configuration. */
    public String written() {
        if (value.isEmpty()) {
            return name;
        }
        return switch (kind) {
            case JVM -> option();
            case LIMIT, NGINX, PRACTICE -> name + " " + value;
            case SYSCTL, HOST -> name + " = " + value;
            case TOMCAT, JETTY, UNDERTOW, SPRING, CONTAINER -> name + "=" + value;
        };
    }
}
