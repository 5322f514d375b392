package dev.fettle.model.rule;

import dev.fettle.model.text.TableEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules as data: a file {@code dev/fettle/model/rules/*.yaml}, whose head explains the keys. */
public final class RuleTable {
    private static final List<String> TEXTS = List.of("""
            stage what raised threshold passing title sentence remedy refuted-by healthy tested alone""".split("\\s+"));

    private static final Set<String> KEYS = Stream.concat(
                    TEXTS.stream(), Stream.of("bounds", "limits", "waits-for", "shown-by", "say"))
            .collect(Collectors.toUnmodifiableSet());

    private final Map<String, RuleEntry> entries = new LinkedHashMap<>();

    private RuleTable(List<RuleEntry> all) {
        all.forEach(e -> entries.put(e.id(), e));
    }

    /**
     * Reads a table.
     *
     * @param name of its file, without the ending
     * @throws IllegalStateException if it is not as it should be: a mistake in it breaks the build
     */
    public static RuleTable read(String name) {
        return new RuleTable(TableEntry.read("rules/" + name + ".yaml", KEYS, RuleTable::entry));
    }

    private static RuleEntry entry(String id, TableEntry e) {
        var bounds = new LinkedHashMap<String, Bound>();
        e.map("bounds").forEach((name, written) -> bounds.put(name, Bound.of(written)));
        var texts = new LinkedHashMap<>(e.map("say"));
        TEXTS.stream().filter(e::has).forEach(key -> texts.put(key, e.get(key)));
        texts.replaceAll((key, text) -> text.strip());
        return new RuleEntry(id, bounds, texts, e.list("limits"), e.list("waits-for"), e.list("shown-by"));
    }

    /** Its rules, in the order of the file. */
    public List<RuleEntry> all() {
        return List.copyOf(entries.values());
    }

    /**
     * The entry of a rule.
     *
     * @throws IllegalStateException if there is none
     */
    public RuleEntry get(String id) {
        RuleEntry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalStateException("no entry for the rule '" + id + "'");
        }
        return entry;
    }
}
