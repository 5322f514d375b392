package dev.fettle.config.audit;

import dev.fettle.config.ConfigException;
import dev.fettle.config.YamlText;
import dev.fettle.config.boot.BootConfigText;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.KnownNames;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** YAML of Spring Boot, Compose and Kubernetes, distinguished by their top-level keys. */
final class YamlSettings {
    private static final int DEEPEST = 50;
    private static final Set<String> SPRING = Set.of("server", "spring", "management", "logging");

    private static final Pattern JAVA = Pattern.compile("(?:.*/)?java");
    /** Words as a shell splits them; what stands in quotes is one. */
    private static final Pattern BLANKS = Pattern.compile("(?:[^\\s\"']|\"[^\"]*+\"|'[^']*+')++");

    private final Source in;
    private final YamlText yaml;
    private final Set<Node> looked = Collections.newSetFromMap(new IdentityHashMap<>());
    private final int from;

    private YamlSettings(Source in, YamlText yaml, int from) {
        this.in = in;
        this.yaml = yaml;
        this.from = from;
    }

    /**
     * Reads a part of a text.
     *
     * @throws ConfigException if it is not YAML
     */
    static void read(Source in, int from, int to) throws ConfigException {
        try {
            var settings = new YamlSettings(in, YamlText.parse(in.text().substring(from, to)), from);
            for (Node root : settings.yaml.documents()) {
                settings.document(root);
            }
        } catch (ConfigException e) {
            throw new ConfigException(in.name() + ": " + e.getMessage());
        }
    }

    private void document(Node root) throws ConfigException {
        if (YamlText.at(root, "apiVersion").isPresent()
                && YamlText.at(root, "kind").isPresent()) {
            containers(root, 0);
        } else if (YamlText.at(root, "services").isPresent()) {
            YamlText.at(root, "services").ifPresent(this::services);
        } else if (YamlText.entries(root).stream().anyMatch(t -> SPRING.contains(key(t).split("\\.")[0]))) {
            List<YamlText.Value> values = yaml.values(root);
            String scope = BootConfigText.scope(values);
            for (YamlText.Value v : values) {
                in.add(SettingKind.SPRING, v.name(), v.value(), in.place(from + v.start(), from + v.end()), scope);
            }
        }
    }

    // -- Compose -----------------------------------------------------------------------------------------------------

    private void services(Node services) {
        for (NodeTuple t : YamlText.entries(services)) {
            String scope = "service " + key(t);
            Launch launch = launch(t.getValueNode(), "entrypoint", "command").ofCompose();
            launch.read(in, scope, false);
            for (NodeTuple s : YamlText.entries(t.getValueNode())) {
                switch (key(s)) {
                    case "image" -> scalar(SettingKind.CONTAINER, "FROM", s, scope);
                    case "mem_limit" -> scalar(SettingKind.CONTAINER, "memory", s, scope);
                    case "cpus" -> scalar(SettingKind.CONTAINER, "cpu", s, scope);
                    case "pids_limit" -> scalar(SettingKind.CONTAINER, "pids", s, scope);
                    case "environment" -> environment(s.getValueNode(), launch, scope);
                    case "ulimits" -> ulimits(s.getValueNode(), scope);
                    case "sysctls" -> sysctls(s.getValueNode(), scope);
                    case "deploy" ->
                        YamlText.at(s.getValueNode(), "resources", "limits").ifPresent(l -> limits(l, "", scope));
                    default -> {
                        // not judged
                    }
                }
            }
        }
    }

    private void scalar(SettingKind kind, String name, NodeTuple t, String scope) {
        if (t.getValueNode() instanceof ScalarNode s) {
            in.add(kind, name, s.getValue(), place(t.getKeyNode(), s), scope);
        }
    }

    private void ulimits(Node node, String scope) {
        for (NodeTuple t : YamlText.entries(node)) {
            scalar(SettingKind.LIMIT, "ulimit " + key(t), t, scope);
            YamlText.entries(t.getValueNode())
                    .forEach(which -> scalar(SettingKind.LIMIT, key(which) + " " + key(t), which, scope));
        }
    }

    private void sysctls(Node node, String scope) {
        YamlText.entries(node).forEach(t -> scalar(SettingKind.SYSCTL, key(t), t, scope));
        for (Node each : YamlText.elements(node)) {
            String[] pair = each instanceof MappingNode // Kubernetes: name and value
                    ? new String[] {text(each, "name"), text(each, "value")}
                    : YamlText.text(each).split("=", 2);
            if (pair.length == 2) {
                in.add(SettingKind.SYSCTL, pair[0].strip(), pair[1].strip(), place(each, each), scope);
            }
        }
    }

    // -- Kubernetes --------------------------------------------------------------------------------------------------

