package dev.fettle.insight.compare;

import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.words.FigureText;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.plan.VariantDifference;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether programs that are compared differ in nothing but what the plan says: by the values that were read back from them. One that the
 * plan sets in none of them, and that differs, is a difference of the programs themselves.
 */
record ElseEqual(Plan.Compare compare, List<Filled> filled) {
    /** In words; empty if no programs are compared, or if nothing was read back. */
    Optional<String> note() {
        if (!compare.ofPrograms()) {
            return Optional.empty();
        }
        List<Map<String, String>> read =
                compare.variants().stream().map(this::read).toList();
        Set<String> said = VariantDifference.among(compare.variants()).stream()
                .map(VariantDifference::part)
                .collect(Collectors.toSet());
        boolean otherJvm = said.contains(VariantDifference.JDK) || said.contains(VariantDifference.FLAGS);
        int compared = 0;
        var differs = new ArrayList<String>();
        for (String knob : read.getFirst().keySet()) {
            if (said.contains(knob)
                    || said.contains(VariantDifference.inOwnFiles(knob))
                    || otherJvm && knob.startsWith("jvm.")
                    || !read.stream().allMatch(r -> r.containsKey(knob))) {
                continue;
            }
            compared++;
            String first = read.getFirst().get(knob);
            if (!read.stream().allMatch(r -> KnobValues.same(first, r.getOrDefault(knob, "")))) {
                differs.add(knob + " (" + values(knob, read) + ")");
            }
        }
        return compared == 0
                ? Optional.empty()
                : Optional.of(
                        differs.isEmpty()
                                ? "All else is equal, as far as it is read back: " + FigureText.count(compared, "value")
                                        + " of the targets, the same in all variants."
                                : "The programs differ in more than the plan says. Read back from them: "
                                        + String.join("; ", differs) + ".");
    }

    private String values(String knob, List<Map<String, String>> read) {
        var values = new ArrayList<String>();
        for (int i = 0; i < read.size(); i++) {
            values.add(compare.variants().get(i).name() + ": " + read.get(i).get(knob));
        }
        return String.join(", ", values);
    }

    /** What was read back in every valid trial of a variant; a knob that a condition varies, or that was not always the same, is left out. */
    private Map<String, String> read(Variant variant) {
        List<Map<String, String>> all = filled.stream()
                .filter(f -> f.slot().spec().variant().equals(variant.name()))
                .flatMap(f -> f.valid().flatMap(TrialOutcome::evidence).map(Evidence::effective).stream())
                .toList();
        var out = new TreeMap<String, String>();
        if (!all.isEmpty()) {
            out.putAll(all.getFirst());
            all.forEach(e -> out.entrySet().removeIf(x -> !x.getValue().equals(e.get(x.getKey()))));
        }
        return out;
    }
}
