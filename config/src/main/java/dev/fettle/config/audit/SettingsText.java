package dev.fettle.config.audit;

import dev.fettle.config.ConfigException;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.tomcat.XmlElement;
import dev.fettle.config.tomcat.XmlText;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file or a text, and the settings found in it. Nothing in it is run, and no file it names is opened.
 *
 * @param name of the file, for places
 * @param settings in the order of the text
 * @param notes what was not read and why, one line each
 */
public record SettingsText(String name, String text, Format format, List<FoundSetting> settings, List<String> notes) {
    /** Longer texts are refused. */
    public static final int MOST_CHARACTERS = 2 << 20;

    private static final Pattern YAML_KEY =
            Pattern.compile("(?m)^(?:server|spring|services|apiVersion|management)\\s*:");
    private static final Pattern SYSCTL_LINE = Pattern.compile("(?:net|vm|kernel|fs|user)[./][a-z0-9_./*-]+\\s*=.*");
    /**
     * A line of an environment file, or of what a start script reads: {@code standalone.conf}, {@code
     * /etc/default/tomcat}.
     */
    private static final Pattern SHELL_OPTIONS = Pattern.compile("(?:export\\s+)?[A-Z_]*OPTS?=.*");

    private static final Pattern SHELL_LINE = Pattern.compile(
            "(?:export\\s+)?[A-Za-z_]\\w*=.*|(?:if|elif|else|then|fi|case|esac|for|do|done|while|export|unset|source|ulimit|echo)\\b.*|[.;\\[{}].*|\\S+\\)|.*\\\\|-\\S.*");
    /** How {@link XmlText} says so; other messages are of what Tomcat would read. */
    private static final Pattern NOT_WELL_FORMED = Pattern.compile(":(\\d{1,9}):\\d+: not well-formed: (?!JAXP)");

    private static final Pattern SERVER = Pattern.compile("<Server[\\s>]");

    private static final Pattern NGINX_BLOCK =
            Pattern.compile("(?m)^[^\\S\\n]*+(?:http|events|upstream[^\\S\\n]++[^\\s{]++|server)\\s*+\\{");

    /** The kinds of text that are distinguished. */
    public enum Format {
        SYSCTL,
        LIMITS,
        UNIT,
        SERVER_XML,
        JETTY_XML,
        JETTY_INI,
        PROPERTIES,
        YAML,
        JVM_OPTIONS,
        SHELL,
        DOCKERFILE,
        NGINX,
        PROSE;

        /** The start of a comment line; empty where a comment can't be added. */
        public String comment() {
            return switch (this) {
                case SERVER_XML, JETTY_XML -> "<!-- ";
                case PROSE -> "";
                default -> "# ";
            };
        }
    }

    public SettingsText {
        settings = List.copyOf(settings);
        notes = List.copyOf(notes);
    }

    /**
     * Reads a text. Its format follows from the file's name or, failing that, from its first lines.
     *
     * @throws ConfigException with one line, if it is too long, or is not what its name says
     */
    public static SettingsText read(String name, String text) throws ConfigException {
        if (text.length() > MOST_CHARACTERS) {
            throw new ConfigException("%s: longer than %d MiB".formatted(name, MOST_CHARACTERS >> 20));
        }
        Format format = format(name, text);
        var in = new Source(name, text);
        Format read = format;
        switch (format) {
            case SYSCTL -> LineReaders.sysctl(in);
            case LIMITS -> LineReaders.limits(in);
            case UNIT -> LineReaders.unit(in);
            case SERVER_XML -> XmlFragments.tomcat(in, elements(in));
            case JETTY_XML -> XmlFragments.jetty(in);
            case JETTY_INI -> jetty(in);
            case PROPERTIES -> LineReaders.properties(in);
            case YAML -> YamlSettings.read(in, 0, text.length());
            case JVM_OPTIONS -> LineReaders.jvmOptions(in);
            case SHELL -> ShellTexts.shell(in, "");
            case DOCKERFILE -> ShellTexts.dockerfile(in);
            case NGINX -> NginxReader.read(in, 0, text.length());
            case PROSE -> prose(in);
        }
        var settings = new java.util.ArrayList<>(in.found());
        settings.sort(java.util.Comparator.comparingInt(s -> s.place().start()));
        if (settings.size() == Source.MOST_SETTINGS) {
            in.note("has more than %d settings; the rest is not read".formatted(Source.MOST_SETTINGS));
        }
        return new SettingsText(name, text, read, settings, in.notes());
    }

    /** Treats the special blanks of web pages as plain ones; offsets do not change. */
    private static void prose(Source in) {
        var plain = new Source(in.name(), in.text().replace('\u00A0', ' ').replace('\u3000', ' '));
        ProseReader.read(plain);
        plain.found().forEach(in::add);
        in.notes().addAll(plain.notes());
    }

