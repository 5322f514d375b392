package dev.fettle.config.process;

import dev.fettle.config.ConfigException;
import dev.fettle.config.YamlText;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.LaunchOption;
import dev.fettle.model.knob.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A process's settings in the configuration of systemd, Kubernetes or Docker.
 *
 * @param environment variables that it gets
 * @param process the knobs of the process that it sets, by their common names
 */
public record ProcessStart(Map<String, String> environment, Setting process) {
    private static final String CPUS = "process.cpus";
    private static final Pattern VARIABLE = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=(.*)", Pattern.DOTALL);
    private static final Pattern RANGE = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

    public ProcessStart {
        environment = Map.copyOf(environment);
    }

    /**
     * Reads a systemd unit or drop-in.
     *
     * @throws ConfigException if a line is not one that Fettle writes
     */
    public static ProcessStart ofUnit(String text) throws ConfigException {
        var environment = new LinkedHashMap<String, String>();
        Setting process = Setting.DEFAULT;
        String section = "";
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
                continue;
            }
            if (line.startsWith("[")) {
                section = line;
                continue;
            }
            String[] pair = line.split("=", 2);
            if (!section.equals("[Service]") || pair.length < 2) {
                throw new ConfigException("'" + line + "' is no directive of a [Service]");
            }
            if (pair[0].equals("Environment")) {
                put(environment, unquoted(pair[1]));
            } else {
                process = with(process, LaunchOption::systemd, pair[0], pair[1]);
            }
        }
        return new ProcessStart(environment, process);
    }

    /**
     * Reads the first container of a patch of a Kubernetes deployment.
     *
     * @throws ConfigException if it is not such a patch
     */
    public static ProcessStart ofKubernetes(String text) throws ConfigException {
        List<Node> all = YamlText.parse(text).documents();
        if (all.isEmpty()) {
            return new ProcessStart(Map.of(), Setting.DEFAULT); // comments only
        }
        Node container = YamlText.at(all.getFirst(), "spec", "template", "spec", "containers")
                .map(YamlText::elements)
                .filter(c -> !c.isEmpty())
                .map(List::getFirst)
                .orElseThrow(() -> new ConfigException("the patch names no container"));
        var environment = new LinkedHashMap<String, String>();
        YamlText.at(container, "env")
                .map(YamlText::elements)
                .orElse(List.of())
                .forEach(v -> environment.put(text(v, "name"), text(v, "value")));
        String cpus = text(container, "resources", "limits", "cpu");
        return new ProcessStart(environment, cpus.isEmpty() ? Setting.DEFAULT : Setting.of(CPUS, cpus));
    }

    private static String text(Node node, String... path) {
        return YamlText.at(node, path).map(YamlText::text).orElse("");
    }

    /**
     * Reads a {@code docker run} command with its options.
     *
     * @throws ConfigException if it is another command or has an option that Fettle does not write
     */
    public static ProcessStart ofDocker(String text) throws ConfigException {
        List<String> words = ShellReader.words(ShellReader.uncommented(text));
        if (words.isEmpty()) { // comments alone, on what has no option
            return new ProcessStart(Map.of(), Setting.DEFAULT);
        }
        if (words.size() < 3 || !words.subList(0, 2).equals(List.of("docker", "run"))) {
            throw new ConfigException("it is no 'docker run'");
        }
        var environment = new LinkedHashMap<String, String>();
        Setting process = Setting.DEFAULT;
        for (int i = 2; i + 1 < words.size(); i += 2) {
            String value = words.get(i + 1);
            if (words.get(i).equals("-e")) {
                put(environment, value);
            } else if (value.contains("=")) { // --ulimit nofile=900:900
                String[] pair = value.split("=", 2);
                process = with(process, LaunchOption::docker, words.get(i) + " " + pair[0], pair[1].split(":")[0]);
            } else {
                process = with(process, LaunchOption::docker, words.get(i), value);
            }
        }
        return new ProcessStart(environment, process);
    }

    /** One word of a unit, as systemd reads it. */
    private static String unquoted(String word) {
        boolean quoted = word.length() > 1 && word.startsWith("\"") && word.endsWith("\"");
        String inside = quoted ? word.substring(1, word.length() - 1) : word;
        return inside.replaceAll("\\\\(.)", "$1").replace("%%", "%");
    }

    private static void put(Map<String, String> environment, String text) throws ConfigException {
        Matcher m = VARIABLE.matcher(text);
        if (!m.matches()) {
            throw new ConfigException("'" + text + "' is no NAME=VALUE");
        }
        environment.put(m.group(1), m.group(2));
    }

    private static Setting with(Setting process, Function<LaunchOption, String> name, String option, String value)
            throws ConfigException {
        Optional<Knob> knob = Knobs.all().stream()
                .filter(k -> k.launch().map(name).filter(option::equals).isPresent())
                .findFirst();
        if (knob.isEmpty()) {
            throw new ConfigException("'" + option + "' is none that Fettle writes");
        }
        return process.with(knob.get().name(), knob.get().name().equals(CPUS) ? count(value) : value);
    }

    /** The number of CPUs in a list such as {@code 0-3}. */
    private static String count(String list) throws ConfigException {
        Matcher m = RANGE.matcher(list);
        if (!m.matches()) {
            throw new ConfigException("'" + list + "' is no range of CPUs");
        }
        return m.group(2) == null
                ? "1"
                : Integer.toString(Integer.parseInt(m.group(2)) - Integer.parseInt(m.group(1)) + 1);
    }
}
