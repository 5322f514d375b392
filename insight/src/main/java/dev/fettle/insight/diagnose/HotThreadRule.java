package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.BusiestThread;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.Optional;

/** One thread does work that many wait for. */
final class HotThreadRule {
    private HotThreadRule() {}

    static DiagnosisRule rule() {
        // a CPU's worth of its own time; or a line of others, who wait for it and not for a CPU
        return DiagnosisRule.of("one-thread", HotThreadRule::look)
                .othersCanCauseUnless(s -> BusiestThread.of(s.trial())
                                .filter(BusiestThread::isFull)
                                .isPresent()
                        || NoisyNeighbours.mostWaitFor(Signals.WAIT_OTHER, s));
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        Optional<BusiestThread> busiest = BusiestThread.of(s.trial());
        OptionalFigure total = s.mean(Signals.CPU_TOTAL);
        if (busiest.isEmpty() || total.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.BUSIEST_CPU));
        }
        BusiestThread one = busiest.get();
        Optional<RuleResult> inLine = othersWaitForIt(r, s, one);
        if (inLine.isPresent()) {
            return inLine.get();
        }
        String figure = "the busiest thread that serves uses " + Format.share(one.cpu()) + " of a CPU";
        if (!isShort(s)) {
            return new RuleResult.Healthy(figure);
        }
        return found(r, s, one)
                .as(one.isFull() ? "" : "shared")
                .with("ready", Math.min(1, s.meanOrNone(Signals.BUSIEST_READY)))
                .with("cpu", one.cpu())
                .seen(figure)
                .weight(one.part())
                .found();
    }

    /**
     * Whether one thread does most of the work and has no CPU time left, while CPUs are left, or others have them, and requests wait.
     */
    static boolean isShort(TrialFacts s) {
        Optional<BusiestThread> busiest = BusiestThread.of(s.trial());
        OptionalFigure total = s.mean(Signals.CPU_TOTAL);
        if (busiest.isEmpty() || total.isEmpty()) {
            return false;
        }
        RuleEntry r = DiagnosisRule.entry("one-thread");
        BusiestThread one = busiest.get();
        double all = total.getAsDouble();
        boolean left = s.cpus() > 1 && all < r.bound("left") * s.cpus();
        // a client whose request a thread works on waits for no other one
        boolean waits = s.underWay() >= all + 1;
        // on a CPU that it shares, a thread that never rests has less than all of it
        boolean ready = !s.isLaunched()
                && one.part() >= r.bound("alone")
                && s.meanOrNone(Signals.BUSIEST_READY) >= r.bound("never-rests");
        return (one.isFull() || ready) && left && waits;
    }

    private static FindingBuilder found(RuleEntry r, TrialFacts s, BusiestThread one) {
        return new FindingBuilder(
                r,
                Severity.WARNING,
                "who",
                one.who(),
                "part",
                one.part(),
                "runs",
                s.profile()
                        .map(CpuProfile::hottest)
                        .orElseGet(() -> s.deepStacks().tooFew().isPresent()
                                ? Optional.empty()
                                : s.deepStacks().hottest())
                        .filter(h -> h.share() >= r.bound("most"))
                        .map(Stacks.Hot::title));
    }

    /**
     * One thread that hardly ever rests while the workers wait. The time in which it is runnable but waits for a CPU
     * counts, too: so this works on a single CPU and beside other processes.
     */
    private static Optional<RuleResult> othersWaitForIt(RuleEntry r, TrialFacts s, BusiestThread one) {
        OptionalFigure ready = s.mean(Signals.BUSIEST_READY);
        OptionalFigure waiting = s.shareOfHolding(Signals.WAIT_OTHER);
        if (ready.isEmpty()
                || waiting.isEmpty()
                || ready.getAsDouble() < r.bound("no-rest")
                || waiting.getAsDouble() < r.bound("most")
                || !one.hasMost()) {
            return Optional.empty();
        }
        double ofTheTime = Math.min(1, ready.getAsDouble());
        return Optional.of(found(r, s, one)
                .as("line")
                .with("ready", ofTheTime)
                .with("waiting", s.meanOrNone(Signals.WAIT_OTHER))
                .with("busy", s.busy().orElse(0))
                .with("where", s.mostly(Sighting.WAITS_OTHER))
                .seen("it was ready " + Format.share(ofTheTime) + " of the time")
                .share(waiting)
                .found());
    }
}
