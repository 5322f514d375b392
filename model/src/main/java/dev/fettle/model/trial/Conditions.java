package dev.fettle.model.trial;

import dev.fettle.model.text.OptionalFigure;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a trial was run, where it did not have a target and the machine for itself from launch to end.
 *
 * @param pair empty: it was not one of a pair
 * @param warm empty: it had a process of its own
 * @param atBest what it would have given at best, in the unit of the objective; empty: it was not ended early
 */
@RecordBuilder
public record Conditions(Optional<Pair> pair, Optional<Warm> warm, OptionalFigure atBest)
        implements ConditionsBuilder.With {
    /** A target and the machine of its own, to the end. */
    public static final Conditions ALONE = new Conditions(Optional.empty(), Optional.empty(), OptionalFigure.empty());

    /**
     * A trial of a pair.
     *
     * @param sideBySide whether both targets were up at the same time and loaded in turn
     * @param whyNot why not; empty if they were
     * @param again why the pair was started a second time, after which both were up; empty: it was not
     * @param slices empty: it was not measured in slices
     */
    public record Pair(boolean sideBySide, Optional<String> whyNot, Optional<String> again, Optional<Slices> slices) {
        /** Both up at the same time. */
        public static final Pair SIDE_BY_SIDE = new Pair(true, Optional.empty(), Optional.empty(), Optional.empty());

        /** One after the other. */
        public static Pair apart(String whyNot) {
            return new Pair(false, Optional.of(whyNot), Optional.empty(), Optional.empty());
        }

        /** Both up at the same time, at the second attempt. */
        public static Pair again(String why) {
            return new Pair(true, Optional.empty(), Optional.of(why), Optional.empty());
        }

        Pair in(Slices measured) {
            return new Pair(sideBySide, whyNot, again, Optional.of(measured));
        }
    }

    /**
     * The slices of a trial.
     *
     * @param counted those that count
     * @param planned as many were to count
     * @param disturbed those that were disturbed, counted or not
     * @param keptDisturbed those that count although they were disturbed, because the machine was not calm for long enough
     * @param cpuSeconds CPU seconds for requests in each that counts, without the JVM's compilers; empty: not read
     */
    public record Slices(int counted, int planned, int disturbed, int keptDisturbed, List<Double> cpuSeconds) {
        public Slices {
            cpuSeconds = List.copyOf(cpuSeconds);
        }
    }

    /**
     * The warm JVM in which a search sets its knobs, one setting after the other.
     *
     * @param jvm tells one from another: when it was launched
     * @param trial how many trials it has had, this one included
     * @param live the knobs that can be set in it
     */
    public record Warm(String jvm, int trial, Set<String> live) {
        public Warm {
            live = Collections.unmodifiableSortedSet(new TreeSet<>(live));
        }
    }

    /** Those of a trial of a pair, measured in slices. */
    public Conditions in(Slices slices) {
        return withPair(pair.map(p -> p.in(slices)));
    }
}
