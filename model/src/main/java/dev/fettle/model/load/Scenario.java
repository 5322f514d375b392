package dev.fettle.model.load;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * What users do instead of repeating one request: flows of steps, with a cookie jar per user, values from answers and data, and
 * checks. Paths, header values, bodies, form values and expected texts may contain {@code ${name}} placeholders, see
 * {@link Templates}.
 *
 * @param flows one or more; each iteration chooses one by weight
 * @param data files whose columns are variables
 * @param variables fixed values; they may be secret and are never journalled (see Secrets)
 * @param keepCookies whether a user's cookies survive the iteration
 * @param seed for the choice of flows, rows and think times
 */
public record Scenario(
        List<Flow> flows, List<Data> data, Map<String, String> variables, boolean keepCookies, long seed) {

    /** Copies the collections. */
    public Scenario {
        flows = List.copyOf(flows);
        data = List.copyOf(data);
        variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
    }

    /**
     * A sequence of requests.
     *
     * @param weight relative frequency, 1 to 1,000,000
     */
    public record Flow(String name, int weight, List<Step> steps) {
        /** Copies the steps. */
        public Flow {
            steps = List.copyOf(steps);
        }
    }

    /**
     * One request, with checks on its answer and values taken from it.
     *
     * @param headers values may be secret
     * @param body may be secret; empty with a form
     * @param form fields of an {@code application/x-www-form-urlencoded} body; values may be secret
     * @param statuses expected; empty: any 2xx
     * @param thinkFrom shortest pause before the next step
     * @param thinkTo longest pause
     * @param goOn whether the iteration continues after a failure
     */
    @RecordBuilder
    public record Step(
            String name,
            String method,
            String path,
            Map<String, String> headers,
            Optional<String> body,
            Map<String, String> form,
            Set<Integer> statuses,
            List<Check> checks,
            List<Extraction> extractions,
            Duration thinkFrom,
            Duration thinkTo,
            boolean goOn)
            implements ScenarioStepBuilder.With {
        /** Copies the collections. */
        public Step {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
            form = Collections.unmodifiableMap(new LinkedHashMap<>(form));
            statuses = Collections.unmodifiableSet(new TreeSet<>(statuses));
            checks = List.copyOf(checks);
            extractions = List.copyOf(extractions);
        }

        /** Stands in place of the method in a message's step. */
        public static final String SEND = "SEND";

        /** Whether it is a message over a WebSocket: {@code body} is sent, and the answer has neither status nor headers. */
        @JsonIgnore
        public boolean isMessage() {
            return method.equals(SEND);
        }
    }

    /** What a check looks at. */
    public enum CheckKind {
        HEADER_PRESENT,
        HEADER_EQUALS,
        HEADER_MATCHES,
        BODY_CONTAINS,
        BODY_LACKS,
        BODY_MATCHES,
        JSON_EQUALS
    }

    /**
     * A condition on an answer.
     *
     * @param where the header or the JSON path; empty for the whole body
     * @param text the expected text or regular expression; empty for HEADER_PRESENT
     */
    public record Check(CheckKind kind, String where, String text) {}

    /** Where a value is found. */
    public enum From {
        JSON,
        BODY,
        HEADER
    }

    /**
     * A value taken from an answer for later steps.
     *
     * @param where the JSON path or the header; empty for the body
     * @param regex its first group is the value; required with BODY, never with JSON
     */
    public record Extraction(String variable, From from, String where, Optional<String> regex) {}

    /**
     * A CSV file; an iteration takes one row.
     *
     * @param file absolute; its contents may be secret
     */
    public record Data(String file, Order order) {}

    /** Which row an iteration takes. */
    public enum Order {
        SEQUENTIAL,
        RANDOM,
        USER
    }

    /** The steps' names in counting order; {@code flow/step} if there are several flows. */
    public List<String> stepNames() {
        return flows.stream()
                .flatMap(f -> f.steps().stream().map(s -> flows.size() == 1 ? s.name() : f.name() + "/" + s.name()))
                .toList();
    }

    /** Whether users pause within an iteration. */
    public boolean thinks() {
        return flows.stream()
                .flatMap(f -> f.steps().stream())
                .anyMatch(s -> !s.thinkTo().isZero());
    }

    /** Requests of an iteration, on average over the flows by weight. */
    public double requests() {
        return mean(f -> f.steps().size());
    }

    /** Requests of the longest flow. */
    public int requestsAtMost() {
        return flows.stream().mapToInt(f -> f.steps().size()).max().orElse(0);
    }

    /** For how long a user pauses within an iteration, in seconds, on average over the flows by weight. */
    public double pauses() {
        return mean(f -> f.steps().stream()
                .mapToDouble(s -> (s.thinkFrom().toNanos() + s.thinkTo().toNanos()) / 2e9)
                .sum());
    }

    private double mean(ToDoubleFunction<Flow> figure) {
        double sum = 0;
        double weights = 0;
        for (Flow flow : flows) {
            sum += flow.weight() * figure.applyAsDouble(flow);
            weights += flow.weight();
        }
        return weights > 0 ? sum / weights : 0;
    }

    /**
     * The mean pause after a request, in seconds.
     *
     * @param between pause between two iterations
     */
    double thinkSeconds(Duration between) {
        double pauses = 0;
        double requests = 0;
        for (Flow flow : flows) {
            double within = flow.steps().stream()
                    .mapToDouble(s -> (s.thinkFrom().toNanos() + s.thinkTo().toNanos()) / 2e9)
                    .sum();
            pauses += flow.weight() * (within + between.toNanos() / 1e9);
            requests += (double) flow.weight() * flow.steps().size();
        }
        return requests > 0 ? pauses / requests : 0;
    }

    /** The first step, if it is a plain GET without placeholders, so that it can be sent before there are users. */
    public Optional<Step> opening() {
        return flows.stream()
                .flatMap(f -> f.steps().stream())
                .findFirst()
                .filter(s -> s.method().equals("GET"))
                .filter(s -> Templates.isPlain(s.path())
                        && s.headers().values().stream().allMatch(Templates::isPlain));
    }
}
