package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.bytes.ByteText;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Rendering a compiled template is what replacing each place in its text would be. */
class TemplateProperties {

    /** A piece of a template: text, or a place with its filter. */
    private record Piece(String text, String variable, String filter) {
        String written() {
            return variable.isEmpty() ? text.replace("${", "$${") : "${" + variable + filter + "}";
        }

        String rendered(Map<String, String> values) {
            String value = values.getOrDefault(variable, "");
            return variable.isEmpty()
                    ? text
                    : switch (filter) {
                        case "|url" ->
                            URLEncoder.encode(value, UTF_8)
                                    .replace("+", "%20")
                                    .replace("*", "%2A")
                                    .replace("%7E", "~");
                        case "|json" -> json(value);
                        default -> value;
                    };
        }

        private static String json(String value) {
            var out = new StringBuilder();
            for (char c : value.toCharArray()) {
                switch (c) {
                    case '"', '\\' -> out.append('\\').append(c);
                    case '\n' -> out.append("\\n");
                    case '\r' -> out.append("\\r");
                    case '\t' -> out.append("\\t");
                    default -> out.append(c < ' ' ? "\\u%04X".formatted((int) c) : String.valueOf(c));
                }
            }
            return out.toString();
        }
    }

    @Property(tries = 500)
    void rendersAsReplacingWould(
            @ForAll("pieces") List<Piece> pieces, @ForAll("values") String fixed, @ForAll("values") String given) {
        Map<String, String> values = Map.of("fixed", fixed, "given", given);
        Variables slots = new Variables();
        slots.fix("fixed", fixed);
        int slot = slots.define("given");
        ByteText[] user = new ByteText[slots.count()];
        user[slot] = new ByteText();
        user[slot].share(given.getBytes(UTF_8));
        var written = new StringBuilder();
        var naive = new StringBuilder();
        for (Piece piece : pieces) {
            written.append(piece.written());
            naive.append(piece.rendered(values));
        }

        var out = new ByteText();
        Template template = Template.of(written.toString(), Filter.RAW, 0, slots);
        template.write(user, out);

        assertThat(out.text()).as(written.toString()).isEqualTo(naive.toString());
        assertThat(template.isConstant()).isEqualTo(pieces.stream().noneMatch(p -> p.variable.equals("given")));
    }

    @Provide
    Arbitrary<List<Piece>> pieces() {
        Arbitrary<Piece> text =
                Arbitraries.strings().withChars("ab {}|é\"\n").ofMaxLength(5).map(t -> new Piece(t, "", ""));
        Arbitrary<Piece> place = Combinators.combine(
                        Arbitraries.of("fixed", "given"), Arbitraries.of("", "|raw", "|url", "|json"))
                .as((v, f) -> new Piece("", v, f));
        return Arbitraries.oneOf(text, place, Arbitraries.just(new Piece("${", "", "")))
                .list()
                .ofMaxSize(8);
    }

    @Provide
    Arbitrary<String> values() {
        return Arbitraries.strings()
                .withChars("az09-._~*+ %/&=?\"\\\n\r\t\u0001\u001Fé€")
                .ofMaxLength(12);
    }
}
