package dev.fettle.cli.run;

import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Plan;
import dev.fettle.report.NumberText;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** What a conclusion means to a script: the exit status of the command that came to it. */
final class ExitStatus {
    private ExitStatus() {}

    /**
     * One of {@link ExitCodes}.
     *
     * @param screen told what was asked for and not reached
     */
    static int of(Conclusion conclusion, Plan plan, Screen screen) {
        return switch (conclusion) {
            case TuneConclusion c ->
                switch (c.result()) {
                    case IMPROVED, NO_IMPROVEMENT_SHOWN -> ExitCodes.OK;
                    case NOT_TRIED -> ExitCodes.NOTHING_TRIED;
                    case NO_BASELINE -> ExitCodes.NO_VALID_RESULT;
                };
            case SweepConclusion c -> anything(c.cells().stream().mapToInt(SweepConclusion.Cell::trials));
            case CompareConclusion c ->
                anything(c.conditions().stream()
                        .flatMap(x -> x.variants().stream())
                        .mapToInt(CompareConclusion.VariantResult::trials));
            case DiagnoseConclusion c ->
                switch (c.result()) {
                    case FOUND, NOTHING_FOUND -> ExitCodes.OK;
                    case NOT_VALID -> ExitCodes.NO_VALID_RESULT;
                };
            case CapacityConclusion c ->
                c.result()
                        .map(r -> capacity(r, plan.capacity().orElseThrow().atLeast(), screen))
                        .orElseGet(() -> spikeAlone(c));
        };
    }

    private static int capacity(CapacityResult c, OptionalDouble atLeast, Screen screen) {
        if (!c.outcome().confirmed()) {
            return ExitCodes.NO_VALID_RESULT;
        }
        boolean missed = atLeast.isPresent() && c.rate() < atLeast.getAsDouble();
        if ((missed || !c.atLeastMet()) && c.outcome().atLeast()) {
            if (missed) {
                screen.say("NOT KNOWN: at least " + NumberText.rate(atLeast.getAsDouble()) + " was asked for, and "
                        + (c.outcome() == CapacityResult.Outcome.DISTURBED
                                ? "what broke the SLO before that was shown was disturbed"
                                : "the generator was full before that was shown"));
            }
            return ExitCodes.NO_VALID_RESULT;
        }
        Optional<Interval> open = missed
                ? c.limit().filter(Interval::bounded).filter(i -> i.high() >= atLeast.getAsDouble())
                : Optional.empty();
        if (open.isPresent()) {
            screen.say("NOT KNOWN: at least " + NumberText.rate(atLeast.getAsDouble()) + " was asked for; "
                    + NumberText.rate(c.rate()) + " is confirmed, and the limit may be as high as "
                    + NumberText.rate(open.get().high()));
            return ExitCodes.NO_VALID_RESULT;
        }
        if (missed) {
            screen.say("MISSED: at least " + NumberText.rate(atLeast.getAsDouble()) + " was asked for");
        }
        return missed || !c.atLeastMet() ? ExitCodes.CONDITION_MET : ExitCodes.OK;
    }

    private static int spikeAlone(CapacityConclusion c) {
        boolean spoilt = c.overload().flatMap(OverloadResult::voided).isPresent();
        return spoilt ? ExitCodes.NO_VALID_RESULT : ExitCodes.OK;
    }

    private static int anything(IntStream trials) {
        return trials.sum() > 0 ? ExitCodes.OK : ExitCodes.NO_VALID_RESULT;
    }
}
