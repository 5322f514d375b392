package dev.fettle.config.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BootPropertiesTest {
    static Stream<Arguments> knobs() {
        return Knobs.all().stream()
                .flatMap(k -> Stream.of(ServerKind.values())
                        .filter(s -> BootProperties.name(s, k.name()).isPresent())
                        .map(s -> Arguments.of(k.name(), s)));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("knobs")
    void everyPropertyHasAGoodNameAndTakesItsKnobsValues(String name, ServerKind server) {
        Knob knob = Knobs.find(name).orElseThrow();
        String property = BootProperties.name(server, name).orElseThrow();
        assertThat(property)
                .matches("(server|spring)(\\.[a-z][a-z0-9]*(-[a-z0-9]+)*)+"
                        + "|server\\.undertow\\.options\\.(server|socket)\\.[A-Z][A-Z0-9_]*");

        for (String value : values(knob, server)) {
            String written = BootProperties.value(property, name, value);
            assertThat(BootProperties.knobValue(knob, written)).as(written).isEqualTo(value);
            assertThat(written).matches(form(knob, property));
        }
    }

    private static Stream<String> ends(Knob knob) {
        return knob.hasInterval() ? Stream.of(knob.text(knob.least()), knob.text(knob.max())) : Stream.empty();
    }

    private static Iterable<String> values(Knob knob, ServerKind server) {
        Stream<String> none = knob.hasNoLimit() ? Stream.of("-1") : Stream.empty();
        return Stream.of(Stream.of(knob.canonical(knob.on(server).trial())), ends(knob), none, knob.choices().stream())
                .flatMap(s -> s)
                .toList();
    }

    private static String form(Knob knob, String property) {
        return switch (knob.type()) {
            case INT, SIZE -> "-?[0-9]+";
            case BOOL -> "true|false";
            case DURATION -> property.contains(".options.") ? "-?[0-9]+" : "-?[0-9]+ms";
            default -> ".+";
        };
    }

    @ParameterizedTest
    @CsvSource({
        "keepalive.timeout, 60s, 60000",
        "keepalive.timeout, 60000, 60000",
        "keepalive.timeout, 60000ms, 60000",
        "keepalive.timeout, 2m, 120000",
        "keepalive.timeout, 1h, 3600000",
        "keepalive.timeout, 1d, 86400000",
        "keepalive.timeout, 5000us, 5",
        "keepalive.timeout, PT1M30S, 90000",
        "keepalive.timeout, -1, -1",
        "request.header.max, 12KB, 12k",
        "request.header.max, 1MB, 1m",
        "request.header.max, 9000, 9000",
        "request.header.max, 9000B, 9000",
        "threads.max, ' 50 ', 50",
        "threads.max, +50, 50",
        "compression, on, true",
        "compression, NO, false",
        "compression, 1, true",
        "compression.types, 'text/html,text/plain', 'text/html,text/plain'"
    })
    void readsWhatSpringBootReads(String knob, String text, String value) {
        assertThat(BootProperties.knobValue(Knobs.find(knob).orElseThrow(), text))
                .isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "keepalive.timeout, 5 s",
        "keepalive.timeout, 1y",
        "keepalive.timeout, 99999999999999d",
        "request.header.max, 8 KB",
        "request.header.max, 8kib",
        "request.header.max, -8KB",
        "request.header.max, 999999999999999TB",
        "threads.max, many",
        "threads.max, 0",
        "compression, maybe"
    })
    void refusesWhatSpringBootOrTheKnobRefuses(String knob, String text) {
        assertThatThrownBy(() -> BootProperties.knobValue(Knobs.find(knob).orElseThrow(), text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("null");
    }

    @Test
    void namesAreComparedAsSpringBootDoes() {
        String name = BootProperties.canonical("server.tomcat.max-keep-alive-requests");
        assertThat(BootProperties.canonical("server.tomcat.maxKeepAliveRequests"))
                .isEqualTo(name);
        assertThat(BootProperties.canonical("SERVER.TOMCAT.MAX_KEEP_ALIVE_REQUESTS"))
                .isEqualTo(name);
        assertThat(BootProperties.canonical("server.tomcat.max-keep-alive.requests"))
                .isNotEqualTo(name);
        assertThat(BootProperties.canonical("server.undertow.options.server[MAX_HEADERS]"))
                .isEqualTo(BootProperties.canonical("server.undertow.options.server.max-headers"));
        assertThat(BootProperties.canonical("a.types[0]")).isEqualTo("a.types[0]");
    }
}
