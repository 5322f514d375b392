package dev.fettle.junit;

import dev.fettle.junit.FettleCommand.Ended;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * What the command's exit code and JSON mean to a test. Passed: valid, and the objective holds. Failed: valid, and it is broken. Aborted:
 * void, or nobody can tell. All else is no result at all, which is an error.
 */
final class Verdict {
    private static final int DONE = 0;
    private static final int VOID = 4;
    private static final int BROKEN = 5;
    private static final int CANT_TELL = 6;
    private static final int INTERRUPTED = 130;
    private static final int TERMINATED = 143;

    private Verdict() {}

    /** Of {@code fettle bench}, which ends with 5 for a condition that is met even where the result is void. */
    static BenchResult bench(Ended ended) {
        refuse(ended);
        if (ended.output().isBlank()) {
            throw aborted(ended.why());
        }
        BenchResult result = BenchResult.of(json(ended));
        if (!Boolean.TRUE.equals(result.json().get("valid")) || ended.exit() != DONE && ended.exit() != BROKEN) {
            List<String> reasons = BenchResult.messages(result.json().get("voidReasons"));
            throw aborted(reasons.isEmpty() ? ended.why() : String.join("; ", reasons));
        }
        if (ended.exit() == BROKEN) {
            throw new AssertionFailedError("fettle: " + result.broken() + ". In all: " + result);
        }
        return result;
    }

    /**
     * Of a plan's run.
     *
     * @param asked the options, which a message names
     */
    static PlanResult plan(Ended ended, List<String> asked) {
        refuse(ended);
        if (ended.output().isBlank()) {
            throw aborted(ended.why());
        }
        PlanResult result = PlanResult.of(json(ended));
        if (ended.exit() == BROKEN || ended.exit() == VOID && noRateMeetsTheSlo(result.json())) {
            throw new AssertionFailedError(
                    "fettle: " + result.headline() + (asked.isEmpty() ? "" : " Asked: " + String.join(" ", asked)));
        }
        if (ended.exit() != DONE) {
            throw aborted(result.headline());
        }
        List<String> broken = broken(result.json());
        if (!broken.isEmpty()) {
            throw new AssertionFailedError("fettle: " + String.join("; ", broken) + ". " + result.headline());
        }
        List<String> unmeasured = unmeasured(result.json());
        if (!unmeasured.isEmpty()) {
            throw aborted(String.join("; ", unmeasured));
        }
        return result;
    }

    /** That even the lowest rate breaks the SLO was measured; the command ends with 4, as it has no answer to give. */
    private static boolean noRateMeetsTheSlo(Map<String, @Nullable Object> json) {
        return "no-rate".equals(Json.asObject(json.get("capacity")).get("outcome"));
    }

    /** What breaks a limit of the objective, or failed, of a comparison. */
    private static List<String> broken(Map<String, @Nullable Object> json) {
        var all = new ArrayList<String>();
        for (Map<String, @Nullable Object> v : variants(json)) {
            Json.texts(v.get("limitsBroken")).forEach(b -> all.add(name(v) + ": " + b));
            Json.asText(v.get("failed")).ifPresent(f -> all.add(name(v) + ": " + f));
        }
        return all;
    }

    /** Variants without a valid trial, of a comparison. */
    private static List<String> unmeasured(Map<String, @Nullable Object> json) {
        var all = new ArrayList<String>();
        for (Map<String, @Nullable Object> v : variants(json)) {
            if (Json.number(v.get("trials")) == 0) {
                List<String> problems = Json.texts(v.get("problems"));
                all.add(name(v) + ": " + (problems.isEmpty() ? "no valid trial" : String.join(", ", problems)));
            }
        }
        return all;
    }

    private static List<Map<String, @Nullable Object>> variants(Map<String, @Nullable Object> json) {
        var all = new ArrayList<Map<String, @Nullable Object>>();
        for (Map<String, @Nullable Object> c :
                Json.objects(Json.asObject(json.get("conclusion")).get("conditions"))) {
            all.addAll(Json.objects(c.get("variants")));
        }
        return all;
    }

    private static String name(Map<String, @Nullable Object> variant) {
        return Json.asText(variant.get("name")).orElse("?");
    }

    private static void refuse(Ended ended) {
        switch (ended.exit()) {
            case DONE, VOID, BROKEN, CANT_TELL -> {}
            case INTERRUPTED, TERMINATED -> throw aborted("it was interrupted");
            default ->
                throw new FettleException("fettle ended with exit code %d: %s".formatted(ended.exit(), ended.why()));
        }
    }

    private static Map<String, @Nullable Object> json(Ended ended) {
        try {
            return Json.object(ended.output());
        } catch (IllegalArgumentException e) {
            throw new FettleException(
                    "fettle ended with exit code %d, and what it printed is no result (%s)"
                            .formatted(ended.exit(), e.getMessage()),
                    e);
        }
    }

    private static TestAbortedException aborted(String why) {
        return new TestAbortedException("fettle: void: " + why);
    }
}
