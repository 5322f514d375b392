package dev.fettle.model.read;

import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Parses YAML text into a tree of nodes. No objects are constructed, so no tag can name a class.
 *
 * @param what a file is and needs, for one that is empty
 */
record YamlTree(Problems problems, String what) {
    static final String TOO_LARGE = "is larger than 1 MiB";

    private static final int DEEPEST = 20;

    /** The root; empty if there were problems. */
    Optional<Node> read(String text) {
        if (text.length() > PlanReader.MOST_BYTES) {
            problems.add(0, 0, TOO_LARGE);
            return Optional.empty();
        }
        try {
            events(text);
            if (!problems.none()) {
                return Optional.empty();
            }
            Node root = yaml().compose(new StringReader(text));
            if (root == null) {
                problems.add(1, 1, what);
            }
            return Optional.ofNullable(root);
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark() != null ? e.getProblemMark() : e.getContextMark();
            String problem = e.getProblem() != null ? e.getProblem() : e.getContext();
            String message = "but found another document".equals(problem)
                    ? "a second document begins here, and the file is to hold one: leave the '---' out, or put it into a file of its own"
                    : "not YAML: " + problem;
            if (mark != null) {
                problems.add(mark, message);
            } else {
                problems.add(1, 1, message);
            }
        } catch (ReaderException e) {
            String before = text.substring(0, Math.min(text.length(), Math.max(0, e.getPosition())));
            int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
            problems.add(
                    line,
                    before.length() - before.lastIndexOf('\n'),
                    "not YAML: control character U+%04X".formatted(e.getCodePoint()));
        } catch (RuntimeException e) {
            // the parser also throws unmarked exceptions for characters it can't handle
            problems.add(1, 1, "not YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
        }
        return Optional.empty();
    }

    /** Rejects aliases, anchors, tags and deep nesting before any tree is built. */
    private void events(String text) {
        int depth = 0;
        for (Event event : yaml().parse(new StringReader(text))) {
            Mark mark = event.getStartMark();
            if (event instanceof AliasEvent a) {
                problems.add(mark, "aliases are not supported: write the value out in place of *" + a.getAnchor());
            } else if (event instanceof NodeEvent n && n.getAnchor() != null) {
                problems.add(mark, "anchors are not supported: leave &%s out".formatted(n.getAnchor()));
            }
            boolean tagged = (event instanceof ScalarEvent s && s.getTag() != null)
                    || (event instanceof CollectionStartEvent c && c.getTag() != null);
            if (tagged) {
                problems.add(mark, "tags are not supported: leave the '!' word out, or quote the value");
            }
            if (event instanceof CollectionStartEvent && ++depth > DEEPEST) {
                problems.add(mark, "nested more than %d deep".formatted(DEEPEST));
                return;
            }
            if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
    }

    private static Yaml yaml() {
        var options = new LoaderOptions();
        options.setCodePointLimit(PlanReader.MOST_BYTES + 1);
        options.setNestingDepthLimit(DEEPEST + 2);
        options.setMaxAliasesForCollections(0);
        return new Yaml(options);
    }

    /** The deepest existing node on a path of keys and list indexes. */
    static Node find(Node root, List<String> path) {
        Node at = root;
        for (String step : path) {
            Node next = child(at, step);
            if (next == null) {
                return at;
            }
            at = next;
        }
        return at;
    }

    private static @org.jspecify.annotations.Nullable Node child(Node node, String step) {
        if (node instanceof MappingNode mapping) {
            for (NodeTuple t : mapping.getValue()) {
                if (t.getKeyNode() instanceof ScalarNode key && key.getValue().equals(step)) {
                    return t.getValueNode();
                }
            }
        } else if (node instanceof SequenceNode sequence && step.matches("[0-9]{1,9}")) {
            int i = Integer.parseInt(step);
            return i < sequence.getValue().size() ? sequence.getValue().get(i) : null;
        }
        return null;
    }
}
