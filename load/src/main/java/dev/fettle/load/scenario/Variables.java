package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a scenario during compilation: their numbers, and what the places where they are used demand of a
 * value.
 */
final class Variables {

    /** Demand: no line break or other control character, as it goes into a header unescaped. */
    static final int LINE = 1;
    /** Demand: printable ASCII without blanks, as it goes into a path unescaped. */
    static final int PATH = 2;
    /** Demand: begins with {@code /}, as a path begins with it. */
    static final int SLASH = 4;
    /** Demand: begins with {@code /} once {@link Filter#PATH} has removed scheme and host. */
    static final int ROOTED = 8;

    static final int USER = 0;
    static final int ITERATION = 1;
    static final int UUID = 2;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");

    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, byte[]> fixed = new HashMap<>();
    private final List<Integer> demands = new ArrayList<>();
    private final Set<Integer> used = new HashSet<>();
    /** Variables extracted from an answer by an earlier step of the flow. */
    private final Set<String> taken = new HashSet<>();

    private final Set<String> extracted = new HashSet<>();

    Variables() {
        define("user");
        define("iteration");
        define("random.uuid");
    }

    /** Sets a fixed value. */
    void fix(String name, String value) {
        checkNew(name);
        fixed.put(name, value.getBytes(UTF_8));
    }

    /** Defines a variable that has a value from the start of an iteration. */
    int define(String name) {
        checkNew(name);
        numbers.put(name, demands.size());
        demands.add(0);
        return demands.size() - 1;
    }

    /** Defines a variable that a step extracts from its answer; it has a value after that step. */
    int extract(String name) {
        if (!extracted.contains(name)) {
            define(name);
            extracted.add(name);
        }
        taken.add(name);
        return numbers.getOrDefault(name, -1);
    }

    /** Starts a flow: nothing has been extracted yet. */
    void beginFlow() {
        taken.clear();
        used.clear();
    }

    byte @Nullable [] fixed(String name) {
        return fixed.get(name);
    }

    /** Uses a variable in a place with this demand; returns its number. */
    int use(String name, int demand) {
        Integer number = numbers.get(name);
        if (number == null || extracted.contains(name) && !taken.contains(name)) {
            throw new IllegalArgumentException(
                    "${" + name + "} has no value here: it is neither a variable, nor a column of"
                            + " the data, nor taken from an answer by a step before this one");
        }
        used.add(number);
        demands.set(number, demands.get(number) | demand);
        return number;
    }

    /** Whether the flow has used the variable. */
    boolean isUsed(int number) {
        return used.contains(number);
    }

    int demand(int number) {
        return demands.get(number);
    }

    int count() {
        return demands.size();
    }

    private void checkNew(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no name of a variable: letters, digits and _ . - are, up to 64");
        }
        if (numbers.containsKey(name) || fixed.containsKey(name)) {
            throw new IllegalArgumentException("${" + name + "} has two sources");
        }
    }

    /** @throws IllegalArgumentException if a value does not satisfy the demand; the message does not contain it */
    static void check(String what, byte[] value, int length, int demand) {
        String problem = problem(value, length, demand);
        if (problem != null) {
            throw new IllegalArgumentException(what + " " + problem);
        }
    }

    /** Which part of the demand a value does not satisfy; null: it satisfies all. */
    static @Nullable String problem(byte[] value, int length, int demand) {
        if (demand == 0) {
            return null;
        }
        for (int i = 0; i < length; i++) {
            int b = value[i];
            if ((demand & LINE) != 0 && (b >= 0 && b < ' ' && b != '\t' || b == 127)) {
                return "has a line break or another control character, which cannot go into a header";
            }
            if ((demand & PATH) != 0 && (b <= ' ' || b == 127)) {
                return "has characters which cannot go into a path unescaped";
            }
        }
        if ((demand & SLASH) != 0 && (length == 0 || value[0] != '/')) {
            return "does not begin with '/', so it is no path";
        }
        int start = (demand & ROOTED) == 0 ? length : Filter.pathStart(value, length);
        return start < length && value[start] != '/' ? "is no absolute path or URL" : null;
    }
}
