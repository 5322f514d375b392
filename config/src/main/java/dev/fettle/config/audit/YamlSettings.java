package dev.fettle.config.audit;

import dev.fettle.config.ConfigException;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.SettingKind;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * YAML of Spring Boot, Compose and Kubernetes; which of them it is, its first keys say. Nodes only: nothing is constructed, no alias
 * is followed.
 */
final class YamlSettings {
    private static final int DEEPEST = 40;
    private static final Set<String> SPRING = Set.of("server", "spring", "management", "logging");

    private final Source in;
    private final String text;
    private final int from;
    private final boolean plain;

    private YamlSettings(Source in, int from, String text) {
        this.in = in;
        this.from = from;
        this.text = text;
        this.plain = text.codePointCount(0, text.length()) == text.length();
    }

    /**
     * Reads a part of a text.
     *
     * @throws ConfigException if it is no YAML
     */
    static void read(Source in, int from, int to) throws ConfigException {
        new YamlSettings(in, from, in.text().substring(from, to)).all();
    }

    private void all() throws ConfigException {
        var options = new LoaderOptions();
        options.setNestingDepthLimit(DEEPEST);
        options.setMaxAliasesForCollections(20);
        options.setAllowDuplicateKeys(true);
        var roots = new ArrayList<Node>();
        try {
            new Yaml(options).composeAll(new StringReader(text)).forEach(roots::add);
        } catch (YAMLException e) {
            throw new ConfigException(in.name() + ": not YAML: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        } catch (RuntimeException | StackOverflowError e) {
            throw new ConfigException(in.name() + ": not YAML that can be read");
        }
        for (Node root : roots) {
            if (!(root instanceof MappingNode map)) {
                continue;
            }
            if (at(map, "apiVersion").isPresent() && at(map, "kind").isPresent()) {
                containers(map, 0);
            } else if (at(map, "services").isPresent()) {
                at(map, "services").ifPresent(this::services);
            } else if (map.getValue().stream().anyMatch(t -> SPRING.contains(key(t).split("\\.")[0]))) {
                flatten("", map, 0);
            }
        }
    }

    // -- Spring Boot -------------------------------------------------------------------------------------------------

    private void flatten(String prefix, MappingNode map, int depth) {
        for (NodeTuple t : map.getValue()) {
            String name = prefix.isEmpty() ? key(t) : prefix + "." + key(t);
            if (depth > DEEPEST) {
                return;
            }
            switch (t.getValueNode()) {
                case MappingNode inner -> flatten(name, inner, depth + 1);
                case ScalarNode s -> in.add(SettingKind.SPRING, name, s.getValue(), place(t), "");
                default -> {
                    // lists set nothing that is judged
                }
            }
        }
    }

    // -- Compose -----------------------------------------------------------------------------------------------------

    private void services(Node services) {
        if (!(services instanceof MappingNode all)) {
            return;
        }
        for (NodeTuple t : all.getValue()) {
            if (!(t.getValueNode() instanceof MappingNode service)) {
                continue;
            }
            String scope = "service " + key(t);
            for (NodeTuple s : service.getValue()) {
                switch (key(s)) {
                    case "image" -> scalar(s, "FROM", scope);
                    case "mem_limit" -> scalar(s, "memory", scope);
                    case "cpus" -> scalar(s, "cpu", scope);
                    case "pids_limit" -> scalar(s, "pids", scope);
                    case "environment", "command", "entrypoint" -> options(s.getValueNode(), scope);
                    case "ulimits" -> ulimits(s.getValueNode(), scope);
                    case "sysctls" -> sysctls(s.getValueNode(), scope);
                    case "deploy" ->
                        at(s.getValueNode(), "resources")
                                .flatMap(r -> at(r, "limits"))
                                .ifPresent(l -> limits(l, "", scope));
                    default -> {
                        // says nothing of what is judged
                    }
                }
            }
        }
    }

    private void scalar(NodeTuple t, String name, String scope) {
        if (t.getValueNode() instanceof ScalarNode s) {
            in.add(SettingKind.CONTAINER, name, s.getValue(), place(t), scope);
        }
    }

    private void ulimits(Node node, String scope) {
        if (node instanceof MappingNode map) {
            for (NodeTuple t : map.getValue()) {
                if (t.getValueNode() instanceof ScalarNode s) {
                    in.add(SettingKind.LIMIT, "ulimit " + key(t), s.getValue(), place(t), scope);
                } else if (t.getValueNode() instanceof MappingNode two) {
                    for (NodeTuple which : two.getValue()) {
                        if (which.getValueNode() instanceof ScalarNode s) {
                            in.add(SettingKind.LIMIT, key(which) + " " + key(t), s.getValue(), place(which), scope);
                        }
                    }
                }
            }
        }
    }

    private void sysctls(Node node, String scope) {
        if (node instanceof MappingNode map) {
            for (NodeTuple t : map.getValue()) {
                if (t.getValueNode() instanceof ScalarNode s) {
                    in.add(SettingKind.SYSCTL, key(t), s.getValue(), place(t), scope);
                }
            }
        } else if (node instanceof SequenceNode list) {
            for (Node each : list.getValue()) {
                if (each instanceof ScalarNode s && s.getValue().contains("=")) {
                    String[] pair = s.getValue().split("=", 2);
                    in.add(SettingKind.SYSCTL, pair[0].strip(), pair[1].strip(), place(s), scope);
                } else if (each instanceof MappingNode pair) { // Kubernetes: name and value
                    in.add(
                            SettingKind.SYSCTL,
                            at(pair, "name").map(YamlSettings::text).orElse(""),
                            at(pair, "value").map(YamlSettings::text).orElse(""),
                            place(pair),
                            scope);
                }
            }
        }
    }

    // -- Kubernetes --------------------------------------------------------------------------------------------------

    private void containers(Node node, int depth) {
        if (depth > DEEPEST) {
            return;
        }
        if (node instanceof SequenceNode list) {
            list.getValue().forEach(n -> containers(n, depth + 1));
        }
        if (!(node instanceof MappingNode map)) {
            return;
        }
        for (NodeTuple t : map.getValue()) {
            if (key(t).equals("containers") && t.getValueNode() instanceof SequenceNode all) {
                all.getValue().forEach(this::container);
            } else if (key(t).equals("sysctls")) {
                sysctls(t.getValueNode(), "pod");
            } else {
                containers(t.getValueNode(), depth + 1);
            }
        }
    }

    private void container(Node c) {
        String scope = "container " + at(c, "name").map(YamlSettings::text).orElse("?");
        at(c, "image").ifPresent(i -> in.add(SettingKind.CONTAINER, "FROM", text(i), place(i), scope));
        for (String part : List.of("env", "args", "command")) {
            at(c, part).ifPresent(n -> options(n, scope));
        }
        at(c, "resources").ifPresent(r -> {
            at(r, "limits").ifPresent(l -> limits(l, "", scope));
            at(r, "requests").ifPresent(l -> limits(l, "requests.", scope));
        });
    }

    private void limits(Node limits, String prefix, String scope) {
        if (limits instanceof MappingNode map) {
            for (NodeTuple t : map.getValue()) {
                if (t.getValueNode() instanceof ScalarNode s) {
                    String name = key(t).equals("cpus") ? "cpu" : key(t);
                    in.add(SettingKind.CONTAINER, prefix + name, s.getValue(), place(t), scope);
                }
            }
        }
    }

    // -- nodes -------------------------------------------------------------------------------------------------------

    /** JVM options in all scalars of a node. */
    private void options(Node node, String scope) {
        int start = offset(node.getStartMark().getIndex());
        int end = offset(node.getEndMark().getIndex());
        if (end > start) {
            JvmTokens.scan(in, start, end, scope);
        }
    }

    private static Optional<Node> at(Node node, String key) {
        return node instanceof MappingNode map
                ? map.getValue().stream()
                        .filter(t -> key(t).equals(key))
                        .map(NodeTuple::getValueNode)
                        .findFirst()
                : Optional.empty();
    }

    private static String key(NodeTuple t) {
        return text(t.getKeyNode());
    }

    private static String text(Node node) {
        return node instanceof ScalarNode s ? s.getValue() : "";
    }

    private Place place(NodeTuple t) {
        int start = offset(t.getKeyNode().getStartMark().getIndex());
        return in.place(
                start, Math.max(start, offset(t.getValueNode().getEndMark().getIndex())));
    }

    private Place place(Node n) {
        int start = offset(n.getStartMark().getIndex());
        return in.place(start, Math.max(start, offset(n.getEndMark().getIndex())));
    }

    /** The parser counts code points. */
    private int offset(int codePoints) {
        return from + (plain ? codePoints : text.offsetByCodePoints(0, codePoints));
    }
}
