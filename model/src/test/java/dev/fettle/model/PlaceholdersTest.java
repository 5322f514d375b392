package dev.fettle.model;

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
}
