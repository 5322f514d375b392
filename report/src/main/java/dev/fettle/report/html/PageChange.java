package dev.fettle.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;

/**
 * What makes one state of a page another, for its script: {@code {v: value}} in place of what was there, or of an object
 * {@code {o: {field: change}, d: [field that is gone]}}, or of an array {@code {n: length that stays, a: {index: change}, t: [added]}}. Of a
 * series that has grown it is the new points.
 */
public final class PageChange {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private PageChange() {}

    /** The whole of it. */
    public static JsonNode all(JsonNode state) {
        return value(state);
    }

    /** What has changed; an empty object if nothing has. */
    public static JsonNode between(JsonNode before, JsonNode after) {
        return change(before, after).orElseGet(NODES::objectNode);
    }

    private static Optional<JsonNode> change(JsonNode before, JsonNode after) {
        if (before == after) { // a part that was not made anew
            return Optional.empty();
        }
        if (before.isObject() && after.isObject()) {
            return object(before, after);
        }
        if (before.isArray() && after.isArray()) {
            return array(before, after);
        }
        return before.equals(after) ? Optional.empty() : Optional.of(value(after));
    }

    private static Optional<JsonNode> object(JsonNode before, JsonNode after) {
        ObjectNode fields = NODES.objectNode();
        ArrayNode gone = NODES.arrayNode();
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode old = before.get(field.getKey());
            Optional<JsonNode> change =
                    old == null ? Optional.of(value(field.getValue())) : change(old, field.getValue());
            change.ifPresent(c -> fields.set(field.getKey(), c));
        }
        before.properties().stream().filter(f -> !after.has(f.getKey())).forEach(f -> gone.add(f.getKey()));
        if (fields.isEmpty() && gone.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode all = NODES.objectNode();
        all.set("o", fields);
        if (!gone.isEmpty()) {
            all.set("d", gone);
        }
        return Optional.of(all);
    }

    private static Optional<JsonNode> array(JsonNode before, JsonNode after) {
        int common = Math.min(before.size(), after.size());
        ObjectNode changed = NODES.objectNode();
        for (int i = 0; i < common; i++) {
            int at = i;
            change(before.get(i), after.get(i)).ifPresent(c -> changed.set(Integer.toString(at), c));
        }
        if (changed.isEmpty() && before.size() == after.size()) {
            return Optional.empty();
        }
        boolean scalars = after.size() > 0 && after.get(0).isValueNode();
        if (scalars && changed.size() > common / 3) {
            return Optional.of(value(after));
        }
        ObjectNode all = NODES.objectNode();
        all.put("n", common);
        if (!changed.isEmpty()) {
            all.set("a", changed);
        }
        if (after.size() > common) {
            ArrayNode more = NODES.arrayNode();
            for (int i = common; i < after.size(); i++) {
                more.add(after.get(i));
            }
            all.set("t", more);
        }
        return Optional.of(all);
    }

    private static JsonNode value(JsonNode is) {
        return NODES.objectNode().set("v", is);
    }
}