    /** The elements as Tomcat reads them. If the text is not well-formed, everything that looks like one. */
    private static List<XmlElement> elements(Source in) {
        try {
            return XmlText.parse(in.name(), in.text()).elements();
        } catch (ConfigException e) {
            String why = withoutName(String.valueOf(e.getMessage()), in.name());
            Matcher at = NOT_WELL_FORMED.matcher(String.valueOf(e.getMessage()));
            boolean broken = at.find();
            if (SERVER.matcher(in.text()).find()) { // no context.xml, no web.xml
                in.note((broken
                                ? "Tomcat would not take it as a server.xml: "
                                : "read piece by piece, not as a whole: ")
                        + why);
                if (broken) {
                    int line = Math.clamp(Integer.parseInt(at.group(1)), 1, in.lines());
                    in.add(SettingKind.TOMCAT, "server.xml", "", new FoundSetting.Place(in.name(), line), "");
                }
            }
            return XmlFragments.loose(in.text());
        }
    }

    private static String withoutName(String message, String name) {
        return !message.startsWith(name)
                ? message
                : message.substring(message.startsWith(":", name.length()) ? name.length() + 1 : name.length());
    }

    private static void jetty(Source in) {
        for (IniFile.Given l : new IniFile(in.name(), in.text()).given()) {
            int start = in.start(l.line());
            in.add(
                    SettingKind.JETTY,
                    l.key(),
                    l.value(),
                    in.place(start, start + in.line(l.line()).length()),
                    "");
        }
        LineReaders.jvmOptions(in);
    }

    /** Whether a file's name says that it is configuration. */
    public static boolean isConfiguration(String name) {
        String file = name.substring(name.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return file.matches(
                        "(?:docker|container)file.*|.*\\.(?:dockerfile|service|conf|xml|ya?ml|ini|properties|options|vmoptions|jvmopts|sh|md)")
                && !file.equals("pom.xml");
    }

    private static Format format(String name, String text) {
        String file = name.substring(name.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String path = name.toLowerCase(Locale.ROOT);
        if (file.endsWith(".md")
                || file.endsWith(".txt")
                || file.endsWith(".rst")
                || file.endsWith(".adoc")
                || file.endsWith(".html")) {
            return Format.PROSE;
        }
        if (file.startsWith("dockerfile") || file.endsWith(".dockerfile") || file.equals("containerfile")) {
            return Format.DOCKERFILE;
        }
        if (file.endsWith(".service") || path.contains(".service.d/") || file.endsWith(".slice")) {
            return Format.UNIT;
        }
        if (file.endsWith(".sh") || file.endsWith(".bash") || file.endsWith(".bat")) {
            return Format.SHELL; // whatever else the name says, such as sysctl-tuning.sh
        }
        if (file.endsWith(".yaml") || file.endsWith(".yml")) {
            return Format.YAML;
        }
        if (file.contains("sysctl") || path.contains("sysctl.d/")) {
            return Format.SYSCTL;
        }
        if (file.equals("limits.conf")
                || file.equals("limit.conf")
                || path.contains("limits.d/")
                || file.contains("limits.conf")) {
            return Format.LIMITS;
        }
        if (file.contains("nginx")) {
            return Format.NGINX;
        }
        if (file.endsWith(".xml")) {
            return text.contains("org.eclipse.jetty") || file.startsWith("jetty") || text.contains("<Configure")
                    ? Format.JETTY_XML
                    : Format.SERVER_XML;
        }
        if (file.endsWith(".ini")) {
            return Format.JETTY_INI;
        }
        if (file.endsWith(".properties")) {
            return Format.PROPERTIES;
        }
        if (file.endsWith(".options")
                || file.endsWith("vmoptions")
                || file.endsWith(".jvmopts")
                || file.equals("jvm.config")) {
            return Format.JVM_OPTIONS;
        }
        if (file.endsWith(".env") || file.startsWith("setenv")) {
            return Format.SHELL;
        }
        return looks(text);
    }

    /** The format, judged by the first lines that are not blank or comments. */
    private static Format looks(String text) {
        String head = text.substring(0, Math.min(text.length(), 20_000));
        List<String> lines = head.lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty() && !l.startsWith("#"))
                .limit(200)
                .toList();
        if (head.startsWith("#!")) {
            return Format.SHELL;
        }
        if (head.stripLeading().startsWith("<?xml") || head.stripLeading().startsWith("<Server")) {
            return head.contains("org.eclipse.jetty") ? Format.JETTY_XML : Format.SERVER_XML;
        }
        if (!lines.isEmpty()
                && lines.stream().allMatch(l -> SYSCTL_LINE.matcher(l).matches())) {
            return Format.SYSCTL;
        }
        if (lines.stream().anyMatch(l -> l.matches("(?i)FROM \\S+( AS \\S+)?"))
                && lines.stream().anyMatch(l -> l.matches("(RUN|COPY|CMD|ENTRYPOINT|ENV) .*"))) {
            return Format.DOCKERFILE;
        }
        if (lines.stream().anyMatch(l -> l.equals("[Service]"))) {
            return Format.UNIT;
        }
        if (lines.stream().anyMatch(l -> SHELL_OPTIONS.matcher(l).matches())
                && lines.stream().allMatch(l -> SHELL_LINE.matcher(l).matches())) {
            return Format.SHELL;
        }
        if (lines.size() > 1
                && lines.getFirst().matches("[A-Za-z]+:.*|---")
                && YAML_KEY.matcher(head).find()) {
            return Format.YAML;
        }
        if (NGINX_BLOCK.matcher(head).find() && head.contains(";")) {
            return Format.NGINX;
        }
        return Format.PROSE;
    }
}
