package dev.fettle.model.read;

import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the arguments of a command: a list of arguments and of groups, each a list of them. */
final class ArgumentReader {
    private final Scalars scalars;
    private final Check check;

    /** Checks the placeholders of an argument. */
    interface Check {
        /** @param alone whether the argument is in no group */
        void look(Node at, String argument, boolean alone);
    }

    ArgumentReader(Problems problems, Check check) {
        this.scalars = new Scalars(problems);
        this.check = check;
    }

    List<List<String>> read(Node node, String what) {
        var groups = new ArrayList<List<String>>();
        for (Node item : scalars.list(node, what)) {
            boolean alone = !(item instanceof SequenceNode);
            var group = new ArrayList<String>();
            for (Node argument : alone ? List.of(item) : scalars.list(item, "a group of arguments")) {
                scalars.text(argument, "an argument").ifPresent(text -> {
                    check.look(argument, text, alone);
                    group.add(text);
                });
            }
            if (!group.isEmpty()) {
                groups.add(group);
            }
        }
        return groups;
    }
}
