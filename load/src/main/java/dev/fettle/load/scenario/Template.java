package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.bytes.ByteText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A text with placeholders, parsed before the run: constant bytes, and slots with filters. */
final class Template {

    private static final int CONSTANT = -1;

    private final byte[][] constants;
    private final int[] slots;
    private final Filter[] filters;

    private Template(List<byte[]> constants, List<Integer> slots, List<Filter> filters) {
        this.constants = constants.toArray(byte[][]::new);
        this.slots = slots.stream().mapToInt(Integer::intValue).toArray();
        this.filters = filters.toArray(Filter[]::new);
    }

    /**
     * Parses a text.
     *
     * @param otherwise the filter of a placeholder that names none
     * @param demand what a value must satisfy if it is not escaped here, see {@link Variables}
     * @throws IllegalArgumentException if it is not a template, or names something without a value
     */
    static Template of(String text, Filter otherwise, int demand, Variables slots) {
        return new Parser(text, otherwise, demand, slots).parse();
    }

    /** A form field's value: all of it is escaped, including the text of the template itself. */
    static Template ofForm(String text, Variables slots) {
        var parser = new Parser(text, Filter.URL, 0, slots);
        parser.literals = Filter.URL;
        return parser.parse();
    }

    /** Concatenates templates. */
    static Template join(List<Template> parts) {
        var parser = new Parser("", Filter.RAW, 0, new Variables());
        for (Template part : parts) {
            for (int i = 0; i < part.slots.length; i++) {
                if (part.slots[i] == CONSTANT) {
                    parser.constant.append(part.constants[i]);
                } else {
                    parser.slot(part.slots[i], part.filters[i]);
                }
            }
        }
        return parser.end();
    }

    /** A template of constant bytes. */
    static Template constant(String text) {
        var parser = new Parser("", Filter.RAW, 0, new Variables());
        parser.constant.append(text.getBytes(UTF_8));
        return parser.end();
    }

    boolean isConstant() {
        return slots.length == 0 || slots.length == 1 && slots[0] == CONSTANT;
    }

    /** Whether the result begins with {@code /}, provided the values satisfy what is demanded of them. */
    boolean beginsWithSlash() {
        if (slots.length == 0) {
            return false;
        }
        return slots[0] == CONSTANT ? constants[0][0] == '/' : filters[0] == Filter.RAW || filters[0] == Filter.PATH;
    }

    void write(ByteText[] values, ByteText out) {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] == CONSTANT) {
                out.append(constants[i]);
            } else {
                ByteText value = values[slots[i]];
                filters[i].write(value.bytes(), value.length(), out);
            }
        }
    }

    /** Parses a text in one pass. */
    private static final class Parser {
        private final String text;
        private final Filter otherwise;
        private final int demand;
        private final Variables known;
        private Filter literals = Filter.RAW;
        private final ByteText constant = new ByteText();
        private final List<byte[]> constants = new ArrayList<>();
        private final List<Integer> slots = new ArrayList<>();
        private final List<Filter> filters = new ArrayList<>();

        Parser(String text, Filter otherwise, int demand, Variables known) {
            this.text = text;
            this.otherwise = otherwise;
            this.demand = demand;
            this.known = known;
        }

        Template parse() {
            int at = 0;
            for (int dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', at)) {
                literal(text.substring(at, dollar));
                if (text.startsWith("$${", dollar)) {
                    literal("${");
                    at = dollar + 3;
                } else if (text.startsWith("${", dollar)) {
                    at = text.indexOf('}', dollar) + 1;
                    if (at == 0) {
                        throw new IllegalArgumentException(
                                "'${' without '}' (for the characters themselves write $${)");
                    }
                    place(text.substring(dollar + 2, at - 1));
                } else {
                    literal("$");
                    at = dollar + 1;
                }
            }
            literal(text.substring(at));
            return end();
        }

        private void literal(String plain) {
            byte[] bytes = plain.getBytes(UTF_8);
            literals.write(bytes, bytes.length, constant);
        }

        private void place(String inside) {
            int bar = inside.indexOf('|');
            String name = bar < 0 ? inside : inside.substring(0, bar);
            Filter filter = bar < 0 ? otherwise : filter(inside.substring(bar + 1));
            byte @Nullable [] fixed = known.fixed(name);
            if (fixed != null) {
                Variables.check("variable " + name, fixed, fixed.length, wanted(filter));
                filter.write(fixed, fixed.length, constant);
            } else {
                slot(known.use(name, wanted(filter)), filter);
            }
        }

        private int wanted(Filter filter) {
            boolean first = slots.isEmpty() && constant.length() == 0;
            int rest = demand & ~Variables.SLASH;
            return switch (filter) {
                case URL -> 0;
                case JSON -> rest & ~Variables.LINE;
                case RAW -> first ? demand : rest;
                case PATH -> first && demand != rest ? rest | Variables.ROOTED : rest;
            };
        }

        private static Filter filter(String name) {
            return switch (name) {
                case "raw" -> Filter.RAW;
                case "url" -> Filter.URL;
                case "json" -> Filter.JSON;
                case "path" -> Filter.PATH;
                default ->
                    throw new IllegalArgumentException("no filter '" + name + "': raw, url, json and path are there");
            };
        }

        void slot(int slot, Filter filter) {
            flush();
            slots.add(slot);
            constants.add(new byte[0]);
            filters.add(filter);
        }

        private void flush() {
            if (constant.length() > 0) {
                slots.add(CONSTANT);
                constants.add(constant.copy());
                filters.add(Filter.RAW);
                constant.clear();
            }
        }

        Template end() {
            flush();
            return new Template(constants, slots, filters);
        }
    }
}
