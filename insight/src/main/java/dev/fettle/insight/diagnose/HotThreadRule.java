package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.BusiestThread;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;

/** One thread does work that many wait for. */
final class HotThreadRule {
    static final String ID = "one-thread";

    /**
     * A thread that is runnable for this share while half of the workers wait; with work in random order, two or three
     * would wait then.
     */
    private static final double NO_REST = 0.8;

    /** CPU use below which CPUs are left. */
    private static final double LEFT = 0.8;

    static final Rule RULE = new Rule(
                    ID,
                    Stage.CPU,
                    "one thread that does all the work",
                    "one thread uses " + Say.share(Thresholds.MOST_OF_SERVING)
                            + " of the CPU time of threads that serve, and " + Say.share(Thresholds.THREAD_FULL)
                            + " of a CPU while less than " + Say.share(LEFT)
                            + " of the CPUs are used and a request or more waits; or is ready for "
                            + Say.share(NO_REST) + " of the time, while "
                            + Say.share(Thresholds.MOST_OF_A_REQUEST) + " of the busy workers wait",
                    List.of(),
                    HotThreadRule::look)
            .shownBy(Signals.BUSIEST_CPU, Signals.BUSIEST_READY, Signals.WAIT_OTHER);

    private HotThreadRule() {}

    private static RuleResult look(TrialFacts s) {
        Optional<BusiestThread> busiest = BusiestThread.of(s.trial());
        OptionalFigure total = s.mean(Signals.CPU_TOTAL);
        if (busiest.isEmpty() || total.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.BUSIEST_CPU));
        }
        BusiestThread one = busiest.get();
        Optional<RuleResult> inLine = othersWaitForIt(s, one);
        if (inLine.isPresent()) {
            return inLine.get();
        }
        double all = total.getAsDouble();
        String figure = "the busiest thread that serves uses " + Say.percent(one.cpu()) + " of a CPU";
        boolean left = s.cpus() > 1 && all < LEFT * s.cpus();
        // a client whose request a thread works on waits for no other one
        boolean waits = s.underWay() >= all + 1;
        if (!one.isFull() || !left || !waits) {
            return new RuleResult.Healthy(figure);
        }
        return oneThread(
                        "One thread" + name(one) + " uses " + Say.percent(one.cpu()) + " of a CPU, "
                                + Say.percent(one.part())
                                + " of all that threads that serve use: what goes through it can't get faster with more"
                                + " CPUs or workers.",
                        figure)
                .weight(one.part())
                .found();
    }

    private static String name(BusiestThread one) {
        return one.who().map(n -> " (" + n + ")").orElse("");
    }

    /**
     * One thread that hardly ever rests while the workers wait. The time in which it is runnable but waits for a CPU
     * counts, too: so this works on a single CPU and beside other processes.
     */
    private static Optional<RuleResult> othersWaitForIt(TrialFacts s, BusiestThread one) {
        OptionalFigure ready = s.mean(Signals.BUSIEST_READY);
        OptionalFigure waiting = s.shareOfHolding(Signals.WAIT_OTHER);
        if (ready.isEmpty()
                || waiting.isEmpty()
                || ready.getAsDouble() < NO_REST
                || waiting.getAsDouble() < Thresholds.MOST_OF_A_REQUEST
                || !one.hasMost()) {
            return Optional.empty();
        }
        String where = s.mostly(Sighting.WAITS_OTHER)
                .map(f -> ", most of them in " + f)
                .orElse("");
        return Optional.of(oneThread(
                        "One thread" + name(one) + " runs, or is ready to run, for "
                                + Say.percent(Math.min(1, ready.getAsDouble()))
                                + " of the time and uses " + Say.percent(one.part())
                                + " of the CPU time of threads that serve, while "
                                + Say.about(s.meanOrNone(Signals.WAIT_OTHER)) + " of "
                                + Say.about(s.busy().orElse(0)) + " busy workers wait" + where
                                + ": that is consistent with a line in front of it, which more workers don't make shorter.",
                        "it was ready " + Say.percent(Math.min(1, ready.getAsDouble())) + " of the time")
                .share(waiting)
                .found());
    }

    private static FindingBuilder oneThread(String sentence, String figure) {
        return new FindingBuilder(ID, Severity.WARNING, "One thread does most of the work", sentence)
                .seen(figure)
                .remedy("Have several threads do it, or take work away from it")
                .refutedBy("With half the load it uses less than half a CPU.");
    }
}
