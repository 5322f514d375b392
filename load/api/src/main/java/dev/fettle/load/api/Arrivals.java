package dev.fettle.load.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** When requests (iterations of a scenario) are due. */
public sealed interface Arrivals {

    /** The closed model: a client's next request is due when it has its answer and has paused for the think time (0 to 1 h). */
    record Closed(Duration think) implements Arrivals {
        /** Without think time. */
        public static final Closed BACK_TO_BACK = new Closed(Duration.ZERO);

        /** Checks the range. */
        public Closed {
            Ranges.range("think time", think, Duration.ZERO, Duration.ofHours(1));
        }
    }

    /**
     * The open model: requests are due on a schedule, whatever the server does. The stages follow each other.
     *
     * @param stages one or more
     * @param poisson whether arrivals are independent (exponential gaps, a Poisson process), like those of many users who know
     *     nothing of each other, instead of evenly spaced
     * @param seed of that randomness: the same seed gives the same arrivals
     */
    record Open(List<Stage> stages, boolean poisson, long seed) implements Arrivals {
        /** Checks that there is a stage. */
        public Open {
            stages = List.copyOf(stages);
            if (stages.isEmpty()) {
                throw new IllegalArgumentException("an open load needs at least one stage");
            }
        }

        /** A constant rate, evenly spaced, as long as a load can last. */
        public static Open constant(double perSecond) {
            return new Open(List.of(new Stage(perSecond, perSecond, Stage.LONGEST, 1)), false, 1);
        }

        /** These arrivals, the last one's final rate for as long as a load can last. */
        public Open goingOn() {
            Stage last = stages.getLast();
            var all = new ArrayList<>(stages);
            all.add(new Stage(last.to(), last.to(), Stage.LONGEST, last.burst()));
            return new Open(all, poisson, seed);
        }
    }

    /**
     * A stretch of time whose rate is constant or changes linearly.
     *
     * @param from arrivals per second at its beginning, 0 to 10,000,000
     * @param to arrivals per second at its end
     * @param length over 0, up to 7 days
     * @param burst how many arrive at once, 1 or more; the rate counts each of them
     */
    record Stage(double from, double to, Duration length, int burst) {
        private static final Duration LONGEST = Duration.ofDays(7);

        /** Checks the ranges. */
        public Stage {
            if (!(from >= 0 && from <= 1e7 && to >= 0 && to <= 1e7)) {
                throw new IllegalArgumentException("a rate must be from 0 to 10,000,000 a second");
            }
            Ranges.range("length of a stage", length, Duration.ofNanos(1), LONGEST);
            Ranges.range("burst", burst, 1, 1_000_000);
        }
    }
}
