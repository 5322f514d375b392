package dev.fettle.insight.gate;

import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict.Advisory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns the gate's advisories on single trials into notes on a run's conclusion. */
public final class AdvisoryNotes {
    /** Share of CPU used by others from which it is noted; a third of what voids a trial. */
    public static final double BESIDE = 0.03;

    private AdvisoryNotes() {}

    /** Notes for a conclusion: each advisory once, with how many valid trials it concerns, and any drift that recurs. */
    public static List<String> notes(List<TrialOutcome> attempts) {
        List<TrialOutcome> valid = valid(attempts);
        Map<String, List<Advisory>> byRule = byRule(valid);
        var notes = new ArrayList<String>();
        Optional<String> drift = Drift.together(attempts);
        drift.ifPresent(d -> notes.add(sentence(d)));
        byRule.forEach((rule, all) -> {
            if (drift.isEmpty() || !rule.equals(GateAdvice.NOT_STEADY)) {
                notes.add(sentence(
                        of(all.size(), valid.size(), "trials") + all.getFirst().message()));
            }
        });
        beside(valid).ifPresent(notes::add);
        return notes;
    }

    /** Notes on stolen and shared CPUs alone: of probes and spikes, whose other figures are judged otherwise. */
    public static List<String> ofCpus(List<TrialOutcome> attempts) {
        List<TrialOutcome> valid = valid(attempts);
        var notes = new ArrayList<String>();
        byRule(valid).forEach((rule, all) -> {
            if (GateAdvice.OF_CPUS.contains(rule)) {
                notes.add(sentence(
                        of(all.size(), valid.size(), "probes") + all.getFirst().message()));
            }
        });
        return notes;
    }

    private static List<TrialOutcome> valid(List<TrialOutcome> attempts) {
        return attempts.stream().filter(TrialOutcome::valid).toList();
    }

    private static Map<String, List<Advisory>> byRule(List<TrialOutcome> trials) {
        Map<String, List<Advisory>> byRule = new LinkedHashMap<>();
        for (TrialOutcome t : trials) {
            t.verdict()
                    .advisories()
                    .forEach(a -> byRule.computeIfAbsent(a.rule(), _ -> new ArrayList<>())
                            .add(a));
        }
        return byRule;
    }

    /** CPU time that others took, if it is enough to matter but too little to void a trial. */
    private static Optional<String> beside(List<TrialOutcome> valid) {
        double others = valid.stream()
                .map(TrialOutcome::evidence)
                .flatMap(Optional::stream)
                .map(e -> e.get(Aggregate.FOREIGN_CPU))
                .flatMapToDouble(OptionalFigure::stream)
                .average()
                .orElse(0);
        return others > BESIDE
                ? Optional.of("Other processes used " + Format.share(others)
                        + " of the CPUs on average while it was measured: this"
                        + " shows the settings next to these processes, and may differ without them.")
                : Optional.empty();
    }

    private static String of(int some, int all, String what) {
        if (all == 1) {
            return "";
        }
        return (some == all ? "in all of the " + all : "in " + some + " of the " + all) + " valid " + what
                + ", and here the first: ";
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".";
    }

    /** Whether think time sets the throughput of every valid trial, so that no server setting can raise it by much. */
    public static boolean thinkTimeDecides(List<TrialOutcome> attempts) {
        List<TrialOutcome> valid = valid(attempts);
        return !valid.isEmpty() && valid.stream().allMatch(t -> t.verdict().advises(GateAdvice.THINK_TIME));
    }
}
