package dev.fettle.model.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Knobs;
import dev.fettle.model.trial.KnownMethod.Cost;
import dev.fettle.model.trial.KnownMethods.Found;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KnownMethodsTest {
    private static final List<String> REQUEST = List.of(
            "java.lang.Thread.run",
            "org.apache.catalina.core.StandardWrapperValve.invoke",
            "jakarta.servlet.http.HttpServlet.service",
            "com.acme.Page.get");

    private record Row(boolean finds, String id, Cost cost, List<String> stack) {
        static Row of(String line) {
            String[] parts = line.substring(2).split(": ", 2);
            String[] name = parts[0].split("@", 2);
            var stack = new ArrayList<>(REQUEST);
            stack.addAll(List.of(parts[1].split(" ")));
            Cost cost = name.length == 1 ? Cost.CPU : Cost.valueOf(name[1].toUpperCase(Locale.ROOT));
            return new Row(line.startsWith("+"), name[0], cost, stack);
        }
    }

    static Stream<Row> rows() throws IOException {
        try (InputStream in = KnownMethodsTest.class.getResourceAsStream("known-methods.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> !l.startsWith("#"))
                    .map(Row::of);
        }
    }

    private static Optional<String> id(List<String> stack, Cost cost) {
        return KnownMethods.in(stack, cost).map(f -> f.method().id());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void anEntryIsFoundInItsStacksAndNotInSimilarOnes(Row row) {
        Optional<Found> found = KnownMethods.in(row.stack, row.cost);
        if (row.finds) {
            assertThat(found.map(f -> f.method().id())).hasValue(row.id);
            assertThat(found.orElseThrow().caller()).isEqualTo("com.acme.Page.get");
        } else {
            assertThat(found.map(f -> f.method().id())).isNotEqualTo(Optional.of(row.id));
        }
    }

    @Test
    void everyEntryHasAStackThatItFindsAndOneThatItDoesNot() throws IOException {
        List<Row> rows = rows().toList();
        assertThat(KnownMethods.all()).hasSizeGreaterThan(60);
        for (boolean finds : new boolean[] {true, false}) {
            assertThat(rows.stream().filter(r -> r.finds == finds).map(Row::id))
                    .containsAll(
                            KnownMethods.all().stream().map(KnownMethod::id).toList());
        }
        assertThat(rows.stream().map(Row::id))
                .allMatch(id -> KnownMethods.find(id).isPresent());
    }

    @Test
    void whatAnEntryTriesIsAKnobAndAValueOfIt() {
        assertThat(KnownMethods.all().stream().flatMap(m -> m.tried().stream()))
                .isNotEmpty()
                .allSatisfy(t -> assertThat(Knobs.find(t.knob()).orElseThrow().canonical(t.value()))
                        .isEqualTo(t.value()));
    }

    @Test
    void theEntryNearestToTheProgramCounts() {
        var stack = new ArrayList<>(REQUEST);
        stack.addAll(List.of(
                "javax.xml.parsers.DocumentBuilderFactory.newInstance",
                "java.util.ServiceLoader.load",
                "java.lang.ClassLoader.getResources",
                "org.springframework.boot.loader.net.protocol.jar.JarUrlConnection.open",
                "java.lang.Throwable.fillInStackTrace"));
        assertThat(id(stack, Cost.CPU)).hasValue("document-builder-factory");
    }

    /** The program can't change the library, but it can start the jar in another form. */
    @Test
    void whereALibraryCallsItOneThatASettingCuresGoesBefore() {
        List<String> byLibrary = List.of(
                "java.lang.Thread.run",
                "org.springframework.web.servlet.DispatcherServlet.render",
                "org.thymeleaf.templateresource.ClassLoaderTemplateResource.reader",
                "java.lang.ClassLoader.getResourceAsStream",
                "org.springframework.boot.loader.net.protocol.jar.JarUrlConnection.open");
        Found found = KnownMethods.in(byLibrary, Cost.CPU).orElseThrow();
        assertThat(found.method().id()).isEqualTo("nested-jar");
        assertThat(found.caller()).isEqualTo("org.thymeleaf.templateresource.ClassLoaderTemplateResource.reader");
        assertThat(id(byLibrary.subList(0, 4), Cost.CPU)).hasValue("class-loader-resource");
        var behindAProgram = new ArrayList<>(REQUEST);
        behindAProgram.addAll(byLibrary.subList(1, 5));
        assertThat(id(behindAProgram, Cost.CPU)).hasValue("nested-jar");
    }

    /** What the program's own code does further in is not the cost of what called it. */
    @Test
    void aMethodAboveTheProgramsOwnIsNone() {
        assertThat(id(
                        List.of("java.lang.reflect.Method.invoke", "com.acme.Page.get", "java.util.HashMap.get"),
                        Cost.CPU))
                .isEmpty();
        assertThat(id(
                        List.of("java.util.ServiceLoader.load", "com.acme.Page.get", "java.util.regex.Pattern.compile"),
                        Cost.CPU))
                .hasValue("pattern-compile");
    }

    @Test
    void aStartIsNone() {
        for (String start : List.of(
                "com.acme.Page.<clinit>",
                "org.springframework.boot.SpringApplication.run",
                "jakarta.servlet.GenericServlet.init")) {
            assertThat(id(List.of(start, "com.acme.Page.get", "java.util.regex.Pattern.compile"), Cost.CPU))
                    .as(start)
                    .isEmpty();
        }
        assertThat(id(List.of("com.acme.Page.init", "java.util.regex.Pattern.compile"), Cost.CPU))
                .hasValue("pattern-compile");
    }

    @Test
    void framesOfOtherCodeAreNone() {
        assertThat(id(List.of("do_futex [kernel]", "GCTaskThread::run() [libjvm]"), Cost.CPU))
                .isEmpty();
        assertThat(id(List.of(), Cost.CPU)).isEmpty();
        assertThat(id(List.of("[stacks of little weight]", "com.acme.Page.get"), Cost.CPU))
                .isEmpty();
    }
}
