package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** One thread does work that many wait for. */
final class HotThreadRule {
    static final String ID = "one-thread";

    /**
     * A thread that is runnable for this share while half of the workers wait; with work in random order, two or three
     * would wait then.
     */
    private static final double NO_REST = 0.8;

    /** A thread that takes this share of the CPU time of all serving threads is where requests spend it. */
    private static final double MOST_OF_SERVING = 0.5;

    static final Rule RULE = new Rule(
                    ID,
                    Stage.CPU,
                    "one thread that does all the work",
                    "one thread uses 90 % of a CPU while CPUs are left; or is ready for 80 % of the time and uses half of the CPU time of"
                            + " threads that serve, while half of the busy workers wait",
                    List.of(),
                    HotThreadRule::look)
            .shownBy(Signals.CPU_HOTTEST, Signals.BUSIEST_READY, Signals.WAIT_OTHER);

    private HotThreadRule() {}

    private static Look look(Sight s) {
        OptionalDouble hottest = s.mean(Signals.CPU_HOTTEST);
        OptionalDouble total = s.mean(Signals.CPU_TOTAL);
        if (hottest.isEmpty() || total.isEmpty()) {
            return new Look.NotObserved(s.why(Signals.CPU_HOTTEST));
        }
        double hot = hottest.getAsDouble();
        double all = total.getAsDouble();
        boolean full = s.cpus() > 1 && hot >= Thresholds.THREAD_FULL && all < 0.8 * s.cpus();
        Optional<Look> inLine = othersWaitForIt(s);
        if (inLine.isPresent()) {
            return inLine.get();
        }
        String figure = "the busiest thread uses " + Say.percent(hot) + " of a CPU";
        if (!full) {
            return new Look.Healthy(figure);
        }
        String who = s.sighting(Sighting.HOTTEST).map(n -> " (" + n + ")").orElse("");
        return oneThread(
                        "One thread" + who + " uses " + Say.percent(hot) + " of a CPU, "
                                + Say.percent(all > 0 ? hot / all : 1)
                                + " of all that the target uses: what goes through it can't get faster with more CPUs or"
                                + " workers.",
                        figure)
                .weight(all > 0 ? hot / all : 1)
                .found();
    }

    /**
     * One thread that hardly ever rests while the workers wait. The time in which it is runnable but waits for a CPU
     * counts, too: so this works on a single CPU and beside other processes.
     */
    private static Optional<Look> othersWaitForIt(Sight s) {
        OptionalDouble ready = s.mean(Signals.BUSIEST_READY);
        OptionalDouble own = s.mean(Signals.BUSIEST_CPU);
        OptionalDouble waiting = s.shareOfHolding(Signals.WAIT_OTHER);
        double serving = s.meanOrNone(Signals.CPU_APP)
                + s.meanOrNone(Signals.CPU_IO)
                + s.meanOrNone(Signals.CPU_WORKERS)
                + s.meanOrNone(Signals.CPU_ACCEPTOR);
        if (ready.isEmpty()
                || own.isEmpty()
                || waiting.isEmpty()
                || ready.getAsDouble() < NO_REST
                || waiting.getAsDouble() < Thresholds.MOST_OF_A_REQUEST
                || serving <= 0
                || own.getAsDouble() / serving < MOST_OF_SERVING) {
            return Optional.empty();
        }
        double part = Math.min(1, own.getAsDouble() / serving);
        String who = s.sighting(Sighting.BUSIEST).map(n -> " (" + n + ")").orElse("");
        String where = s.mostly("waits for something else")
                .map(f -> ", most of them in " + f)
                .orElse("");
        return Optional.of(oneThread(
                        "One thread" + who + " runs, or is ready to run, for "
                                + Say.percent(Math.min(1, ready.getAsDouble()))
                                + " of the time and uses " + Say.percent(part)
                                + " of the CPU time of threads that serve, while "
                                + Say.about(s.meanOrNone(Signals.WAIT_OTHER)) + " of "
                                + Say.about(s.busy().orElse(0)) + " busy workers wait" + where
                                + ": that is consistent with a line in front of it, which more workers don't make shorter.",
                        "it was ready " + Say.percent(Math.min(1, ready.getAsDouble())) + " of the time")
                .share(waiting)
                .found());
    }

    private static Draft oneThread(String sentence, String figure) {
        return new Draft(ID, Severity.WARNING, "One thread does most of the work", sentence)
                .seen(figure)
                .remedy("Have several threads do it, or take work away from it")
                .refutedBy("With half the load it uses less than half a CPU.");
    }
}
