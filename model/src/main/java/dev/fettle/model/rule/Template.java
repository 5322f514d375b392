package dev.fettle.model.rule;

import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Words with places for figures.
 *
 * <ul>
 *   <li>{@code {held:share}} is replaced by the figure {@code held} as a share. Other formats: {@code number}, {@code count}, {@code
 *       whole}, {@code seconds}, {@code nanos}, {@code bytes}, {@code ratio}. Texts and bounds need none.
 *   <li>{@code {n|one call|# calls}} is replaced by the first words if {@code n} is one, else by the second, with the whole number for
 *       each {@code #}.
 *   <li>{@code [, most of them in {where}]} is left out if one of its figures is missing: an empty optional, a blank text, or {@code false}.
 *   <li>{@code [!seen: ...]} is left out unless that figure is missing.
 * </ul>
 */
final class Template {
    private final String text;
    private final Function<String, Object> figures;
    private int at;

    private Template(String text, Function<String, Object> figures) {
        this.text = text;
        this.figures = figures;
    }

    /**
     * The words with their figures.
     *
     * @param figures of a name; a {@link String}, {@link Number}, {@link Boolean}, {@link Bound}, {@link Optional} or {@link OptionalFigure}
     * @throws IllegalStateException if the text is not written as it should be, or a figure that can't be left out is missing
     */
    static String fill(String text, Function<String, Object> figures) {
        var template = new Template(text, figures);
        Part all = template.part('\0');
        if (!all.missing.isEmpty()) {
            throw new IllegalStateException("'" + text + "' lacks " + all.missing);
        }
        return all.words;
    }

    /** What was read up to an end, and the figures that are missing in it. */
    private record Part(String words, List<String> missing) {}

    private Part part(char end) {
        var words = new StringBuilder();
        var missing = new ArrayList<String>();
        while (at < text.length() && text.charAt(at) != end) {
            char c = text.charAt(at++);
            switch (c) {
                case '{' -> figure(words, missing);
                case '[' -> words.append(optional());
                default -> words.append(c);
            }
        }
        if (end != '\0' && at++ >= text.length()) {
            throw new IllegalStateException("'" + text + "' has a [ without ]");
        }
        return new Part(words.toString(), missing);
    }

    private String optional() {
        boolean unless = at < text.length() && text.charAt(at) == '!';
        if (!unless) {
            Part part = part(']');
            return part.missing.isEmpty() ? part.words : "";
        }
        int colon = text.indexOf(':', at);
        boolean has = value(text.substring(at + 1, colon)).isPresent();
        at = colon + 1;
        if (text.startsWith(" ", at)) {
            at++;
        }
        // what is left out is read all the same, to find its end
        Part part = part(']');
        return has || !part.missing.isEmpty() ? "" : part.words;
    }

    private void figure(StringBuilder words, List<String> missing) {
        int end = text.indexOf('}', at);
        if (end < 0) {
            throw new IllegalStateException("'" + text + "' has a { without }");
        }
        String inside = text.substring(at, end);
        at = end + 1;
        String name = inside.split("[:|?]", 2)[0];
        Optional<Object> value = value(name);
        if (value.isEmpty()) {
            missing.add(name);
        } else if (!inside.endsWith("?")) {
            words.append(written(inside, name, value.get()));
        }
    }

    private String written(String inside, String name, Object value) {
        String how = inside.substring(name.length());
        if (how.startsWith("|")) {
            String[] forms = how.substring(1).split("\\|", -1);
            double n = number(name, value);
            return (Math.round(n) == 1 ? forms[0] : forms[1]).replace("#", Format.whole(n));
        }
        if (how.isEmpty()) {
            return switch (value) {
                case String s -> s;
                case Bound b -> b.text();
                case Integer i -> Format.whole(i);
                case Long l -> Format.whole(l);
                case Boolean _ -> "";
                default -> throw new IllegalStateException("'" + text + "': how is " + name + " written?");
            };
        }
        double n = number(name, value);
        return switch (how) {
            case ":share" -> Format.share(n);
            case ":number" -> Format.number(n);
            case ":count" -> Format.count(n);
            case ":whole" -> Format.whole(n);
            case ":seconds" -> Format.seconds(n);
            case ":nanos" -> Format.time(n);
            case ":bytes" -> Format.bytes(n);
            case ":ratio" -> Format.ratio(n);
            default -> throw new IllegalStateException("'" + text + "': no format '" + how + "'");
        };
    }

    private double number(String name, Object value) {
        return switch (value) {
            case Number n -> n.doubleValue();
            case Bound b -> b.value();
            default -> throw new IllegalStateException("'" + text + "': " + name + " is no number");
        };
    }

    /** A figure without what says that it may be missing; empty if it is. */
    private Optional<Object> value(String name) {
        return switch (figures.apply(name)) {
            case Optional<?> o -> o.filter(v -> !v.equals("")).map(v -> (Object) v);
            case OptionalFigure f -> f.mapTo(v -> v);
            case String s -> s.isEmpty() ? Optional.empty() : Optional.of(s);
            case Boolean b -> b ? Optional.of(b) : Optional.empty();
            case Object v -> Optional.of(v);
        };
    }
}
