package dev.fettle.insight.compare;

import dev.fettle.insight.stats.Imbalance;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.GridFigures.Cell;
import dev.fettle.insight.trials.GridFigures.Paired;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the blocks lost. Ratios come from the blocks in which both variants are valid: a variant that crashes in the others, or leaves
 * work undone, has its best figures there.
 *
 * @param name of the variant
 */
record Losses(String name, Cell cell) {
    private static final String BLOCK = "block";

    /** How it failed, and in how many blocks; empty if it never did. */
    Optional<String> failed() {
        return cell.failed(BLOCK);
    }

    /** Whether it gave usable figures in a block, or none for a reason that is not its own. */
    private boolean isUsableIn(int block) {
        return cell.slots().stream().noneMatch(f -> f.slot().spec().block() == block && f.gaveNothingUsable());
    }

    /**
     * Why the one of two variants with the better figures can't be called better; empty if it can, or if neither is shown to be.
     *
     * @param judged what is compared
     * @param limits the limits on the work that is done; empty for a spike, which is meant to leave some undone
     */
    static Optional<String> withheld(Losses a, Losses b, Paired found, NoRatio judged, Optional<Objective> limits) {
        if (!found.shown()) {
            return Optional.empty();
        }
        boolean first = found.better(judged.metric());
        Losses better = first ? a : b;
        Losses worse = first ? b : a;
        String not = better.name + " can't be called better than " + worse.name;
        return better.failed()
                .map(_ -> not + ", as it failed")
                .or(() -> better.cell.unusable(BLOCK, worse::isUsableIn).map(how -> not + ", as it " + how))
                .or(() -> judged.because(better.cell).map(why -> not + why))
                .or(() -> limits.filter(l -> !better.cell.undone(l).isEmpty())
                        .map(_ -> not + ", as it left more requests undone than the limits allow"));
    }

    private int attempts() {
        return cell.slots().stream().mapToInt(f -> f.attempts().size()).sum();
    }

    /** Attempts that are void, without those in which the target failed. */
    private int voids() {
        return (int) cell.slots().stream()
                .flatMap(f -> f.attempts().stream())
                .filter(Losses::isVoid)
                .count();
    }

    private static boolean isVoid(TrialOutcome t) {
        return !t.valid() && AttemptStatus.of(t) != AttemptStatus.FAILED;
    }

    private String said() {
        return voids() + " of " + attempts() + " of " + name;
    }

    /**
     * How many trials of each variant are void, and which two differ in that by more than chance explains.
     *
     * @param each the variants under one condition
     * @param conditions number of conditions that are judged together
     */
    static List<String> notes(List<Losses> each, int conditions) {
        var notes = new ArrayList<String>();
        if (each.stream().allMatch(l -> l.voids() == 0)) {
            return notes;
        }
        String at = GridFigures.at(each.getFirst().cell.point());
        notes.add("Void" + at + " were " + each.stream().map(Losses::said).collect(Collectors.joining(", ")) + ".");
        for (int i = 0; i < each.size(); i++) {
            for (Losses other : each.subList(i + 1, each.size())) {
                Losses one = each.get(i);
                double chance = Imbalance.chance(one.voids(), one.attempts(), other.voids(), other.attempts());
                if (chance < Imbalance.NOT_CHANCE / (conditions * each.size() * (each.size() - 1) / 2.0)) {
                    notes.add("Trials" + at + " were void on one side more often than chance explains: " + one.said()
                            + ", " + other.said() + " (by chance in " + Format.share(chance)
                            + " of such comparisons). What made them void may have to do with the variant.");
                }
            }
        }
        return notes;
    }
}