    private void containers(Node node, int depth) {
        // aliases can lead to the same node in millions of ways
        if (depth > DEEPEST || !looked.add(node)) {
            return;
        }
        YamlText.elements(node).forEach(n -> containers(n, depth + 1));
        for (NodeTuple t : YamlText.entries(node)) {
            if (key(t).equals("containers")) {
                YamlText.elements(t.getValueNode()).forEach(this::container);
            } else if (key(t).equals("sysctls")) {
                sysctls(t.getValueNode(), "pod");
            } else {
                containers(t.getValueNode(), depth + 1);
            }
        }
    }

    private void container(Node c) {
        String name = text(c, "name");
        String scope = "container " + (name.isEmpty() ? "?" : name);
        YamlText.at(c, "image")
                .ifPresent(i -> in.add(SettingKind.CONTAINER, "FROM", YamlText.text(i), place(i, i), scope));
        Launch launch = launch(c, "command", "args");
        launch.read(in, scope, true);
        YamlText.at(c, "env").ifPresent(n -> environment(n, launch, scope));
        YamlText.at(c, "resources", "limits").ifPresent(l -> limits(l, "", scope));
        YamlText.at(c, "resources", "requests").ifPresent(l -> limits(l, "requests.", scope));
    }

    private void limits(Node limits, String prefix, String scope) {
        for (NodeTuple t : YamlText.entries(limits)) {
            scalar(SettingKind.CONTAINER, prefix + (key(t).equals("cpus") ? "cpu" : key(t)), t, scope);
        }
    }

    // -- nodes -------------------------------------------------------------------------------------------------------

    /**
     * What is started.
     *
     * @param program the key of what takes the place of the image's entry point
     * @param more the key of the arguments that follow it
     */
    private Launch launch(Node of, String program, String more) {
        var words = new ArrayList<Launch.Word>();
        boolean whole = YamlText.at(of, program).filter(n -> words(n, words)).isPresent();
        boolean more1 = YamlText.at(of, more).filter(n -> words(n, words)).isPresent();
        // without an entry point of its own, an image such as eclipse-temurin starts what the arguments say
        boolean command =
                !whole && more1 && JAVA.matcher(words.getFirst().text()).matches();
        return new Launch(text(of, "image"), words, whole || command);
    }

    private boolean words(Node node, List<Launch.Word> out) {
        int before = out.size();
        if (node instanceof ScalarNode s) { // Compose splits it as a shell would; Kubernetes wants a list
            int start = from + yaml.start(s);
            int end = from + yaml.end(s);
            Matcher m = BLANKS.matcher(in.text()).region(start, end);
            while (m.find()) {
                out.add(new Launch.Word(m.group().replaceAll("^[\"'>|]+|[\"']+$", ""), m.start(), m.end()));
            }
        }
        for (Node e : YamlText.elements(node)) {
            out.add(new Launch.Word(YamlText.text(e), from + yaml.start(e), from + yaml.end(e)));
        }
        return out.size() > before;
    }

    /** Environment variables: names and values as a mapping, as {@code NAME=VALUE}, or as Kubernetes' list. */
    private void environment(Node node, Launch launch, String scope) {
        for (NodeTuple t : YamlText.entries(node)) {
            options(t.getValueNode(), launch.scope(key(t), scope));
            spring(key(t), YamlText.text(t.getValueNode()), place(t.getKeyNode(), t.getValueNode()), scope);
        }
        for (Node e : YamlText.elements(node)) {
            boolean kubernetes = e instanceof MappingNode;
            String[] pair = kubernetes
                    ? new String[] {text(e, "name"), text(e, "value")}
                    : YamlText.text(e).split("=", 2);
            String name = pair[0].strip();
            options(e, launch.scope(name, scope));
            spring(name, pair.length > 1 ? pair[1] : "", place(e, e), scope);
            YamlText.at(e, "valueFrom", "resourceFieldRef", "resource")
                    .ifPresent(r ->
                            in.add(SettingKind.CONTAINER, "variable " + name, YamlText.text(r), place(r, r), scope));
        }
    }

    /** Adds the property of Spring Boot's that a variable sets. */
    private void spring(String variable, String value, Place place, String scope) {
        KnownNames.ofVariable(variable).ifPresent(p -> in.add(SettingKind.SPRING, p, value, place, scope));
    }

    /** Adds the JVM options in a node's text. */
    private void options(Node node, String scope) {
        int start = from + yaml.start(node);
        int end = from + yaml.end(node);
        if (end > start) {
            JvmTokens.scan(in, start, end, scope);
        }
    }

    private static String key(NodeTuple t) {
        return YamlText.text(t.getKeyNode());
    }

    private static String text(Node node, String key) {
        return YamlText.at(node, key).map(YamlText::text).orElse("");
    }

    private Place place(Node first, Node last) {
        int start = from + yaml.start(first);
        return in.place(start, Math.max(start, from + yaml.end(last)));
    }
}
