package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.AcceptQueue;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Signals;
import java.util.Optional;

/**
 * What a test shows of the figure that the finding's {@code refutedBy} names, before and with one thing changed. Trials of one setting
 * differ by a few per cent: what is better by a factor of 1.2 ({@link Thresholds#CLEAR_GAIN}) is better, and what is not by one of 1.1
 * ({@link Thresholds#NO_GAIN}) is the same. Of a figure that was not observed in both trials nothing is
 * told, unless throughput rose by as much.
 *
 * @param better whether it is clearly better than before
 * @param same whether it is no better than before
 * @param words both values, if they are not the throughput's; blank, or beginning with a comma
 * @param cannotTell why a figure that is the same tells nothing all the same
 */
record TestedFigure(boolean better, boolean same, String words, Optional<String> cannotTell) {
    /**
     * More heap makes collections rarer in proportion to what is free in it, so with twice the heap the collector has at most half of its
     * time for each second of the rest: better is what lies on that side of the middle between half and all, on the log scale.
     */
    private static final double HALFWAY_TO_HALF = StrictMath.sqrt(2);

    /**
     * Drops vanish with the length of a queue that is filled by bursts, and do not depend on it where more comes than is accepted: half as
     * many lies between. Of a p99 it takes as much, because it scatters by far more than a mean.
     */
    private static final double HALF = 2;

    /** By how much more workers have to be busy where twice as many requests were to get to what they wait for: half of a doubling. */
    private static final double CROWDED = 1.5;

    /** Of fewer collections than this, the number differs by more than a seventh by chance. */
    private static final double COLLECTIONS = 100;

    /**
     * The figure of a rule.
     *
     * @param more whether the finding predicts that the change helps
     * @param clear factor from which on it is better
     */
    static TestedFigure of(String rule, boolean more, TrialFacts before, TrialFacts after, double clear) {
        double gain = throughput(after) / throughput(before);
        return switch (rule) {
            case HeapRules.HEAP_SMALL, HeapRules.ALLOCATION -> garbage(before, after, gain, clear);
            case HeapRules.HUMONGOUS -> humongous(before, after, gain, clear);
            case HeapRules.EXPLICIT_GC -> explicit(before, after, gain, clear);
            case ConnectionRules.ACCEPT_QUEUE -> queue(before, after, gain, clear);
            case ConnectionRules.KEEP_ALIVE ->
                throughput(before, gain, clear)
                        .unless(
                                after.closedPerAnswer() > Thresholds.RECONNECTS,
                                "The server closed its connections all the same, so this test decides nothing.");
            case WaitRules.BACKEND -> latency(before, after, gain, clear);
            case PoolRule.ID -> more ? pool(before, after, gain, clear) : crowd(before, after, gain, clear);
            case WaitRules.LOCK, WaitRules.LOG_LOCK -> crowd(before, after, gain, clear);
            case HandshakeRule.ID -> more ? handshakes(before, after, gain, clear) : throughput(before, gain, clear);
            default -> throughput(before, gain, clear);
        };
    }

    private static double throughput(TrialFacts s) {
        return s.measurement().map(Measurement::throughput).orElse(0.0);
    }

    /** By how much something is better, compared with the bounds. */
    private static TestedFigure by(double factor, double clear, String words) {
        return new TestedFigure(factor >= clear, factor < Thresholds.NO_GAIN, words, Optional.empty());
    }

    /** A figure that was not observed: only more throughput tells anything. */
    private static TestedFigure unknown(double gain, double clear) {
        return new TestedFigure(gain >= clear, false, "", Optional.empty());
    }

    private TestedFigure unless(boolean untold, String why) {
        return untold ? new TestedFigure(better, same, words, Optional.of(why)) : this;
    }

