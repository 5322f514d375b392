package dev.fettle.cli.run;

import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.compare.SlowerThanFirst;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.CompareAsked;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a conclusion means to a script: the exit status of the command that came to it. */
final class ExitStatus {
    private ExitStatus() {}

    /**
     * One of {@link ExitCodes}.
     *
     * @param screen gets what was asked for and not reached
     */
    static int of(Conclusion conclusion, Plan plan, Screen screen) {
        return switch (conclusion) {
            case TuneConclusion c ->
                switch (c.result()) {
                    case IMPROVED, TRADE, NO_IMPROVEMENT_SHOWN -> ExitCodes.OK;
                    case NOT_TRIED -> ExitCodes.NOTHING_TRIED;
                    case NO_BASELINE -> ExitCodes.NO_VALID_RESULT;
                };
            case SweepConclusion c -> anything(c.cells().stream().mapToInt(SweepConclusion.Cell::trials));
            case CompareConclusion c -> compare(c, plan, screen);
            case GateConclusion c -> gate(c, plan, screen);
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

    private static int compare(CompareConclusion c, Plan plan, Screen screen) {
        int any = anything(c.conditions().stream()
                .flatMap(x -> x.variants().stream())
                .mapToInt(CompareConclusion.VariantResult::trials));
        Optional<Double> allowed = plan.compare().flatMap(Plan.Compare::asked).flatMap(CompareAsked::failIfSlower);
        if (allowed.isEmpty() || any != ExitCodes.OK) {
            return any;
        }
        var slower = SlowerThanFirst.of(c, allowed.get());
        slower.why().forEach(w -> screen.say((slower.answer() == Answer.WORSE ? "SLOWER: " : "CAN'T TELL: ") + w));
        return switch (slower.answer()) {
            case NO_WORSE -> ExitCodes.OK;
            case WORSE -> ExitCodes.CONDITION_MET;
            case CANT_TELL -> ExitCodes.CANT_TELL;
        };
    }

    private static int gate(GateConclusion c, Plan plan, Screen screen) {
        return switch (c.result()) {
            case NO_WORSE, MACHINE_ONLY -> ExitCodes.OK;
            case WORSE -> ExitCodes.CONDITION_MET;
            case NOT_VALID -> ExitCodes.NO_VALID_RESULT;
            case CANT_TELL ->
                switch (plan.gate().map(GateAsked::unsure).orElse(GateAsked.WhenUnsure.SAYS)) {
                    case SAYS -> ExitCodes.CANT_TELL;
                    case FAILS -> ExitCodes.CONDITION_MET;
                    case PASSES -> ExitCodes.OK;
                    case WARNS -> {
                        screen.note("warning: " + c.headline());
                        yield ExitCodes.OK;
                    }
                };
        };
    }

    private static int capacity(CapacityResult c, OptionalFigure atLeast, Screen screen) {
        if (!c.outcome().confirmed()) {
            return ExitCodes.NO_VALID_RESULT;
        }
        boolean below = atLeast.isPresent() && c.rate() < atLeast.getAsDouble();
        if (below) {
            screen.say(asked(c, atLeast.getAsDouble()));
        }
        if (!below && c.atLeastMet()) {
            return ExitCodes.OK;
        }
        boolean missed = c.missed() || (below && !c.mayBear(atLeast.getAsDouble()));
        return missed ? ExitCodes.CONDITION_MET : ExitCodes.NO_VALID_RESULT;
    }

    /** What became of a rate that was asked for and not confirmed. */
    private static String asked(CapacityResult c, double atLeast) {
        String asked = "at least " + Format.rate(atLeast) + " was asked for";
        if (!c.mayBear(atLeast)) {
            return "MISSED: " + asked;
        }
        return "NOT KNOWN: " + asked
                + switch (c.outcome()) {
                    case DISTURBED -> ", and what broke the SLO before that was shown was disturbed";
                    case GENERATOR_LIMIT -> ", and the generator was full before that was shown";
                    default ->
                        "; " + Format.rate(c.rate()) + " is confirmed"
                                + c.limit()
                                        .filter(Interval::bounded)
                                        .map(i -> ", and the limit may be as high as " + Format.rate(i.high()))
                                        .orElse(", and how high the limit is is not known");
                };
    }

    private static int spikeAlone(CapacityConclusion c) {
        boolean spoilt = c.overload().flatMap(OverloadResult::voided).isPresent();
        return spoilt ? ExitCodes.NO_VALID_RESULT : ExitCodes.OK;
    }

    private static int anything(IntStream trials) {
        return trials.sum() > 0 ? ExitCodes.OK : ExitCodes.NO_VALID_RESULT;
    }
}
