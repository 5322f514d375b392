package dev.fettle.insight;

import dev.fettle.insight.Slots.Filled;
import dev.fettle.insight.Slots.Slot;
import dev.fettle.model.Plan;
import dev.fettle.model.Points;
import dev.fettle.model.TrialOutcome;
import dev.fettle.model.TrialSpec;
import dev.fettle.model.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures a full grid. Every repeat is a block that holds each cell once in an order of its own, shuffled by the seed: a
 * drift of the machine then falls on all cells alike, which cell by cell it would not (Abedi and Brecht, doi
 * 10.1145/3030207.3030229).
 */
public final class SweepExperiment implements Experiment {
    private final Plan plan;
    private final List<Slot> slots;

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

    private static List<Slot> slots(Plan plan, Plan.Sweep sweep) {
        var slots = new ArrayList<Slot>();
        List<Map<String, String>> points = Points.grid(sweep.grid());
        for (int repeat = 0; repeat < sweep.repeats(); repeat++) {
            var order = new ArrayList<>(points);
            Collections.shuffle(order, new Random(plan.seed() * 31 + repeat));
            for (Map<String, String> point : order) {
                Points.Parts parts = Points.apply(point, new Points.Parts(plan.target(), plan.hold(), plan.load()));
                var spec = new TrialSpec(Phase.SWEEP, "", point, repeat, parts.target(), parts.setting(), parts.load());
                String purpose = Grid.name(point)
                        + (sweep.repeats() > 1 ? ", repeat " + (repeat + 1) + " of " + sweep.repeats() : "");
                slots.add(new Slot(spec, purpose, "sweep"));
            }
        }
        return List.copyOf(slots);
    }

    @Override
    public String kind() {
        return "sweep";
    }

    @Override
    public Step next(List<TrialOutcome> seen) {
        return Slots.next(slots, seen, this::conclusion);
    }

    private SweepConclusion conclusion(List<Filled> filled) {
        Plan.Sweep sweep = plan.sweep().orElseThrow();
        List<Grid.Cell> cells = Grid.cells(Points.grid(sweep.grid()), filled);
        var table = cells.stream().map(Grid.Cell::summary).toList();
        return new SweepConclusion(
                new SweepHeadline(plan, cells).text(), sweep.grid(), table, notes(sweep, cells, filled));
    }

    private List<String> notes(Plan.Sweep sweep, List<Grid.Cell> cells, List<Filled> filled) {
        var notes = new ArrayList<String>();
        Grid.voids(filled).ifPresent(notes::add);
        OneJvm.note(plan).ifPresent(notes::add);
        notes.addAll(Grid.cautions(filled));
        long empty = cells.stream().filter(c -> c.valid().isEmpty()).count();
        if (empty > 0) {
            notes.add(Say.count((int) empty, "cell") + " gave no valid trial; see its problems.");
        }
        if (sweep.repeats() == 1) {
            notes.add(
                    "Each cell was measured once: there are no intervals, so small differences mean nothing. Set sweep.repeats.");
        }
        notes.add("The best of many cells is partly the luckiest: expect a little less when it is measured again.");
        return notes;
    }
}
