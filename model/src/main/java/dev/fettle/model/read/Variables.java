package dev.fettle.model.read;

import dev.fettle.model.load.Templates;
import java.util.HashSet;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;

/** The variables of a scenario that have a value where its texts are read. */
final class Variables {
    static final String NO_NAME = "'%s' is no name of a variable: letters, digits and _ . - are";

    private final Problems problems;
    /** Those with a value in every step. */
    private final Set<String> everywhere = new HashSet<>(Templates.BUILT_IN);
    /** Those that an earlier step of the flow takes from an answer. */
    private final Set<String> taken = new HashSet<>();

    Variables(Problems problems) {
        this.problems = problems;
    }

    /** Adds one that has a value in every step; false if a problem was reported. */
    boolean add(Node at, String name) {
        return check(at, name) && everywhere.add(name);
    }

    /** Adds one that a step takes from its answer. */
    void take(Node at, String name) {
        check(at, name);
        taken.add(name);
    }

    private boolean check(Node at, String name) {
        boolean right = Templates.isName(name);
        if (!right) {
            problems.add(at, NO_NAME.formatted(name));
        } else if (everywhere.contains(name)) {
            problems.add(at, "${%s} has two sources".formatted(name));
        }
        return right && !everywhere.contains(name);
    }

    /** Begins a flow, to which no step before belongs. */
    void flow() {
        taken.clear();
    }

    /** Checks a text's placeholders. */
    void in(Node node, String text) {
        new Scalars(problems).tried(node, "", text, Templates::variables).ifPresent(names -> {
            for (String name : names) {
                if (!everywhere.contains(name) && !taken.contains(name)) {
                    problems.add(
                            node,
                            ("${%s} has no value here: it is neither a variable, nor a column of the data, nor taken from an"
                                            + " answer by a step before this one")
                                    .formatted(name));
                }
            }
        });
    }
}