    /** An open load that is served can't give more, whatever is changed. */
    private static TestedFigure throughput(TrialFacts before, double gain, double clear) {
        OptionalFigure offered = OptionalFigure.from(before.point(), OperatingPoint::offered);
        boolean served = offered.isPresent() && offered.getAsDouble() < Thresholds.CLEAR_GAIN * throughput(before);
        return by(gain, clear, "").unless(served, "The load asks for no more than that, so this test decides nothing.");
    }

    private static TestedFigure latency(TrialFacts before, TrialFacts after, double gain, double clear) {
        double was = before.latency().orElse(0);
        double is = after.latency().orElse(0);
        if (was <= 0 || is <= 0) {
            return unknown(gain, clear);
        }
        // more than half of the wait is left. Its share of a request's time tells nothing: where the CPUs are full now,
        // workers wait
        // for a mock that waits for a CPU, too
        boolean waits = socketWait(after) > socketWait(before) / 2;
        // a mock that answers at once takes the share of the time that was spent waiting; half of that at least has to
        // be gone
        double half = was * (1 - WaitRules.waitForBackend(before) / 2);
        TestedFigure mean = by(was / is, clear, ", on average " + Say.seconds(is) + " instead of " + Say.seconds(was));
        return new TestedFigure(mean.better && is <= half && !waits, mean.same, mean.words, mean.cannotTell)
                .unless(
                        waits,
                        "The workers wait for a socket as before, so it is another service that they wait for, and this test"
                                + " decides no more.");
    }

    /** Mean time that a request waits for a socket in its worker, seconds; 0 where that was not observed. */
    private static double socketWait(TrialFacts s) {
        return s.shareOfHolding(Signals.WAIT_SOCKET).orElse(0) * s.holding().orElse(0);
    }

    private static TestedFigure handshakes(TrialFacts before, TrialFacts after, double gain, double clear) {
        OptionalFigure was = OptionalFigure.from(before.point(), OperatingPoint::cpuPerRequest);
        OptionalFigure is = OptionalFigure.from(after.point(), OperatingPoint::cpuPerRequest);
        TestedFigure seen = was.isEmpty() || is.isEmpty()
                ? unknown(gain, clear)
                : by(
                        was.getAsDouble() / is.getAsDouble(),
                        clear,
                        ", " + Say.seconds(is.getAsDouble()) + " of CPU an answer instead of "
                                + Say.seconds(was.getAsDouble()));
        boolean shakes = after.measurement()
                .filter(m -> m.connect().count() >= Thresholds.RECONNECTS * m.responses())
                .isPresent();
        return seen.unless(shakes, "The server closed its connections all the same, so this test decides nothing.");
    }

    /** Throughput with more requests at work at once, if more came that far. */
    private static TestedFigure crowd(TrialFacts before, TrialFacts after, double gain, double clear) {
        boolean came = after.busy().orElse(0) >= CROWDED * before.busy().orElse(Double.MAX_VALUE);
        return throughput(before, gain, clear)
                .unless(!came, "Not many more requests were seen at work at once, so this test decides nothing.");
    }

    /** Throughput with a larger connection pool, if the one that was empty did get larger. */
    private static TestedFigure pool(TrialFacts before, TrialFacts after, double gain, double clear) {
        boolean grew = PoolRule.sizeOfStarved(before)
                .filter(n -> after.max(n).orElse(0) > before.max(n).orElse(Double.MAX_VALUE))
                .isPresent();
        TestedFigure all = throughput(before, gain, clear);
        return new TestedFigure(all.better && grew, all.same, all.words, all.cannotTell)
                .unless(!grew, "The pool was not seen to get larger, so this test decides nothing.");
    }

