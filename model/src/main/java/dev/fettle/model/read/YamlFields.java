package dev.fettle.model.read;

import dev.fettle.model.text.NearestName;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The entries of one mapping, checked for repeated, empty and unknown keys. */
final class YamlFields {
    private final Node node;
    private final String what;
    private final Problems problems;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /** Keys that are present, even if their value was refused. */
    private final Map<String, Node> written = new LinkedHashMap<>();
    /** Known keys that unknown ones were probably meant to be. */
    private final Set<String> meant = new HashSet<>();

    private boolean unknown;

    record Entry(String key, Node keyNode, Node value) {
        NodeTuple tuple() {
            return new NodeTuple(keyNode, value);
        }
    }

    private YamlFields(Node node, String what, Problems problems) {
        this.node = node;
        this.what = what;
        this.problems = problems;
    }

    /** Allows any keys. A node that is not a mapping is a problem and has no entries. */
    static YamlFields open(Node node, String what, Problems problems) {
        var fields = new YamlFields(node, what, problems);
        if (!(node instanceof MappingNode mapping)) {
            problems.add(node, "%s is a mapping (key: value), not %s".formatted(what, kind(node)));
            return fields;
        }
        for (NodeTuple t : mapping.getValue()) {
            fields.take(t);
        }
        return fields;
    }

    /** Allows only a section's keys; others are problems with a suggestion. */
    static YamlFields closed(Node node, String what, List<String> allowed, Problems problems) {
        YamlFields fields = open(node, what, problems);
        fields.written.forEach((key, at) -> {
            if (!allowed.contains(key)) {
                fields.unknown = true;
                Optional<String> near = NearestName.nearest(key, allowed);
                near.ifPresent(fields.meant::add);
                String hint = near.map(n -> "; did you mean '" + n + "'?").orElse("");
                problems.add(
                        at, "unknown key '%s'%s (allowed here: %s)".formatted(key, hint, String.join(", ", allowed)));
            }
        });
        return fields;
    }

    /** The fields of a mapping for which a single value stands: none. */
    static YamlFields bare(Node node, String what, Problems problems) {
        return new YamlFields(node, what, problems);
    }

    private void take(NodeTuple tuple) {
        if (!(tuple.getKeyNode() instanceof ScalarNode scalar)) {
            problems.add(
                    tuple.getKeyNode(), "a key of %s is plain text, not %s".formatted(what, kind(tuple.getKeyNode())));
            return;
        }
        String key = scalar.getValue();
        Node first = written.putIfAbsent(key, scalar);
        if (first != null) {
            problems.add(
                    scalar,
                    "'%s' appears twice, first in line %d"
                            .formatted(key, first.getStartMark().getLine() + 1));
        } else if (isNull(tuple.getValueNode())) {
            problems.add(scalar, "'%s' has no value".formatted(key));
        } else {
            entries.put(key, new Entry(key, scalar, tuple.getValueNode()));
        }
    }

    Optional<Node> get(String key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::value);
    }

    /** As {@link #get}; a missing key is a problem, unless it was just misspelt. */
    Optional<Node> require(String key, String example) {
        if (lacks(key) && node instanceof MappingNode) {
            problems.add(node, "%s needs '%s', for example %s: %s".formatted(what, key, key, example));
        }
        return get(key);
    }

    /** Whether a key is absent, and none was misspelt that it could be. */
    boolean lacks(String key) {
        return !written.containsKey(key) && !meant.contains(key);
    }

    /** Whether it has keys that are not allowed. */
    boolean hasUnknown() {
        return unknown;
    }

    /** Reports what is wrong with a key's value or, if it is absent, with the mapping. */
    void wrong(String key, String message) {
        problems.add(at(key), message);
    }

    /** The mapping under a key, where a part of it is to be located; what is wrong with its form has been reported. */
    YamlFields in(String key) {
        var fields = new YamlFields(get(key).orElseGet(() -> at(key)), key, problems);
        get(key).map(n -> open(n, key, new Problems(""))).ifPresent(f -> {
            fields.entries.putAll(f.entries);
            fields.written.putAll(f.written);
        });
        return fields;
    }

    /** All keys that are present. */
    Set<String> keys() {
        return written.keySet();
    }

    /** Whether a key is present. */
    boolean has(String key) {
        return written.containsKey(key);
    }

    /** Whether a key is present or, for {@code key=value}, has this value. */
    boolean hasAs(String key) {
        int equals = key.indexOf('=');
        return equals < 0
                ? has(key)
                : get(key.substring(0, equals))
                        .filter(n -> n instanceof ScalarNode s && s.getValue().equals(key.substring(equals + 1)))
                        .isPresent();
    }

    /** The position of a key; the mapping itself if it is absent. */
    Node at(String key) {
        return written.getOrDefault(key, node);
    }

    Iterable<Entry> all() {
        return entries.values();
    }

    int size() {
        return entries.size();
    }

    Node node() {
        return node;
    }

    /** What it is called in messages. */
    String what() {
        return what;
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    static boolean isNull(Node node) {
        return node instanceof ScalarNode && node.getTag().equals(Tag.NULL);
    }

    static String kind(Node node) {
        return switch (node.getNodeId()) {
            case mapping -> "a mapping";
            case sequence -> "a list";
            default -> isNull(node) ? "nothing" : "'" + shortened(((ScalarNode) node).getValue()) + "'";
        };
    }

    private static String shortened(String value) {
        return value.length() <= 40 ? value : value.substring(0, 37) + "...";
    }
}
