package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.load.bytes.ByteText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "$! 5! 5",
                "$! \"\"! ''",
                "$.a! { \"a\" : true }! true",
                "$.a! {\"b\": {\"a\": 1}, \"a\": -2.5e3}! -2.5e3",
                "$.a.b! {\"a\": {\"b\": \"x\"}}! x",
                "$['a b']! {\"a b\": \"x\"}! x",
                "$[\"a'b\"]! {\"a'b\": \"x\"}! x",
                "$[2]! [[1, 2], {\"a\": \"],\"}, 3]! 3",
                "$[0][1]! [[1, 2]]! 2",
                "$.a! {\"a\": {\"b\": [1, \"}\"]}}! {\"b\": [1, \"}\"]}",
                "$.é! {\"\\u00e9\": \"\\ud83d\\ude00\\n\\/\"}! <absent>",
                "$['é']! {\"\\u00e9\": \"\\ud83d\\ude00\\/\"}! \uD83D\uDE00/",
                "$.a! {\"a\": null}! <absent>",
                "$.a! {\"b\": 1}! <absent>",
                "$.a! {}! <absent>",
                "$.a! [1]! <absent>",
                "$[0]! []! <absent>",
                "$[3]! [1, 2, 3]! <absent>",
                "$.a! 5! <absent>",
                "$! ''! <broken>",
                "$.a! {\"a\": }! <broken>",
                "$.a! {\"a\" 1}! <broken>",
                "$.a! {\"b\": \"x! <broken>",
                "$.a! {\"a\": \"\\x\"}! <broken>",
                "$.a! {\"a\": \"\\u12\"}! <broken>",
                "$.a! {\"a\": [1, 2! <broken>",
                "$.a! {a: 1}! <broken>",
                "$.a! <html></html>! <broken>",
                "$.a! {\"a\": tru}! <broken>",
            })
    void finds(String path, String json, String expected) {
        if (path.equals("$.é")) {
            assertThatThrownBy(() -> new JsonPath(path)).hasMessageContaining("is no JSON path");
            return;
        }
        assertThat(find(path, json)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "$a", "$.", "$..a", "$.*", "$[*]", "$[-1]", "$[a]", "$[?(@.a)]", "$.a[", "$ .a"})
    void refusesWhatIsNoPathOfMembersAndIndexes(String path) {
        assertThatThrownBy(() -> new JsonPath(path))
                .hasMessage("'" + path + "' is no JSON path of members and indexes, such as $.items[0].id");
    }

    private static String find(String path, String json) {
        byte[] bytes = json.getBytes(UTF_8);
        var out = new ByteText();
        return switch (new JsonText().find(new JsonPath(path), bytes, bytes.length, out)) {
            case JsonText.FOUND -> out.text();
            case JsonText.ABSENT -> "<absent>";
            default -> "<broken>";
        };
    }

    /** A tree, its JSON text, and each leaf's path. */
    @Property(tries = 300)
    void everyLeafOfATreeIsFound(@ForAll("trees") Object tree) {
        Map<String, String> leaves = new LinkedHashMap<>();
        String json = write(tree, "$", leaves);
        leaves.forEach((path, value) ->
                assertThat(find(path, json)).as(path + " in " + json).isEqualTo(value));
    }

    /** Whatever the bytes: an answer, and no more than that. */
    @Property(tries = 1000)
    void anyTextIsLookedThrough(@ForAll("noise") String text) {
        find("$.a[1].b", text);
        find("$", text);
    }

    @Provide
    Arbitrary<Object> trees() {
        Arbitrary<String> text =
                Arbitraries.strings().withChars("ab \"\\{}[],:\n\té€\uD83D").ofMaxLength(6);
        Arbitrary<Object> leaf = Arbitraries.oneOf(
                text.map(t -> (Object) t), Arbitraries.integers().map(i -> (Object) i));
        return Arbitraries.recursive(
                () -> leaf,
                inner -> Arbitraries.oneOf(
                        inner.list().ofMaxSize(4).map(l -> (Object) l),
                        Arbitraries.maps(
                                        Arbitraries.strings()
                                                .withChars("kx \\\"é")
                                                .ofMinLength(1)
                                                .ofMaxLength(3),
                                        inner)
                                .ofMaxSize(4)
                                .map(m -> (Object) m)),
                0,
                4);
    }

    @Provide
    Arbitrary<String> noise() {
        return Combinators.combine(
                        Arbitraries.of("", "{\"a\":[0,{\"b\":", "[", "{\"a\":"),
                        Arbitraries.strings().withChars("{}[]:,\"\\u0a1.-tn ").ofMaxLength(30))
                .as((a, b) -> a + b);
    }

    private static String write(Object tree, String path, Map<String, String> leaves) {
        var out = new StringBuilder();
        switch (tree) {
            case String s -> {
                String whole = s.replaceAll("[\uD800-\uDFFF]", "\uFFFD");
                leaves.put(path, whole);
                out.append(quoted(whole));
            }
            case List<?> list -> {
                out.append("[ ");
                for (int i = 0; i < list.size(); i++) {
                    out.append(i == 0 ? "" : " ,").append(write(list.get(i), path + "[" + i + "]", leaves));
                }
                out.append("]");
            }
            case Map<?, ?> map -> {
                out.append("{");
                map.forEach((k, v) -> {
                    String at = path + "['" + k + "']";
                    out.append(out.length() == 1 ? "" : ",")
                            .append(quoted((String) k))
                            .append(" :\n");
                    out.append(write(v, at, leaves));
                });
                out.append(" }");
            }
            default -> {
                leaves.put(path, tree.toString());
                out.append(tree);
            }
        }
        return out.toString();
    }

    private static String quoted(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\t", "\\u0009")
                        .replace("é", "\\u00E9")
                + '"';
    }
}
