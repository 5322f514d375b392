package dev.fettle.load.scenario;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.ByteText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A condition of a step, compiled. Its messages never contain a value from an answer or a variable. */
sealed interface CompiledCondition {

    /** What is wrong with the answer; null: nothing. */
    @Nullable
    String problem(StepSink seen, ByteText[] values);

    /** What kind of error it is. */
    default ErrorKind kind() {
        return ErrorKind.CHECK;
    }

    /**
     * A header is there, and has a value.
     *
     * @param header its number among those which the step wants
     */
    record HeaderIs(
            int header, @Nullable Template value, @Nullable Pattern regex, String missing, String wrong)
            implements CompiledCondition {
        HeaderIs(String name, int header, @Nullable Template value, @Nullable Pattern regex) {
            this(
                    header,
                    value,
                    regex,
                    "header " + name + " is missing",
                    "header " + name
                            + (regex == null ? " is not the value that the step expects" : " does not match " + regex));
        }

        @Override
        public @Nullable String problem(StepSink seen, ByteText[] values) {
            ByteText found = seen.header(header);
            if (found == null) {
                return missing;
            }
            boolean right = (value == null || seen.isSame(found, value, values))
                    && (regex == null || BoundedText.find(regex, found.text()) != null);
            return right ? null : wrong;
        }
    }

    /** A constant text is in the body, or is not. */
    record BodyHas(int pattern, boolean wanted, String wrong) implements CompiledCondition {
        @Override
        public @Nullable String problem(StepSink seen, ByteText[] values) {
            return seen.isFound(pattern) == wanted ? null : wrong;
        }

        @Override
        public ErrorKind kind() {
            return ErrorKind.BODY;
        }
    }

    /** A text with values in it is in the body, or is not. */
    record BodyHasValues(Template text, boolean wanted, String wrong) implements CompiledCondition {
        @Override
        public @Nullable String problem(StepSink seen, ByteText[] values) {
            return seen.contains(text, values) == wanted ? null : wrong;
        }

        @Override
        public ErrorKind kind() {
            return ErrorKind.BODY;
        }
    }

    /** A regular expression is found in the body. */
    record BodyMatches(Pattern regex, String wrong) implements CompiledCondition {
        BodyMatches(Pattern regex) {
            this(regex, "the body does not match " + regex);
        }

        @Override
        public @Nullable String problem(StepSink seen, ByteText[] values) {
            return BoundedText.find(regex, seen.text()) != null ? null : wrong;
        }
    }

    /** A value in a JSON body. */
    record JsonIs(JsonPath path, Template value, String missing, String broken, String wrong)
            implements CompiledCondition {
        JsonIs(JsonPath path, Template value) {
            this(
                    path,
                    value,
                    "the body has no " + path,
                    "the body is no JSON in which to find " + path,
                    path + " is not the value that the step expects");
        }

        @Override
        public @Nullable String problem(StepSink seen, ByteText[] values) {
            return switch (seen.json(path)) {
                case JsonText.FOUND -> seen.isSame(seen.found(), value, values) ? null : wrong;
                case JsonText.ABSENT -> missing;
                default -> broken;
            };
        }
    }
}
