package dev.fettle.load;

import dev.fettle.load.api.Ranges;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What users do instead of repeating one request: sequences of requests, with one cookie jar per user, values taken
 * from answers and from data, and checks. Each client is one user; an <em>iteration</em> is one flow from its first
 * step to its last.
 *
 * <p>Paths, header values, bodies, form values and expected texts are templates: {@code ${name}} stands for a value,
 * {@code ${name|filter}} for a filtered one, {@code $${} for the characters themselves. Filters: {@code url} escapes as
 * {@code %XX} (the default in paths and form values), {@code json} escapes for a JSON string, {@code raw} does nothing
 * (the default elsewhere), {@code path} keeps the part of a URL after the host. Always available: {@code ${user}} and
 * {@code ${iteration}}, numbers from 1, and {@code ${random.uuid}}, a new one for each iteration.
 *
 * <p>Over a WebSocket the steps are messages ({@link Step#message}), and an answer is the next message that comes.
 *
 * <p>Redirects are ordinary answers and not followed. Names of variables are letters, digits and {@code _ . -},
 * beginning with a letter or {@code _}.
 *
 * @param flows one or more; each iteration chooses one by weight
 * @param feeds data whose columns are variables
 * @param variables fixed values
 * @param keepCookies whether a user's cookies outlive the iteration
 * @param seed seeds the choice of flows, rows and think times: the same seed gives each user the same choices
 */
public record Scenario(
        List<Flow> flows, List<Feed> feeds, Map<String, String> variables, boolean keepCookies, long seed) {

    /** Largest body that conditions and extractions search, in bytes. */
    public static final int MOST_BODY = 1024 * 1024;

    /** Copies the collections; {@code LoadEngine.check} reports mistakes. */
    public Scenario {
        flows = List.copyOf(flows);
        feeds = List.copyOf(feeds);
        variables = Map.copyOf(variables);
    }

    /** One flow of these steps, without data; cookies end with the iteration. */
    public static Scenario of(Step... steps) {
        return new Scenario(List.of(new Flow("main", 1, List.of(steps))), List.of(), Map.of(), false, 1);
    }

    /** The total number of steps in all flows: the size of {@link Window#steps()}, flow after flow. */
    public int stepCount() {
        return flows.stream().mapToInt(flow -> flow.steps().size()).sum();
    }

    /**
     * A sequence of requests.
     *
     * @param name for messages and results
     * @param weight how often it is chosen, relative to the others, 1 to 1,000,000
     */
    public record Flow(String name, int weight, List<Step> steps) {
        /** Copies the steps. */
        public Flow {
            steps = List.copyOf(steps);
        }
    }

    /**
     * One request, what is checked in its answer, and what is taken from it.
     *
     * @param name for messages and results
     * @param method a token such as GET; not CONNECT
     * @param path template of path and query; begins with {@code /} once filled in
     * @param headers their values are templates; {@code Host}, {@code Content-Length}, a form's {@code
     *     Content-Type} and {@code Cookie} are added automatically; an explicit Cookie header comes before the jar's
     *     cookies
     * @param statuses accepted ones, each 200 to 599; empty: any from 200 to 299
     * @param conditions all of them must hold
     * @param extractions values for later steps; a missing one fails the step
     * @param think pause after this step and before the next; none after the last
     * @param goOn whether the iteration continues after this step failed; it never does if a value could not be
     *     extracted
     */
    public record Step(
            String name,
            String method,
            String path,
            List<RequestTemplate.Header> headers,
            Body body,
            Set<Integer> statuses,
            List<Condition> conditions,
            List<Extraction> extractions,
            Think think,
            boolean goOn) {
        /** Copies the collections. */
        public Step {
            headers = List.copyOf(headers);
            statuses = Set.copyOf(statuses);
            conditions = List.copyOf(conditions);
            extractions = List.copyOf(extractions);
        }

        /** Stands in place of the method in a message's step. */
        private static final String SEND = "SEND";

        /**
         * A message, over a WebSocket; an answer has neither status nor headers.
         *
         * @param text a template
         */
        public static Step message(
                String name,
                String text,
                List<Condition> conditions,
                List<Extraction> extractions,
                Think think,
                boolean goOn) {
            return new Step(
                    name, SEND, "/", List.of(), new Body.Text(text), Set.of(), conditions, extractions, think, goOn);
        }

        /** Whether it is a message. */
        public boolean isMessage() {
            return method.equals(SEND);
        }

        /** A GET that accepts any 2xx. */
        public static Step get(String name, String path) {
            return new Step(name, "GET", path, List.of(), Body.NONE, Set.of(), List.of(), List.of(), Think.NONE, false);
        }
    }

    /** A request's body. */
    public sealed interface Body {
        Body NONE = new Text("");

        /** A template, sent as UTF-8. */
        record Text(String template) implements Body {}

        /** {@code application/x-www-form-urlencoded} fields; their values are templates. */
        record Form(List<RequestTemplate.Header> fields) implements Body {
            /** Copies the fields. */
            public Form {
                fields = List.copyOf(fields);
            }
        }
    }

    /** A check of an answer. If a header comes several times, the first one counts. */
    public sealed interface Condition {
        /** The header is there. */
        record HeaderPresent(String name) implements Condition {}

        /** The header's value is this template's. */
        record HeaderEquals(String name, String value) implements Condition {}

        /** The regular expression matches somewhere in the header's value. */
        record HeaderMatches(String name, String regex) implements Condition {}

        /** The template's text is in the body. */
        record BodyContains(String text) implements Condition {}

        /** The template's text is not in the body. */
        record BodyLacks(String text) implements Condition {}

        /** The regular expression matches somewhere in the body. */
        record BodyMatches(String regex) implements Condition {}

        /** The value at the JSON path (see {@link Source.Json}) is this template's text. */
        record JsonEquals(String path, String value) implements Condition {}
    }

    /** A value taken from an answer, for later steps of the iteration. */
    public record Extraction(String variable, Source source) {}

    /** Where to find a value. */
    public sealed interface Source {
        /**
         * By members and indexes: {@code $.items[0]['first name']}. A string comes without its quotes, a number or
         * boolean as written, an object or array as its JSON text; null counts as no value.
         */
        record Json(String path) implements Source {}

        /** The first group of the first match in the body, or the whole match if there is no group. */
        record Regex(String regex) implements Source {}

        /** A header's value, or the match of a regular expression in it, as in {@link Regex}. */
        record Header(String name, Optional<String> regex) implements Source {}
    }

    /**
     * A pause whose length is chosen uniformly between two bounds.
     *
     * @param from 0 to 1 hour
     * @param to {@code from} to 1 hour
     */
    public record Think(Duration from, Duration to) {
        /** No pause. */
        public static final Think NONE = new Think(Duration.ZERO, Duration.ZERO);

        /** Checks the ranges. */
        public Think {
            Ranges.range("think time", from, Duration.ZERO, Duration.ofHours(1));
            Ranges.range("think time", to, from, Duration.ofHours(1));
        }
    }

    /**
     * Rows of values. An iteration of a flow that uses one of the columns takes a row; after the last row comes the
     * first.
     *
     * @param name for messages, such as the file's name
     * @param columns names of variables
     * @param rows one value per column in each; at least one row
     */
    public record Feed(String name, List<String> columns, List<List<String>> rows, Order order) {
        /** Copies the rows. */
        public Feed {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /** Which row an iteration takes. */
    public enum Order {
        /** The next one, across all users. */
        SEQUENTIAL,
        RANDOM,
        /** Always the same for one user: user 1 the first, user 2 the second. */
        USER
    }
}
