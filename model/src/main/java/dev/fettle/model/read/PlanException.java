package dev.fettle.model.read;

import java.util.List;
import java.util.stream.Collectors;

/** A plan has mistakes, all of which are listed. */
public final class PlanException extends RuntimeException {
    private final transient List<Problem> problems;

    PlanException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** The mistakes, in file order; at least one. */
    public List<Problem> problems() {
        return problems;
    }
}
