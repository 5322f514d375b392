package dev.fettle.cli.assist;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command as an assistant may call it: some of its options by name, what it names, and no more. The schema of its arguments is made from
 * the command itself.
 *
 * @param name as the assistant knows it
 * @param command the command's name
 * @param about one sentence or two
 * @param options long names of options that may be given, without the dashes
 * @param own what is said of the command's own arguments, such as a URL
 * @param fixed arguments of each call besides {@code --json}
 * @param effect what a call does
 */
record Tool(
        String name, String command, String about, List<String> options, Own own, List<String> fixed, Effect effect) {
    static final String TEXT = "text";

    private static final String HEADER = "header";
    private static final String JDK = "jdk";

    /**
     * The command's own arguments, as one of the call's.
     *
     * @param name what it is called; empty if there is none
     * @param needed whether it has to be given
     * @param orText whether a text may be given in its place, for the command's standard input
     */
    record Own(String name, boolean needed, boolean orText) {
        static final Own NONE = new Own("", false, false);
        static final Own FILES = new Own("files", false, true);

        static Own needed(String name) {
            return new Own(name, true, false);
        }
    }

    /** What a call does. */
    enum Effect {
        /** Reads only. */
        READS,
        /** Loads a server of this machine. */
        LOADS,
        /** Runs the programs that are named, and loads them. */
        RUNS
    }

    /** What a call lacks, or has that can't be; the message is for the assistant. */
    static final class BadCall extends Exception {
        private static final long serialVersionUID = 1;

        BadCall(String message) {
            super(message);
        }
    }

    /**
     * What a call becomes.
     *
     * @param arguments of the command, its name first
     * @param input what it reads from its standard input
     */
    record Call(List<String> arguments, String input) {}

    /**
     * Properties by name as JSON Schema has them.
     *
     * @param spec of the command
     */
    Map<String, Object> properties(CommandSpec spec) {
        var all = new LinkedHashMap<String, Object>();
        if (!own.name().isEmpty()) {
            var about = String.join(" ", spec.positionalParameters().getFirst().description());
            all.put(own.name(), takesMany(spec) ? strings(about) : property("string", about));
        }
        if (own.orText()) {
            all.put(TEXT, property("string", "What would be in the file, in place of one."));
        }
        for (String option : options) {
            OptionSpec found = option(spec, option);
            String about = String.join(" ", found.description());
            all.put(option, found.isMultiValue() ? strings(about) : property(type(found), about));
        }
        return all;
    }

    private static boolean takesMany(CommandSpec spec) {
        return spec.positionalParameters().getFirst().isMultiValue();
    }

    private static Map<String, Object> strings(String about) {
        return Map.of("type", "array", "items", Map.of("type", "string"), "description", plain(about));
    }

    private static Map<String, Object> property(String type, String about) {
        return Map.of("type", type, "description", plain(about));
    }

    /** Descriptions are formats. */
    private static String plain(String description) {
        return description.replace("%n", " ").replace("%%", "%");
    }

    private static String type(ArgSpec option) {
        Class<?> type = option.type();
        if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        }
        boolean whole = type == int.class || type == Integer.class || type == long.class || type == Long.class;
        return whole ? "integer" : "string";
    }

    private static OptionSpec option(CommandSpec spec, String name) {
        OptionSpec found = spec.findOption("--" + name);
        if (found == null) {
            throw new IllegalStateException(spec.name() + " has no --" + name);
        }
        return found;
    }

    /**
     * The command line of a call. A value can't become an option: it is written next to its option's name, or after {@code --}.
     *
     * @param spec of the command
     * @param given arguments by name
     * @throws BadCall if one is unknown, or has another type
     */
    Call call(CommandSpec spec, Map<String, Object> given) throws BadCall {
        var arguments = new ArrayList<String>();
        arguments.add(command);
        arguments.addAll(fixed);
        arguments.add("--json");
        var known = properties(spec).keySet();
        for (Map.Entry<String, Object> one : given.entrySet()) {
            if (!known.contains(one.getKey())) {
                throw new BadCall(
                        "there is no argument '" + one.getKey() + "'; there are: " + String.join(", ", known));
            }
            if (options.contains(one.getKey())) {
                arguments.addAll(option(option(spec, one.getKey()), one.getKey(), one.getValue()));
            }
        }
        List<String> names = own.name().isEmpty() ? List.of() : texts(own.name(), given.get(own.name()));
        Optional<String> text =
                own.orText() && given.get(TEXT) != null ? Optional.of(text(TEXT, given.get(TEXT))) : Optional.empty();
        if (text.isPresent() && !names.isEmpty()) {
            throw new BadCall("give '" + own.name() + "' or '" + TEXT + "', not both");
        }
        if (own.needed() && names.isEmpty()) {
            throw new BadCall("'" + own.name() + "' is missing");
        }
        if (text.isPresent() || !names.isEmpty()) {
            arguments.add("--");
            arguments.addAll(text.isPresent() ? List.of("-") : names);
        }
        return new Call(List.copyOf(arguments), text.orElse(""));
    }

    private static List<String> option(OptionSpec option, String name, Object value) throws BadCall {
        if (type(option).equals("boolean") && !option.isMultiValue()) {
            if (value instanceof Boolean on) {
                return on ? List.of("--" + name) : List.of();
            }
            throw new BadCall("'" + name + "' is true or false");
        }
        var all = new ArrayList<String>();
        for (String text : texts(name, value)) {
            all.add("--" + name + "=" + text);
        }
        if (all.size() > 1 && !option.isMultiValue()) {
            throw new BadCall("'" + name + "' is one value");
        }
        return all;
    }

    private static List<String> texts(String name, @Nullable Object value) throws BadCall {
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> several)) {
            return List.of(text(name, value));
        }
        var all = new ArrayList<String>();
        for (Object one : several) {
            all.add(text(name, one));
        }
        return all;
    }

    private static String text(String name, @Nullable Object value) throws BadCall {
        if (value instanceof String || value instanceof Integer || value instanceof Long || value instanceof Double) {
            String text = value.toString();
            if (text.startsWith("@")) { // a header or a body would be read from that file
                throw new BadCall("'" + name + "' is not read from a file here: give the text itself");
            }
            if (name.equals(HEADER) && text.contains("${")) { // it would be sent to any listener
                throw new BadCall("'" + name + "' takes nothing from the environment here: give the text itself");
            }
            if (name.equals(JDK) && !text.matches("^[0-9]{1,3}$")) { // the java of a folder would be run
                throw new BadCall("'" + name + "' is a release here, such as 21, and no folder");
            }
            if (text.indexOf('\0') < 0) {
                return text;
            }
        }
        throw new BadCall("'" + name + "' is a text or a number");
    }
}
