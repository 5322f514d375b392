package dev.fettle.config.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class PropertiesTextTest {
    /** Java's own reader, which tells no places, has the last word. */
    @Property(tries = 3000)
    void readsWhatJavaReads(
            @ForAll
                    @StringLength(max = 40)
                    @Chars({'a', 'u', '0', '=', ':', ' ', '\t', '\f', '\n', '\r', '\\', '#', '!', 'n'})
                    @CharRange(from = 'b', to = 'd')
                    String text)
            throws IOException {
        var java = new Properties();
        Optional<Map<Object, Object>> expected;
        try {
            java.load(new StringReader(text));
            java.remove(""); // which it also makes of a joined line at the very end
            expected = Optional.of(new HashMap<>(java));
        } catch (IllegalArgumentException e) {
            expected = Optional.empty();
        }
        Optional<Map<Object, Object>> ours;
        try {
            var all = new HashMap<>();
            PropertiesText.read(text).forEach(p -> all.put(p.name(), p.value()));
            all.remove("");
            ours = Optional.of(all);
        } catch (IllegalArgumentException e) {
            ours = Optional.empty();
        }
        assertThat(ours).isEqualTo(expected);
    }

    @Test
    void tellsWhereTheyStand() {
        String text = "# a\n server.port = 80\\\n   81 \r\nb:2";
        assertThat(PropertiesText.read(text))
                .extracting(p -> p.name() + "=" + p.value() + " in '" + text.substring(p.start(), p.end()) + "'")
                .containsExactly("server.port=8081  in 'server.port = 80\\\n   81 '", "b=2 in 'b:2'");
    }
}
