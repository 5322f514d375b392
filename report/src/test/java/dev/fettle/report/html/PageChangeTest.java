package dev.fettle.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes one state another. */
class PageChangeTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'a':1}              | {'a':1}                  | {}",
                "{'a':1}              | {'a':2}                  | {'o':{'a':{'v':2}}}",
                "{'a':1}              | {'a':1,'b':[]}           | {'o':{'b':{'v':[]}}}",
                "{'a':1,'b':2}        | {'b':2}                  | {'o':{},'d':['a']}",
                "{'a':[1,2,3,4]}      | {'a':[1,2,3,4,5]}        | {'o':{'a':{'n':4,'t':[5]}}}",
                "{'a':[1,2,3,4]}      | {'a':[1,2,3,9,5]}        | {'o':{'a':{'n':4,'a':{'3':{'v':9}},'t':[5]}}}",
                "{'a':[1,2,3,4]}      | {'a':[1,2]}              | {'o':{'a':{'n':2}}}",
                "{'a':[1,2,3]}        | {'a':[7,8,9]}            | {'o':{'a':{'v':[7,8,9]}}}",
                "{'a':[{'b':[1]}]}    | {'a':[{'b':[1,2]}]}      | {'o':{'a':{'n':1,'a':{'0':{'o':{'b':{'n':1,'t':[2]}}}}}}}",
                "{'a':[null,1]}       | {'a':[null,1,null]}      | {'o':{'a':{'n':2,'t':[null]}}}",
                "{'a':{}}             | {'a':[]}                 | {'o':{'a':{'v':[]}}}",
            })
    void isNoMoreThanWhatChanged(String before, String after, String change) throws Exception {
        assertThat(PageChange.between(read(before), read(after))).isEqualTo(read(change));
    }

    private static JsonNode read(String json) throws Exception {
        return JSON.readTree(json.replace('\'', '"'));
    }

    /** As the page's script applies it: whatever the two are, one becomes the other. */
    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    void makesOneStateTheOther(int seed) throws Exception {
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            JsonNode before = made(random, 3);
            JsonNode after = made(random, 3);
            String was = before.toString();
            JsonNode change = JSON.readTree(PageChange.between(before, after).toString());
            assertThat(applied(JSON.readTree(was), change))
                    .as("%s to %s by %s", was, after, change)
                    .isEqualTo(after);
        }
    }

    private static JsonNode made(Random random, int deep) {
        ObjectNode o = NODES.objectNode();
        for (String field : new String[] {"a", "b", "c"}) {
            switch (random.nextInt(deep > 0 ? 6 : 3)) {
                case 0 -> {}
                case 1 -> o.put(field, random.nextInt(3));
                case 2 -> o.putNull(field);
                case 3 -> o.set(field, made(random, deep - 1));
                case 4 -> {
                    ArrayNode all = o.putArray(field);
                    for (int i = random.nextInt(4); i > 0; i--) {
                        all.add(random.nextInt(2));
                    }
                }
                default -> {
                    ArrayNode all = o.putArray(field);
                    for (int i = random.nextInt(3); i > 0; i--) {
                        all.add(made(random, deep - 1));
                    }
                }
            }
        }
        return o;
    }

    private static JsonNode applied(JsonNode old, JsonNode c) {
        if (c.has("v")) {
            return c.get("v");
        }
        if (c.has("n")) {
            var all = (ArrayNode) old;
            while (all.size() > c.get("n").asInt()) {
                all.remove(all.size() - 1);
            }
            c.path("a").properties().forEach(e -> {
                int i = Integer.parseInt(e.getKey());
                all.set(i, applied(all.get(i), e.getValue()));
            });
            c.path("t").forEach(all::add);
            return all;
        }
        if (!c.isEmpty()) {
            var all = (ObjectNode) old;
            c.get("o").properties().forEach(e -> all.set(e.getKey(), applied(all.path(e.getKey()), e.getValue())));
            c.path("d").forEach(d -> all.remove(d.asText()));
        }
        return old;
    }
}
