package dev.fettle.model.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlaceholdersTest {

    @Test
    void onlyNamesInBracesArePlaceholders() {
        assertThat(Placeholders.in("--p={port} {artifact:a-b} {threads.max} {\"a\": 1} {} {1} ${X}"))
                .containsExactly("port", "artifact:a-b", "threads.max", "X");
    }

    @Test
    void expandsAllOrNothing() {
        Map<String, String> values = Map.of("port", "80", "odd", "$1\\{port}");

        assertThat(Placeholders.expand("p={port}{odd}", n -> Optional.ofNullable(values.get(n))))
                .contains("p=80$1\\{port}");
        assertThat(Placeholders.expand("p={port}{none}", n -> Optional.ofNullable(values.get(n))))
                .isEmpty();
        assertThat(Placeholders.expand("{\"a\": 1}", n -> Optional.empty())).contains("{\"a\": 1}");
    }

    @Test
    void oneMorePairOfBracesMakesItAText() {
        String text = "%d{{HH:mm:ss}} {{{x}}} {\"n\":{port}} {{port} {{}}";

        assertThat(Placeholders.in(text)).containsExactly("port", "port");
        assertThat(Placeholders.expand(text, n -> Optional.of("80")))
                .contains("%d{HH:mm:ss} {{x}} {\"n\":80} {80 {{}}");
    }

    @Test
    void aLineWithoutAValueIsLeftOut() {
        Map<String, String> values = Map.of("threads.max", "50", "port", "80");
        String template = "port={port}\r\n# {{port}}\nmax={threads.max} min={threads.min}\n\nmax={threads.max}";

        assertThat(Placeholders.expandLines(template, n -> Optional.ofNullable(values.get(n))))
                .isEqualTo("port=80\r\n# {port}\n\nmax=50");
        assertThat(Placeholders.expandLines("", n -> Optional.empty())).isEmpty();
    }
}
