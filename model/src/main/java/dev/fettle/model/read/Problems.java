package dev.fettle.model.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** Collects the mistakes of one file, and which others were read with it. */
final class Problems {
    /** Further ones would mostly be consequences of the first. */
    private static final int MOST = 50;

    private final String file;
    private final List<Problem> found = new ArrayList<>();
    private final Set<Path> alsoRead = new LinkedHashSet<>();

    Problems(String file) {
        this.file = file;
    }

    void add(Node node, String message) {
        add(node.getStartMark(), message);
    }

    void add(Mark mark, String message) {
        add(mark.getLine() + 1, mark.getColumn() + 1, message);
    }

    void add(int line, int column, String message) {
        add(new Problem(file, line, column, message.replaceAll("(?<!\\s)[^\\S\\r\\n]*+[\\r\\n]\\s*+", " ")));
    }

    void add(Problem problem) {
        if (found.size() < MOST && !found.contains(problem)) {
            found.add(problem);
        }
    }

    boolean none() {
        return found.isEmpty();
    }

    /** Notes that another file was read, which is part of this one. */
    void alsoRead(Path other) {
        alsoRead.add(other);
    }

    List<Path> alsoRead() {
        return List.copyOf(alsoRead);
    }

    /** Throws if there are any problems. */
    void throwIfAny() {
        if (!found.isEmpty()) {
            found.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
            throw new PlanException(found);
        }
    }
}
