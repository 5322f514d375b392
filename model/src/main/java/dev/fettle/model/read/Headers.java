package dev.fettle.model.read;

import dev.fettle.model.load.Load.Request;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.yaml.snakeyaml.nodes.Node;

/** Reads request headers. */
final class Headers {
    private static final Map<String, String> OURS = Map.of(
            "connection", "use load.keep-alive",
            "content-length", "it follows from the body",
            "transfer-encoding", "it follows from the body",
            "upgrade", "nothing but requests is sent");

    private final Problems problems;
    private final Scalars scalars;

    Headers(Problems problems) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
    }

    /** @param each receives every value */
    Map<String, String> read(Node node, BiConsumer<Node, String> each) {
        var out = new LinkedHashMap<String, String>();
        for (YamlFields.Entry e : YamlFields.open(node, "headers", problems).all()) {
            Optional<String> value = scalars.text(e.value(), e.key());
            String instead = OURS.get(e.key().toLowerCase(Locale.ROOT));
            if (!name(e.keyNode(), e.key())) {
                continue;
            }
            if (instead != null) {
                problems.add(e.keyNode(), "header %s is set by Fettle: %s".formatted(e.key(), instead));
            } else if (value.isPresent() && value.get().chars().anyMatch(c -> c < ' ' || c == 127)) {
                problems.add(e.value(), "header %s: no line breaks or control characters".formatted(e.key()));
            } else {
                value.ifPresent(v -> {
                    each.accept(e.value(), v);
                    out.put(e.key(), v);
                });
            }
        }
        return out;
    }

    /** Whether it is a valid header name; if not, reports a problem. */
    boolean name(Node at, String name) {
        boolean right = Request.isHeaderName(name);
        if (!right) {
            problems.add(at, "'%s' is not a header name".formatted(name));
        }
        return right;
    }
}
