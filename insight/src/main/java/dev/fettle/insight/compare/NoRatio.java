package dev.fettle.insight.compare;

import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.GridFigures.Cell;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says where valid trials have no ratio: a figure of zero has none, nor has one that was not observed. */
record NoRatio(Metric metric, boolean spike) {

    /**
     * Variants with a figure of zero in some trial, which is left out of the ratios: not one good answer in a spike, no rate that
     * meets the SLO.
     */
    Optional<String> note(List<Variant> variants, List<Filled> filled) {
        List<String> none = variants.stream()
                .map(Variant::name)
                .filter(v -> filled.stream()
                        .filter(f -> f.slot().spec().variant().equals(v))
                        .flatMap(f -> f.valid().stream())
                        .anyMatch(t -> figure(t).orElse(1) <= 0))
                .toList();
        if (none.isEmpty()) {
            return Optional.empty();
        }
        String who = String.join(", ", none);
        return Optional.of((spike
                        ? "Not one good answer came in some spike of " + who
                        : "In some trial of " + who + " the " + metric.words() + " was zero")
                + ": no factor can express that, so the factors leave these pairs out.");
    }

    /** Why nothing could be compared, with the figures of the first block that has two valid trials, if one has. */
    String headline(List<Filled> filled) {
        var blocks = new LinkedHashMap<String, List<Filled>>();
        for (Filled f : filled) {
            if (f.valid().isPresent()) {
                TrialSpec spec = f.slot().spec();
                blocks.computeIfAbsent(spec.block() + GridFigures.at(spec.point()), _ -> new ArrayList<>())
                        .add(f);
            }
        }
        Optional<List<Filled>> both =
                blocks.values().stream().filter(b -> b.size() > 1).findFirst();
        if (both.isEmpty()) {
            return "Nothing could be compared: no block has two valid trials.";
        }
        TrialSpec first = both.get().getFirst().slot().spec();
        String figures = both.get().stream()
                .map(f -> f.slot().spec().variant() + " " + words(OptionalFigure.from(f.valid(), this::figure)))
                .sorted()
                .collect(Collectors.joining(", "));
        return "Nothing could be compared: no block has "
                + (spike ? "good answers in the spike" : "the " + metric.words()) + " of two variants (block "
                + (first.block() + 1) + GridFigures.at(first.point()) + ": " + figures + ").";
    }

    /**
     * Why a variant can't be called better, to follow that: some valid trial gave nothing, so that only its best figures are in the
     * ratios. Empty if each gave something, and for a metric that should be low.
     */
    Optional<String> because(Cell c) {
        boolean nothing =
                !metric.low() && c.valid().stream().anyMatch(t -> figure(t).orElse(1) <= 0);
        return nothing
                ? Optional.of(
                        spike
                                ? ", as it gave no good answer in some block"
                                : ", as its " + metric.words() + " was zero in some block")
                : Optional.empty();
    }

    private String words(OptionalFigure figure) {
        if (figure.isEmpty()) {
            return "not observed";
        }
        return figure.getAsDouble() > 0 ? new ObjectiveFigure(metric).text(figure.getAsDouble()) : "none";
    }

    private OptionalFigure figure(TrialOutcome t) {
        return spike
                ? OptionalFigure.of(t.measurement().stream()
                        .mapToDouble(SpikeFigures::goodput)
                        .findFirst())
                : new ObjectiveFigure(metric).of(t);
    }
}
