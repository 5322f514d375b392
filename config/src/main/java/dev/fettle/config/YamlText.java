package dev.fettle.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A YAML text as nodes, with their positions. Tags can't name a class. */
public final class YamlText {
    private static final int DEEPEST = 50;
    private static final int MOST_ENTRIES = 20_000;
    /** Most aliases: the services of a long Compose file share parts dozens of times. */
    private static final int ALIASES = 50;

    private final String text;
    private final boolean plain;
    private final List<Node> documents = new ArrayList<>();

    private YamlText(String text) {
        this.text = text;
        this.plain = text.codePointCount(0, text.length()) == text.length();
    }

    /**
     * Parses a text.
     *
     * @throws ConfigException with a reason of one line, if it is not YAML, or is nested too deeply
     */
    public static YamlText parse(String text) throws ConfigException {
        var yaml = new YamlText(text);
        try {
            new Yaml(options()).composeAll(new StringReader(text)).forEach(yaml.documents::add);
        } catch (MarkedYAMLException e) {
            String line = e.getProblemMark() == null
                    ? ""
                    : "line " + (e.getProblemMark().getLine() + 1) + ": ";
            throw new ConfigException(line + "not YAML: " + oneLine(e.getProblem()));
        } catch (RuntimeException | StackOverflowError e) {
            throw new ConfigException("not YAML: " + oneLine(e.getMessage()));
        }
        return yaml;
    }

    private static LoaderOptions options() {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false); // as in Spring Boot
        options.setNestingDepthLimit(DEEPEST);
        options.setMaxAliasesForCollections(ALIASES);
        return options;
    }

    private static String oneLine(@org.jspecify.annotations.Nullable String words) {
        return String.valueOf(words).replaceAll("\\s+", " ");
    }

    public List<Node> documents() {
        return documents;
    }

    /** The node on a path of keys. */
    public static Optional<Node> at(Node from, String... path) {
        Optional<Node> at = Optional.of(from);
        for (String step : path) {
            at = at.flatMap(n -> entries(n).stream()
                    .filter(t -> text(t.getKeyNode()).equals(step))
                    .map(NodeTuple::getValueNode)
                    .findFirst());
        }
        return at;
    }

    /** The entries of a mapping; none for another node. */
    public static List<NodeTuple> entries(Node node) {
        return node instanceof MappingNode map ? map.getValue() : List.of();
    }

    /** The elements of a sequence; none for another node. */
    public static List<Node> elements(Node node) {
        return node instanceof SequenceNode list ? list.getValue() : List.of();
    }

    /** The text of a scalar; empty for another node. */
    public static String text(Node node) {
        return node instanceof ScalarNode s ? s.getValue() : "";
    }

    /** Offset of a node's start in the text. */
    public int start(Node node) {
        return offset(node.getStartMark().getIndex());
    }

    /** Offset of its end. */
    public int end(Node node) {
        return offset(node.getEndMark().getIndex());
    }

    /** Converts the parser's offset, which is in code points. */
    private int offset(int codePoints) {
        return plain ? codePoints : text.offsetByCodePoints(0, codePoints);
    }

    /**
     * A single value.
     *
     * @param name the keys that lead to it, joined by dots: {@code server.tomcat.threads.max}
     * @param value as YAML interprets it: {@code on} is true, {@code 0x10} is 16. A list of single values becomes one
     *     value, joined by commas
     * @param start offset of its key in the text
     */
    public record Value(String name, String value, int start, int end) {}

    /**
     * All values below a mapping.
     *
     * @throws ConfigException if there are too many, which a few lines with aliases can produce, or if a key is
     *     repeated
     */
    public List<Value> values(Node mapping) throws ConfigException {
        var out = new ArrayList<Value>();
        try {
            new Flat(out).mapping("", mapping, 0);
        } catch (YAMLException | IllegalArgumentException e) {
            throw new ConfigException("not YAML: " + oneLine(e.getMessage()));
        }
        return out;
    }

    private final class Flat extends SafeConstructor {
        private final List<Value> out;
        private int entries;

        Flat(List<Value> out) {
            super(options());
            setAllowDuplicateKeys(false); // Yaml sets it only in its own constructors
            this.out = out;
        }

        private void mapping(String prefix, Node node, int depth) {
            if (node instanceof MappingNode map) {
                flattenMapping(map);
            }
            for (NodeTuple t : entries(node)) {
                String key = scalar(t.getKeyNode());
                add(
                        prefix.isEmpty() || key.startsWith("[") ? prefix + key : prefix + "." + key,
                        t.getKeyNode(),
                        t.getValueNode(),
                        depth);
            }
        }

        private void add(String name, Node key, Node value, int depth) {
            if (entries++ > MOST_ENTRIES || depth > DEEPEST) {
                throw new IllegalArgumentException("it expands to more than %d entries".formatted(MOST_ENTRIES));
            }
            List<Node> list = elements(value);
            if (value instanceof MappingNode) {
                mapping(name, value, depth + 1);
            } else if (list.stream().allMatch(ScalarNode.class::isInstance)) {
                String joined = value instanceof ScalarNode
                        ? scalar(value)
                        : String.join(",", list.stream().map(this::scalar).toList());
                out.add(new Value(name, joined, start(key), Math.max(start(key), end(value))));
            } else {
                for (int i = 0; i < list.size(); i++) {
                    add(name + "[" + i + "]", list.get(i), list.get(i), depth + 1);
                }
            }
        }

        private String scalar(Node node) {
            Object value = node instanceof ScalarNode ? constructObject(node) : "";
            return value == null ? "" : value.toString();
        }
    }
}
