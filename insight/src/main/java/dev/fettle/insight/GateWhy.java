package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;
import dev.fettle.model.trial.Profile;
import java.util.List;

/**
 * Where the difference of two builds lies. It decides nothing: it is of trials that were recorded once the gate had its answer, and, of
 * figures without a recording, of those that decided.
 *
 * @param pairs that were recorded, with profiles on both sides
 * @param methods whose cost per request differs by more than samples scatter, the largest difference of each kind first
 * @param compared how many methods of each kind were compared
 * @param figures of waits, collections and the like per request that differ
 * @param found what the diagnosis finds of one side and not of the other
 * @param warnings what the head's output warns of and the base's does not
 */
public record GateWhy(
        int pairs,
        List<Method> methods,
        List<Compared> compared,
        List<Figure> figures,
        List<Found> found,
        List<Warning> warnings) {
    public GateWhy {
        methods = List.copyOf(methods);
        compared = List.copyOf(compared);
        figures = List.copyOf(figures);
        found = List.copyOf(found);
        warnings = List.copyOf(warnings);
    }

    /**
     * A method outside the JDK, with what it calls in the JDK.
     *
     * @param calledFrom the program's own method that calls most of it; blank if it is one itself, or none was seen
     * @param base seconds (of CPU, or of waiting for locks) or bytes per request
     * @param change head minus base, in the same unit; the intervals of all methods of a kind hold together
     */
    public record Method(
            Profile.Kind kind, String method, String calledFrom, double base, double head, Interval change) {}

    /**
     * @param methods that were compared
     * @param least the smallest difference that would have been reported of one that costs a hundredth of all, in the kind's unit per request
     */
    public record Compared(Profile.Kind kind, int methods, double least) {}

    /**
     * A figure of a request.
     *
     * @param what in words: {@code waiting for locks}
     * @param unit {@code s}, or blank for a count
     * @param change head minus base; the intervals of all figures hold together
     */
    public record Figure(String what, String unit, double base, double head, Interval change) {}

    /**
     * A finding of one side.
     *
     * @param ofHead whether it is the head's; else the base's, and gone
     * @param in of how many of that side's trials it was found in
     * @param of trials in which its rule had something to look at
     * @param otherIn the same of the other side
     */
    public record Found(
            String rule, String title, String sentence, boolean ofHead, int in, int of, int otherIn, int otherOf) {}

    /** @param times that it was printed, in one process on average */
    public record Warning(String text, double times) {}
}
