package dev.fettle.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A configuration as text: a whole file, or a fragment of one.
 *
 * @param path where it belongs: {@code bin/setenv.sh}; for a fragment, the file that it goes into
 * @param text lines ended by line feeds
 * @param without knobs and their values that it can't express, as a comment in the text says
 */
public record ConfigFile(Kind kind, String path, String text, Map<String, String> without) {
    public ConfigFile {
        without = Map.copyOf(without);
    }

    /** The piece's {@link #path} of a command that starts a program. */
    public static final String STARTER = "the command that starts it";

    /** The command that starts a JVM. */
    public static ConfigFile starting(String command) {
        return new ConfigFile(Kind.JAVA_COMMAND, STARTER, command + "\n");
    }

    /** A configuration that can express every knob of the setting. */
    public ConfigFile(Kind kind, String path, String text) {
        this(kind, path, text, Map.of());
    }

    /** The kind of text, which decides what reads it. */
    public enum Kind {
        /** Elements of Tomcat's {@code server.xml}, to be merged into the existing one. */
        SERVER_XML("xml", false),
        /** A unified diff against the user's own files. */
        PATCH("diff", true),
        /** Lines at the end of Tomcat's {@code bin/setenv.sh}. */
        SETENV("shell", false),
        /** A file of Jetty's {@code start.d}. */
        JETTY_INI("properties", true),
        /** Lines of Spring Boot's {@code application.properties}. */
        BOOT_PROPERTIES("properties", false),
        /** The code that builds an embedded server. */
        SERVER_CODE("java", false),
        /** {@code java} with the JVM's flags. */
        JAVA_COMMAND("shell", false),
        /** The JDK that it is started with: {@code JAVA_HOME}, or an image. */
        JAVA_HOME("shell", false),
        /** The whole command of a command target. */
        COMMAND_LINE("shell", false),
        /** A file that a command target reads, filled in. */
        TEMPLATE("shell", true),
        /** Lines and attributes for a file of the user's application. */
        OWN_FILE("properties", false),
        /** A drop-in for a systemd unit. */
        SYSTEMD_UNIT("properties", true),
        /** A patch for a Kubernetes deployment. */
        KUBERNETES_PATCH("yaml", true),
        /** {@code docker run} with options. */
        DOCKER_RUN("shell", false),
        /** Commands for WildFly's {@code jboss-cli.sh}. */
        JBOSS_CLI("shell", true),
        /** Lines at the end of WildFly's {@code bin/standalone.conf}. */
        STANDALONE_CONF("shell", false);

        private final String language;
        private final boolean whole;

        Kind(String language, boolean whole) {
            this.language = language;
            this.whole = whole;
        }

        /** Lines as a comment. */
        public String comment(List<String> lines) {
            return lines.stream()
                    .map(l -> switch (language) {
                        case "xml" -> "<!-- " + Escapes.xmlComment(l) + " -->\n";
                        case "java" -> "// " + Escapes.comment(l) + "\n";
                        default -> "# " + Escapes.comment(l) + "\n";
                    })
                    .collect(Collectors.joining());
        }
    }

    /** {@code xml}, {@code diff}, {@code properties}, {@code java}, {@code yaml} or {@code shell}. */
    public String language() {
        return kind.language;
    }

    /** Whether it is a whole file, rather than a fragment to put into an existing one. */
    public boolean whole() {
        return kind.whole;
    }

    /**
     * A copy with a comment before its text; unchanged if it is a file of unknown format, which a comment could break: what it says
     * stands at the command that reads the file.
     */
    public ConfigFile after(List<String> comment) {
        return kind == Kind.TEMPLATE ? this : new ConfigFile(kind, path, kind.comment(comment) + text, without);
    }
}
