package dev.fettle.model.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One rule, as far as it is data: its bounds and its words. What it looks at, code says.
 *
 * @param id stable name, in kebab case
 * @param bounds its own, by name; those that several rules share are in {@link Bounds}
 * @param texts its words, by what they are for: {@code what}, {@code threshold}, {@code title}, …; see {@link #text}
 * @param limits the resources that it says are short, used up or in the way: what waits for one of them may be its symptom
 * @param waitsFor the resources for want of which what it finds happens, too
 * @param shownBy ids of the signals that show what it found, the most informative first
 */
public record RuleEntry(
        String id,
        Map<String, Bound> bounds,
        Map<String, String> texts,
        List<String> limits,
        List<String> waitsFor,
        List<String> shownBy) {
    public RuleEntry {
        bounds = Map.copyOf(bounds);
        texts = Map.copyOf(texts);
        limits = List.copyOf(limits);
        waitsFor = List.copyOf(waitsFor);
        shownBy = List.copyOf(shownBy);
    }

    /**
     * The value of one of its bounds, or of a shared one.
     *
     * @throws IllegalStateException if there is none of that name
     */
    public double bound(String name) {
        Bound own = bounds.get(name);
        return own == null ? Bounds.value(name) : own.value();
    }

    public boolean has(String text) {
        return texts.containsKey(text);
    }

    /**
     * Its words for something, with figures and bounds filled in.
     *
     * @param figures names and values in turn
     * @throws IllegalStateException if it has no such words, or a figure of theirs is missing
     */
    public String text(String which, Object... figures) {
        return fill(which, figures(figures));
    }

    /** The same with figures by name. */
    public String fill(String which, Map<String, Object> figures) {
        String text = texts.get(which);
        if (text == null) {
            throw new IllegalStateException(id + " has no words for '" + which + "'");
        }
        return Template.fill(text, name -> {
            Object given = figures.get(name);
            return given == null
                    ? Optional.ofNullable(bounds.get(name))
                            .or(() -> Bounds.find(name))
                            .map(Object.class::cast)
                            .orElseThrow(() -> new IllegalStateException(id + ": " + which + ": no '" + name + "'"))
                    : given;
        });
    }

    /** Names and values in turn as a mapping. */
    public static Map<String, Object> figures(Object... namesAndValues) {
        var out = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            out.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return out;
    }
}
