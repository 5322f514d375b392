package dev.fettle.config.render;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.Escapes;
import dev.fettle.config.boot.BootProperties;
import dev.fettle.model.knob.JvmFlags;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.LaunchOption;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OneLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A setting in the place where a process is started: a systemd unit, a Docker container, a Kubernetes deployment. */
public record ContainerTexts(Target target, Setting setting, OwnPlaces own) {
    private static final String CPUS = "process.cpus";

    /** The process knobs for a systemd unit; empty if none is set. */
    Optional<ConfigFile> process() {
        String lines = assignments(own.variables()) + directives();
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(new ConfigFile(Kind.SYSTEMD_UNIT, "UNIT.service.d/fettle.conf", "[Service]\n" + lines));
    }

    /** A drop-in for the unit; deleting it undoes the change. */
    ConfigFile systemd() {
        String out = assignments(environment()) + directives();
        return new ConfigFile(
                Kind.SYSTEMD_UNIT,
                "/etc/systemd/system/UNIT.service.d/fettle.conf",
                out.isEmpty()
                        ? ""
                        : "# then: systemctl daemon-reload && systemctl restart UNIT\n" + replaced() + "[Service]\n"
                                + out);
    }

    private static String assignments(Map<String, String> variables) {
        var out = new StringBuilder();
        variables.forEach((name, value) -> out.append("Environment=")
                .append(unitString(name + "=" + value))
                .append('\n'));
        return out.toString();
    }

    /**
     * A comment that a variable of the user's is not added to, but replaced, and what wins over it; empty if it is not
     * set.
     */
    private String replaced() {
        return flags().isEmpty()
                ? ""
                : "# put your own JAVA_TOOL_OPTIONS in front of these: they take its place\n"
                        + "# flags on the command line win over these\n";
    }

    /** A patch for {@code kubectl patch deployment NAME --patch-file}. */
    ConfigFile kubernetes() {
        var out = new StringBuilder();
        Map<String, String> environment = environment();
        if (!environment.isEmpty()) {
            out.append("          env:\n");
            environment.forEach((name, value) -> out.append("            - name: ")
                    .append(name)
                    .append("\n              value: ")
                    .append(yamlString(value))
                    .append('\n'));
        }
        setting.get(CPUS)
                .ifPresent(n -> out.append("          resources:\n            requests: {cpu: ")
                        .append(yamlString(n))
                        .append("}\n            limits: {cpu: ")
                        .append(yamlString(n))
                        .append("}\n"));
        var remarks = new StringBuilder(replaced());
        var without = new LinkedHashMap<String, String>();
        for (String knob : List.of("process.nofile", "process.nproc", "process.nice")) {
            setting.get(knob).ifPresent(v -> {
                without.put(knob, v);
                remarks.append("# ")
                        .append(Escapes.comment(knob + "=" + v))
                        .append(" has no field in a pod: set it in the image's start script\n");
            });
        }
        String patch = out.isEmpty()
                ? ""
                : "# kubectl patch deployment NAME --patch-file fettle-patch.yaml; undo: kubectl rollout undo deployment/NAME\n"
                        + "spec:\n  template:\n    spec:\n      containers:\n        - name: CONTAINER\n" + out;
        return new ConfigFile(Kind.KUBERNETES_PATCH, "fettle-patch.yaml", remarks + patch, without);
    }

    /** A {@code docker run} command with options. */
    ConfigFile docker() {
        var options = new ArrayList<String>();
        environment().forEach((name, value) -> options.add("-e " + Escapes.shell(name + "=" + value)));
        for (Knob knob : Knobs.all()) {
            Optional<LaunchOption> launch =
                    knob.launch().filter(l -> !l.docker().isEmpty());
            setting.get(knob.name())
                    .ifPresent(v -> launch.ifPresent(l -> options.add(dockerOption(l, knob.name(), v))));
        }
        String command = options.isEmpty() ? "" : "docker run " + String.join(" \\\n  ", options) + " \\\n  IMAGE\n";
        Optional<String> nice = setting.get("process.nice");
        return new ConfigFile(
                Kind.DOCKER_RUN,
                "docker run",
                nice.map(n -> Kind.DOCKER_RUN.comment(List.of("process.nice=" + n
                                        + " has no option of docker run: set it in the image's start script")))
                                .orElse("")
                        + replaced()
                        + command,
                nice.map(n -> Map.of("process.nice", n)).orElse(Map.of()));
    }

    private static String dockerOption(LaunchOption option, String knob, String value) {
        return switch (knob) {
            case CPUS -> option.docker() + " " + Escapes.shell(cpuList(value));
            case "process.nofile", "process.nproc" -> option.docker() + "=" + Escapes.shell(value + ":" + value);
            default -> option.docker() + " " + Escapes.shell(value);
        };
    }

    private List<String> flags() {
        var flags = new ArrayList<>(JvmFlags.of(setting));
        flags.addAll(own.flags());
        return flags;
    }

    /** The JVM's flags, and for Spring Boot the server's knobs, as environment variables. */
    private Map<String, String> environment() {
        var out = new LinkedHashMap<String, String>();
        List<String> flags = flags();
        if (!flags.isEmpty()) {
            // every JVM reads it, however it is started
            out.put(
                    "JAVA_TOOL_OPTIONS",
                    String.join(
                            " ", flags.stream().map(ContainerTexts::toolOption).toList()));
        }
        if (target.takesProperties()) {
            target.knownServer()
                    .ifPresent(server -> setting.values()
                            .forEach((knob, value) -> BootProperties.name(server, knob)
                                    .ifPresent(p -> out.put(variable(p), BootProperties.value(p, knob, value)))));
            own.properties().forEach((name, value) -> out.put(variable(name), value));
        }
        out.putAll(own.variables());
        return out;
    }

    /** In JAVA_TOOL_OPTIONS, HotSpot splits at blanks outside quotes of either kind, and knows no escapes. */
    private static String toolOption(String flag) {
        if (flag.chars().noneMatch(c -> Character.isWhitespace(c) || c == '\'' || c == '"')) {
            return flag;
        }
        return flag.indexOf('\'') < 0
                ? "'" + flag + "'"
                : flag.replaceAll("[^']+", "\"$0\"").replace("'", "\"'\"").replace("\"\"", "");
    }

    /**
     * Spring Boot's environment variable for a property: dots and brackets become underscores, hyphens are dropped, letters are
     * capitals.
     */
    public static String variable(String property) {
        return property.replace("-", "")
                .replaceAll("\\[([^\\[\\]]*+)]", ".$1")
                .replace('.', '_')
                .toUpperCase(Locale.ROOT);
    }

    private String directives() {
        var lines = new StringBuilder();
        for (Knob knob : Knobs.all()) {
            knob.launch()
                    .filter(l -> !l.systemd().isEmpty())
                    .ifPresent(l -> setting.get(knob.name())
                            .ifPresent(v -> lines.append(l.systemd())
                                    .append('=')
                                    .append(Escapes.property(knob.name().equals(CPUS) ? cpuList(v) : v))
                                    .append('\n')));
        }
        return lines.toString();
    }

    /** The first {@code count} CPUs: {@code 0-3}. */
    static String cpuList(String count) {
        return count.matches("[0-9]{1,4}") && Integer.parseInt(count) > 1 ? "0-" + (Integer.parseInt(count) - 1) : "0";
    }

    /** A value that systemd reads as one word; percent signs are escaped, as systemd would expand them. */
    static String unitString(String text) {
        return "\""
                + OneLine.of(text).replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%") + "\"";
    }

    private static String yamlString(String text) {
        return "\"" + OneLine.of(text).replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
