package dev.fettle.lab.measure;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides when a thread dump of a target is worth keeping: it answers nothing, or suddenly much less, or some of its
 * threads are deadlocked. Each reason is given once. Not thread-safe.
 */
final class StallRule {
    /** What happened. */
    enum Reason {
        HANGS("it answered nothing for 2 s, with requests under way"),
        HALVED("its throughput fell below half of what it was"),
        DEADLOCKED("some of its threads waited for each other");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    private static final double SILENT_SECONDS = 2;

    /** Seconds of load after which the usual rate is known. */
    private static final double KNOWN_SECONDS = 4;

    /** Seconds for which the rate must stay low to count as fallen. */
    private static final double LOW_SECONDS = 1;

    private static final double HALF = 0.5;
    private static final int MOST_RATES = 120;

    private final boolean steady;
    private final List<Double> rates = new ArrayList<>();
    private final Set<Reason> given = EnumSet.noneOf(Reason.class);
    private double known;
    private double silent;
    private double low;

    /** @param steady whether the load is constant: otherwise a lower rate may be what was asked for */
    StallRule(boolean steady) {
        this.steady = steady;
    }

    /**
     * Adds one window of load.
     *
     * @param underWay mean number of requests in flight
     */
    Optional<Reason> add(double seconds, long responses, double underWay) {
        if (seconds <= 0) {
            return Optional.empty();
        }
        silent = responses == 0 && underWay > 0 ? silent + seconds : 0;
        if (silent >= SILENT_SECONDS) {
            return once(Reason.HANGS);
        }
        double rate = responses / seconds;
        boolean falls = steady && known >= KNOWN_SECONDS && rate < HALF * median();
        low = falls ? low + seconds : 0;
        if (!falls) {
            known += seconds;
            rates.add(rate);
            if (rates.size() > MOST_RATES) {
                rates.removeFirst();
            }
        }
        return responses > 0 && low >= LOW_SECONDS ? once(Reason.HALVED) : Optional.empty();
    }

    /**
     * Adds what the JVM reported last: two workers of many that wait for each other need not slow it down.
     *
     * @param threads that are deadlocked
     */
    Optional<Reason> deadlocked(double threads) {
        return threads > 0 ? once(Reason.DEADLOCKED) : Optional.empty();
    }

    private Optional<Reason> once(Reason reason) {
        return given.add(reason) ? Optional.of(reason) : Optional.empty();
    }

    private double median() {
        return rates.stream().sorted().toList().get(rates.size() / 2);
    }
}
