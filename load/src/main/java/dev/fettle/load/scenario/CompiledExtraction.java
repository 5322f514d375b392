package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.bytes.ByteText;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An extraction of a step, compiled. Its messages never contain a value. */
final class CompiledExtraction {

    private final int slot;
    private final int header;
    private final @Nullable JsonPath path;
    private final @Nullable Pattern regex;
    private final String missing;
    private final String unfit;

    private CompiledExtraction(
            String variable, int slot, int header, @Nullable JsonPath path, @Nullable Pattern regex, String where) {
        this.slot = slot;
        this.header = header;
        this.path = path;
        this.regex = regex;
        this.missing = "no value for '" + variable + "': " + where;
        this.unfit = "the value for '" + variable + "' ";
    }

    static CompiledExtraction json(String variable, int slot, JsonPath path) {
        return new CompiledExtraction(variable, slot, -1, path, null, "the body has no " + path);
    }

    static CompiledExtraction regex(String variable, int slot, Pattern regex) {
        return new CompiledExtraction(variable, slot, -1, null, regex, "the body does not match " + regex);
    }

    static CompiledExtraction header(String variable, int slot, String name, int header, Optional<Pattern> regex) {
        String where = "header " + name
                + regex.map(r -> " is missing or does not match " + r).orElse(" is missing");
        return new CompiledExtraction(variable, slot, header, null, regex.orElse(null), where);
    }

    /**
     * Extracts the value.
     *
     * @param demands on each slot, see {@link Variables}
     * @return what is wrong; null: nothing
     */
    @Nullable
    String take(StepSink seen, ByteText[] values, int[] demands) {
        ByteText value = values[slot];
        if (!found(seen, value)) {
            return missing;
        }
        String problem = Variables.problem(value.bytes(), value.length(), demands[slot]);
        return problem == null ? null : unfit + problem;
    }

    private boolean found(StepSink seen, ByteText value) {
        if (path != null) {
            boolean there = seen.json(path) == JsonText.FOUND;
            if (there) {
                value.copy(seen.found().bytes(), 0, seen.found().length());
            }
            return there;
        }
        ByteText from = header < 0 ? null : seen.header(header);
        if (header >= 0 && from == null) {
            return false;
        }
        if (from != null && regex == null) {
            value.copy(from.bytes(), 0, from.length());
            return true;
        }
        String text = regex == null ? null : BoundedText.find(regex, from == null ? seen.text() : from.text());
        if (text != null) {
            byte[] all = text.getBytes(UTF_8);
            value.copy(all, 0, all.length);
        }
        return text != null;
    }
}
