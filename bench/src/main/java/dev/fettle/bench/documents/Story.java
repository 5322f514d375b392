package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a page may say of the story in a sentence: no more than its trials and tests carry. */
final class Story {
    private Story() {}

    /**
     * {@code trials}: how many are valid, and what was tested; {@code verdict RULE}: what the step with that finding is good for;
     * {@code mended RULE}: the throughput of that step, and of the next; {@code symptom RULE}: what followed from it.
     */
    static String figure(JsonNode told, String what, String rule) {
        return switch (what) {
            case "trials" -> trials(told);
            case "verdict" -> verdict(told, rule);
            case "mended" -> mended(told, rule);
            case "symptom" -> symptom(told, rule);
            default -> throw new IllegalArgumentException("no figure '" + what + "' of the story");
        };
    }

    /** What the gate said of a step's trial. */
    static String gate(JsonNode step) {
        return Blocks.verdict(valid(step), why(step), List.of());
    }

    private static boolean valid(JsonNode step) {
        return why(step).isEmpty();
    }

    /** Why its trial is void, or how it failed; empty if it is valid. */
    private static List<String> why(JsonNode step) {
        var why = new ArrayList<>(Figures.names(step.path("reasons")));
        if (step.hasNonNull("failure")) {
            why.add(step.path("failure").asText());
        }
        return why;
    }

    private static String trials(JsonNode told) {
        JsonNode steps = told.path("steps");
        long valid = stream(steps).filter(Story::valid).count();
        return "of " + steps.size() + " trials, the gate calls " + valid
                + " valid; of their first findings, a test confirmed " + with(steps, "confirmed") + ", refuted "
                + with(steps, "refuted") + " and left " + with(steps, "open") + " open, and "
                + with(steps, "not tested") + " could not be tested";
    }

    private static long with(JsonNode steps, String outcome) {
        return stream(steps).filter(s -> Blocks.tested(s).equals(outcome)).count();
    }

    private static String verdict(JsonNode told, String rule) {
        int at = step(told.path("steps"), rule);
        if (at < 0) {
            return "**not shown**: not found here";
        }
        JsonNode step = told.path("steps").get(at);
        if (!valid(step)) {
            return "**not shown**: found here in a void trial (" + String.join(", ", why(step)) + "); "
                    + Blocks.tested(step);
        }
        return switch (Blocks.tested(step)) {
            case "confirmed" -> "**confirmed** by its test";
            case "refuted" -> "**not so here**: its test refutes it";
            case "open" -> "**not shown**: found here, and its test leaves it open";
            default -> "**not shown**: found here, not tested";
        };
    }

    private static String mended(JsonNode told, String rule) {
        JsonNode steps = told.path("steps");
        int at = step(steps, rule);
        if (at < 0) {
            return "not found, so not fixed";
        }
        String before = Figures.rate(steps.get(at).path("rate").asDouble()) + "/s before";
        boolean last = at + 1 == steps.size()
                || steps.get(at).path("mended").asText("").isEmpty();
        return last
                ? before + " and not fixed"
                : before + " it was fixed and "
                        + Figures.rate(steps.get(at + 1).path("rate").asDouble()) + "/s after";
    }

    private static String symptom(JsonNode told, String rule) {
        int at = step(told.path("steps"), rule);
        JsonNode symptoms = told.path("steps").path(Math.max(0, at)).path("symptoms");
        return at < 0 || symptoms.isEmpty()
                ? "nothing that followed from it was seen"
                : symptoms.get(0).asText();
    }

    /** The number of the first step with that finding, from 0; less if there is none. */
    private static int step(JsonNode steps, String rule) {
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).path("rule").asText().equals(rule)) {
                return i;
            }
        }
        return -1;
    }

    private static Stream<JsonNode> stream(JsonNode all) {
        return StreamSupport.stream(all.spliterator(), false);
    }
}
