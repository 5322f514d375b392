package dev.fettle.insight.sweep;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.explain.PoolNotes;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.GridStarts;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.RunLength;
import dev.fettle.insight.trials.RunNotes;
import dev.fettle.insight.trials.SeededOrder;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures a full grid. Every repeat is a block with each cell once, in an order shuffled by the seed, so that a drift of the
 * machine affects all cells alike (randomised multiple interleaved trials: Abedi and Brecht, doi 10.1145/3030207.3030229).
 */
public final class SweepExperiment implements Experiment {
    private final Plan plan;
    private final TrialSlots.Fixed slots;

    /**
     * A sweep.
     *
     * @throws IllegalArgumentException if the plan has no sweep
     */
    public SweepExperiment(Plan plan) {
        this.plan = plan;
        this.slots =
                slots(plan, plan.sweep().orElseThrow(() -> new IllegalArgumentException("the plan has no 'sweep'")));
    }

    private static TrialSlots.Fixed slots(Plan plan, Plan.Sweep sweep) {
        var slots = new ArrayList<Slot>();
        List<Map<String, String>> points = GridPoints.grid(sweep.grid());
        for (int repeat = 0; repeat < sweep.repeats(); repeat++) {
            for (Map<String, String> point : SeededOrder.of(points, plan.seed(), repeat)) {
                GridPoints.Parts parts =
                        GridPoints.apply(point, new GridPoints.Parts(plan.target(), plan.hold(), plan.load()));
                var spec = new TrialSpec(Phase.SWEEP, "", point, repeat, parts.target(), parts.setting(), parts.load());
                String purpose = GridFigures.name(point)
                        + (sweep.repeats() > 1 ? ", repeat " + (repeat + 1) + " of " + sweep.repeats() : "");
                slots.add(new Slot(spec, purpose, Origin.SWEEP));
            }
        }
        return new TrialSlots.Fixed(slots);
    }

    public RunLength length() {
        return RunLength.of(slots.size(), plan.load());
    }

    @Override
    public Step next(List<TrialOutcome> seen) {
        return slots.next(seen, this::conclusion);
    }

    @Override
    public Optional<Conclusion> soFar(List<TrialOutcome> seen) {
        return slots.soFar(seen, this::conclusion);
    }

    private SweepConclusion conclusion(List<Filled> all) {
        var starts = new GridStarts(all);
        List<Filled> filled = starts.settled();
        Plan.Sweep sweep = plan.sweep().orElseThrow();
        List<GridFigures.Cell> cells = GridFigures.cells(GridPoints.grid(sweep.grid()), filled);
        SweepAnswers answers = SweepAnswers.of(cells);
        var table = cells.stream()
                .map(c -> c.summary(plan.objective()).withOtherAnswers(answers.text(c.point())))
                .toList();
        List<GridFigures.Cell> alike =
                cells.stream().filter(c -> answers.text(c.point()).isEmpty()).toList();
        Optional<SweepConclusion.Scaling> scaling = SweepScaling.of(plan.load(), sweep.grid(), alike);
        var headline = new SweepHeadline(plan, alike);
        List<String> notes = notes(sweep, cells, filled);
        notes.addAll(starts.notes());
        if (headline.isChosen()) {
            notes.add("The best of many cells is partly the luckiest: expect a little "
                    + (plan.objective().metric().low() ? "more" : "less") + " when it is measured again.");
        }
        scaling.ifPresent(s -> notes.add(s.words()));
        return new SweepConclusion(
                answers.sentence() + headline.text(), sweep.grid(), table, scaling, notes, starts.failed());
    }

    private List<String> notes(Plan.Sweep sweep, List<GridFigures.Cell> cells, List<Filled> filled) {
        List<String> notes = RunNotes.of(plan, filled);
        notes.addAll(PoolNotes.of(
                cells.stream().flatMap(c -> c.valid().stream()).toList(),
                plan.objective().metric(),
                t -> 0));
        long empty = cells.stream().filter(c -> c.valid().isEmpty()).count();
        if (empty > 0) {
            notes.add(FigureText.count((int) empty, "cell") + " gave no valid trial; why, the table says.");
        }
        List<GridFigures.Cell> measured =
                cells.stream().filter(c -> !c.valid().isEmpty()).toList();
        if (sweep.repeats() == 1 && !measured.isEmpty()) {
            notes.add(
                    "Each cell was measured once: there are no intervals, so small differences mean nothing. Set sweep.repeats.");
        }
        limits(cells).ifPresent(notes::add);
        failures(cells).ifPresent(notes::add);
        if (sweep.repeats() > 1) { // else there are no intervals to speak of
            int starts = measured.stream().mapToInt(c -> c.valid().size()).min().orElse(0);
            RunNotes.scope(plan, starts).ifPresent(notes::add);
        }
        return notes;
    }

    /** The cells that break the objective's limits, and so can't be the best. */
    private Optional<String> limits(List<GridFigures.Cell> cells) {
        List<String> broken = cells.stream()
                .filter(c -> !c.broken(plan.objective()).isEmpty())
                .map(c -> GridFigures.name(c.point()) + " (" + String.join(", ", c.broken(plan.objective())) + ")")
                .toList();
        return broken.isEmpty()
                ? Optional.empty()
                : Optional.of("Not within the limits, so not the best: " + FigureText.some(broken) + ".");
    }

    /** The cells that failed, or gave nothing usable, in a repeat, and so can't be the best, whatever they gave in the others. */
    private static Optional<String> failures(List<GridFigures.Cell> cells) {
        List<String> failed = cells.stream()
                .flatMap(c -> c.lost().stream().map(how -> GridFigures.name(c.point()) + " (" + how + ")"))
                .toList();
        return failed.isEmpty()
                ? Optional.empty()
                : Optional.of("Failed, so not the best: " + FigureText.some(failed) + ".");
    }
}
