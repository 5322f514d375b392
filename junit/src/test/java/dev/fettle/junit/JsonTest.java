package dev.fettle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void readsEveryKindOfValue() {
        Map<String, ?> json = Json.object(
                " {\"a\": [1, -2.5e3, true, false, null, \"x\", {}], \"b\":{\"c\":[]}, \"d\" : \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00é\" } \n");
        assertThat(json.get("a")).isEqualTo(Arrays.asList(1.0, -2500.0, true, false, null, "x", Map.of()));
        assertThat(json.get("b")).isEqualTo(Map.of("c", List.of()));
        assertThat(json.get("d")).isEqualTo("\"\\/\b\f\n\r\té😀é");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "1",
                "nothing",
                "{",
                "{}x",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{\"a\":[1,]}",
                "{\"a\":[1}",
                "{\"a\":\"x}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\\u12",
                "{\"a\":1-2}",
                "{\"a\":tru}"
            })
    void whatIsNoObjectIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.object(text));
    }

    @Test
    void isNestedOnlySoDeep() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.object("{\"a\":" + "[".repeat(1_000_000)))
                .withMessageContaining("200");
        assertThat(Json.object("{\"a\":" + "[".repeat(150) + "]".repeat(150) + "}"))
                .hasSize(1);
    }
}
