package dev.fettle.model.target;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The commands around a plan's target.
 *
 * @param before in this order, before the target is started
 * @param after in this order, after the target has ended for whatever reason
 */
public record Hooks(List<Hook> before, List<Hook> after) {
    public static final Hooks NONE = new Hooks(List.of(), List.of());

    private static final String PORT = "port:";

    public Hooks {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** The names in their {@code {port:NAME}}. */
    public Set<String> ports() {
        return ports(Stream.concat(before.stream(), after.stream()));
    }

    /** The names in the {@code {port:NAME}} of the hooks with a scope. */
    public Set<String> ports(Hook.Scope scope) {
        return ports(Stream.concat(before.stream(), after.stream()).filter(h -> h.scope() == scope));
    }

    private static Set<String> ports(Stream<Hook> hooks) {
        var names = new LinkedHashSet<String>();
        hooks.flatMap(Hook::texts).forEach(t -> names.addAll(ports(t)));
        return names;
    }

    /** The names in a text's {@code {port:NAME}}. */
    public static List<String> ports(String text) {
        return Placeholders.in(text).stream()
                .filter(n -> n.startsWith(PORT))
                .map(n -> n.substring(PORT.length()))
                .toList();
    }
}
