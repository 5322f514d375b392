package dev.fettle.insight.sweep;

import dev.fettle.insight.trials.AnswerCheck;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.GridFigures.Cell;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.OwnKnob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which cells of a sweep answer otherwise than the others of the same load. What differs between those is the setting alone, so the
 * answers should not. The standard is the cell from which the fewest others differ, the first of several.
 *
 * @param texts of each that does, how, by its point
 */
record SweepAnswers(Map<Map<String, String>, String> texts) {

    static SweepAnswers of(List<Cell> cells) {
        var ofLoads = new LinkedHashMap<Map<String, String>, List<Cell>>();
        for (Cell c : cells) {
            if (!c.valid().isEmpty()) {
                ofLoads.computeIfAbsent(load(c.point()), _ -> new ArrayList<>()).add(c);
            }
        }
        var texts = new LinkedHashMap<Map<String, String>, String>();
        ofLoads.values().forEach(same -> texts.putAll(fewest(same)));
        return new SweepAnswers(texts);
    }

    /** The point without the knobs: the load, and what of the application it asks for. */
    private static Map<String, String> load(Map<String, String> point) {
        var rest = new LinkedHashMap<String, String>();
        point.forEach((name, value) -> {
            if (Knobs.find(name).isEmpty() && !OwnKnob.is(name)) {
                rest.put(name, value);
            }
        });
        return rest;
    }

    private static Map<Map<String, String>, String> fewest(List<Cell> same) {
        Map<Map<String, String>, String> best = from(same.getFirst(), same);
        for (int i = 1; i < same.size() && !best.isEmpty(); i++) {
            Map<Map<String, String>, String> other = from(same.get(i), same);
            best = other.size() < best.size() ? other : best;
        }
        return best;
    }

    /** Those that differ from this one. */
    private static Map<Map<String, String>, String> from(Cell reference, List<Cell> same) {
        var texts = new LinkedHashMap<Map<String, String>, String>();
        for (Cell c : same) {
            if (c != reference) {
                AnswerCheck.of(reference.valid(), c.valid())
                        .ifPresent(d -> texts.put(
                                c.point(),
                                GridFigures.name(c.point()) + " gives other answers than "
                                        + GridFigures.name(reference.point()) + ": " + d.text()));
            }
        }
        return texts;
    }

    /** How the answers of a cell differ. */
    Optional<String> text(Map<String, String> point) {
        return Optional.ofNullable(texts.get(point));
    }

    /** A sentence to begin a headline with, and a space; empty if all answers are alike. */
    String sentence() {
        if (texts.isEmpty()) {
            return "";
        }
        int more = texts.size() - 1;
        return texts.values().iterator().next() + ", so it can't be the best. "
                + (more == 0 ? "" : "Answers differ in " + FigureText.count(more, "other cell") + ", too. ");
    }
}