    /** The collector's share, in whichever form it was found to be much: of the time, else of the CPU time. */
    private static TestedFigure garbage(TrialFacts before, TrialFacts after, double gain, double clear) {
        boolean time = before.gcShare().orElse(0) >= Thresholds.GC_MUCH;
        OptionalFigure was = time ? before.gcShare() : HeapRules.ofCpu(before);
        OptionalFigure is = time ? after.gcShare() : HeapRules.ofCpu(after);
        if (was.isEmpty() || is.isEmpty()) {
            return unknown(gain, clear);
        }
        TestedFigure share = by(
                toTheRest(was.getAsDouble()) / toTheRest(is.getAsDouble()),
                Math.max(clear, HALFWAY_TO_HALF),
                ", garbage collection " + Say.percent(is.getAsDouble()) + " instead of "
                        + Say.percent(was.getAsDouble()) + " of the " + (time ? "time" : "CPU time"));
        // collections as before, and yet more throughput: that is not what is predicted, nor its opposite
        return new TestedFigure(share.better, share.same && gain < Thresholds.NO_GAIN, share.words, Optional.empty());
    }

    /** What it takes for each second of the rest: a share can't double where it is more than half. */
    private static double toTheRest(double share) {
        double s = Math.clamp(share, 0, 0.999);
        return s / (1 - s);
    }

    /** Collections of large objects, per request. More heap need not make the regions larger, so as many as before refute nothing. */
    private static TestedFigure humongous(TrialFacts before, TrialFacts after, double gain, double clear) {
        OptionalFigure was = before.sum(Signals.GC_HUMONGOUS);
        OptionalFigure is = after.sum(Signals.GC_HUMONGOUS);
        if (was.isEmpty() || is.isEmpty() || was.getAsDouble() < COLLECTIONS) {
            return unknown(gain, clear);
        }
        double factor = (was.getAsDouble() / before.answered()) / (is.getAsDouble() / after.answered());
        return by(
                        factor,
                        Math.max(clear, HALFWAY_TO_HALF),
                        ", " + Say.whole(is.getAsDouble()) + " such collections in " + Say.seconds(after.seconds())
                                + " instead of " + Say.whole(was.getAsDouble()) + " in "
                                + Say.seconds(before.seconds()))
                .unless(true, "Twice the heap need not make its regions larger, so this test decides nothing.");
    }

    /** Whether calls that were made cost anything: throughput, and the p99. */
    private static TestedFigure explicit(TrialFacts before, TrialFacts after, double gain, double clear) {
        double was = before.measurement().map(m -> m.latency().p99() / 1e9).orElse(0.0);
        double is = after.measurement().map(m -> m.latency().p99() / 1e9).orElse(0.0);
        return new TestedFigure(
                        gain >= clear || was >= HALF * is,
                        gain < Thresholds.NO_GAIN && was < Thresholds.NO_GAIN * is,
                        ", p99 " + Say.seconds(is) + " instead of " + Say.seconds(was),
                        Optional.empty())
                .unless(
                        after.sum(Signals.GC_EXPLICIT).orElse(0) > 0,
                        "The application's calls were obeyed all the same, so this test decides nothing.");
    }

    /** Connections dropped at a full accept queue, over the connects. */
    private static TestedFigure queue(TrialFacts before, TrialFacts after, double gain, double clear) {
        AcceptQueue was = AcceptQueue.of(before.trial());
        AcceptQueue is = AcceptQueue.of(after.trial());
        if (after.evidence().isEmpty() || (was.looked() && !is.looked())) {
            return unknown(gain, clear);
        }
        boolean fewer = dropped(is, after) * HALF < dropped(was, before);
        return new TestedFigure(
                        gain >= clear || (fewer && !is.limits()),
                        !fewer && is.limits() && gain < Thresholds.NO_GAIN,
                        ", " + Say.whole(is.drops()) + " connections dropped for " + Say.whole(connects(after))
                                + " connects instead of " + Say.whole(was.drops()) + " for "
                                + Say.whole(connects(before)),
                        Optional.empty())
                .unless(
                        ConnectionRules.queueTiny(after),
                        "Even with that, the queue has room for few of the clients, so this test decides nothing.");
    }

    private static double dropped(AcceptQueue queue, TrialFacts s) {
        return queue.drops() / Math.max(1, connects(s));
    }

    private static double connects(TrialFacts s) {
        return s.measurement().map(m -> (double) m.connect().count()).orElse(0.0);
    }
}
