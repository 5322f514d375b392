package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import dev.fettle.insight.waits.Dumps;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the CPU time goes of a process that Fettle did not start, on CPUs that it shares, and whose server has no workers that are known. */
class WhatRunsTest {
    private static final Target GUEST = new Target.Running(17, Optional.empty(), false, false, Optional.empty());

    /** It uses so much of two CPUs, of which others have the rest. */
    private static Seen shared(double cpus) {
        return new Seen()
                .of(GUEST)
                .poolUnread(0)
                .workers(0, 0)
                .cpus(2)
                .cpu(cpus)
                .always("host.busy", 0.99)
                .always("runqueue.wait", 3);
    }

    private static Seen all(Seen s, String kind, String what, double count, String detail) {
        return s.sighted(Sighting.ofAll(kind), what, count, detail);
    }

    private static Seen stacks(Seen s, double running, double throwing) {
        all(s, Sighting.STACKS, Sighting.RUNS, running, "in 20 samples");
        all(s, Sighting.STACKS, Sighting.RUNS_THROWING, throwing, "in 20 samples");
        return all(s, Sighting.STACKS, Sighting.LOOKS, 20, "in 20 samples");
    }

    private static Seen throwing(Seen s) {
        return all(stacks(s, 20, 14), Sighting.THROWS, "shop.Rules.field", 14, "runs");
    }

    private static Seen knows(Seen s) {
        return all(stacks(s, 40, 0), Sighting.METHOD_RUNS, "jaxb-context", 30, "shop.Invoices.write; seen often");
    }

    /** None of its packages has much, but one method calls them all. */
    private static Seen scattered(Seen s) {
        stacks(s, 40, 0);
        for (int i = 0; i < 10; i++) {
            all(s, Sighting.RUN_FRAME, "org.lib.p" + i + ".T.run", 4, "called from shop.Maps.draw; seen often");
        }
        return all(s, Sighting.RUN_OWN, "shop.Maps.draw", 36, "seen often");
    }

    /** One of two CPUs, all of it by one thread. */
    private static Seen loop(Seen s) {
        return s.always("cpu.total", 0.8)
                .always("cpu.app", 0.8)
                .always("busiest.cpu", 0.8)
                .always("busiest.ready", 0.97)
                .always("host.busy", 0.8);
    }

    static Stream<Arguments> found() {
        return Stream.of(
                Arguments.of("exceptions", throwing(shared(1.2)), "shop.Rules.field"),
                Arguments.of("known-method", knows(shared(1.2)), "shop.Invoices.write"),
                Arguments.of("expensive-method", scattered(shared(1.2)), "shop.Maps.draw and what it calls"),
                Arguments.of("exceptions", throwing(loop(shared(0.8))), "shop.Rules.field"),
                Arguments.of("known-method", knows(loop(shared(0.8))), "shop.Invoices.write"),
                Arguments.of("one-thread", scattered(loop(shared(0.8))), "shop.Maps.draw"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("found")
    void whatItRunsIsNamed(String rule, Seen seen, String word) {
        Finding first = Diagnosis.of(seen.trial()).findings().stream()
                .filter(f -> !f.rule().equals("cpu-full"))
                .findFirst()
                .orElseThrow();
        assertThat(first.rule()).isEqualTo(rule);
        assertThat(first.title() + " " + first.sentence()).contains(word);
    }

    static Stream<Arguments> notFound() {
        return Stream.of(
                Arguments.of("others fill the CPUs", throwing(knows(shared(0.2)))),
                Arguments.of("CPUs with room", scattered(knows(shared(1.2))).always("host.busy", 0.7)),
                Arguments.of("two stacks", all(stacks(shared(1.2), 2, 2), Sighting.THROWS, "shop.Rules.field", 2, "")),
                Arguments.of(
                        "a thread that rests",
                        throwing(loop(shared(0.8))).always("busiest.ready", 0.5).always("busiest.cpu", 0.5)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("notFound")
    void whatIsNotShortOfCpuIsNot(String what, Seen seen) {
        assertThat(Diagnosis.of(seen.trial()).findings())
                .extracting(Finding::rule)
                .doesNotContain("exceptions", "known-method", "expensive-method", "one-thread");
    }

    /** What the kernel does shows in no stack: of much CPU time a few stacks say nothing. */
    @Test
    void fewStacksOfMuchCpuTimeSayNothing() {
        Seen s = throwing(shared(1.9)).always("cpu.total", 1.9).always("cpu.app", 1.9);
        assertThat(Diagnosis.of(s.trial()).notObserved())
                .filteredOn(l -> l.rule().equals("exceptions"))
                .as("20 stacks in 20 looks at 1.9 CPUs are just enough")
                .isEmpty();
        assertThat(Diagnosis.of(stacks(shared(1.9), 9, 9)
                                .always("cpu.total", 1.9)
                                .always("cpu.app", 1.9)
                                .trial())
                        .notObserved())
                .extracting(l -> l.rule())
                .contains("exceptions", "known-method", "expensive-method");
    }

    /** A caller deep below the leaf is seen in whole stacks only: those of the workers are cut off. */
    @Test
    void wholeStacksGoBeforeThoseOfWorkersForKnownMethods() {
        Seen s = new Seen()
                .cpu(0.97)
                .stacks(100, 0, 0)
                .sighted(Sighting.METHOD_RUNS, "class-for-name", 60, "org.lib.Parser.parse; seen often");
        Finding f = Diagnosis.of(knows(s).trial()).findings().getFirst();
        assertThat(f.title()).startsWith("shop.Invoices.write");
        assertThat(f.rule()).isEqualTo("known-method");
    }

    /** What held the memory has ended with its threads, and the heap is empty when it hangs. */
    private static Seen outOfMemory(double live, double collecting) {
        return new Seen()
                .of(GUEST)
                .failed(Kind.HUNG)
                .over("heap.live", 2e7, live * 1e8, 5e6)
                .over("heap.max", 1e8, 1e8, 1e8)
                .over("gc.share", 0.02, collecting, 0)
                .threads(Dumps.of().runs(8, "shop.Cache.find", "shop.Api.get").seen());
    }

    @Test
    void aHangAfterTheHeapRanFullIsThat() {
        Finding first = Diagnosis.of(outOfMemory(0.95, 0.3).trial()).findings().getFirst();
        assertThat(first.rule()).isEqualTo("heap-exhausted");
        assertThat(first.title()).contains("shop.Cache.find");
        assertThat(first.symptoms()).as("the hang").isNotEmpty();
        assertThat(Diagnosis.of(outOfMemory(0.6, 0.3).trial()).findings())
                .as("a heap with room")
                .noneMatch(f -> f.rule().equals("heap-exhausted"));
        assertThat(Diagnosis.of(outOfMemory(0.95, 0.01).trial()).findings())
                .as("a heap that is collected easily")
                .noneMatch(f -> f.rule().equals("heap-exhausted"));
    }

    private static Seen held(Seen s, String way) {
        return s.sighted(Sighting.HOLDER, "shop.Texts.own", 0.9, way)
                .sighted(Sighting.HOLDER_OBJECTS, "shop.Texts.own", 1, "")
                .sighted(Sighting.HOLDER_HEAP, Sighting.HISTOGRAM_ALL, 9e7, "");
    }

    /** Who holds a heap that is full comes before that it is full; of one with room it is worth a line. */
    @Test
    void whoHoldsAFullHeapComesFirst() {
        String local = "byte[] < " + Sighting.OF_THREAD_LOCAL;
        Finding first = Diagnosis.of(held(outOfMemory(0.95, 0.3), local).trial())
                .findings()
                .getFirst();
        assertThat(first.rule()).isEqualTo("heap-holder");
        assertThat(first.severity()).isEqualTo(Finding.Severity.FAULT);
        assertThat(first.title()).contains("shop.Texts.own", "ThreadLocal");
        assertThat(first.symptoms()).as("the full heap, and the hang").hasSizeGreaterThanOrEqualTo(2);
        assertThat(Diagnosis.of(held(outOfMemory(0.6, 0.3), "byte[]").trial()).findings())
                .filteredOn(f -> f.rule().equals("heap-holder"))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.severity()).isEqualTo(Finding.Severity.LIMIT);
                    assertThat(f.title()).doesNotContain("ThreadLocal");
                });
        assertThat(Diagnosis.of(outOfMemory(0.95, 0.3).trial()).findings())
                .noneMatch(f -> f.rule().equals("heap-holder"));
    }

    /** A heap that was full while requests were still answered. */
    @Test
    void whoHoldsAHeapThatWasFullIsAWarning() {
        Seen s = held(new Seen(), "byte[]")
                .over("heap.afterGc", 9e7, 9.5e7, 9.5e7)
                .over("heap.max", 1e8, 1e8, 1e8)
                .over("gc.share", 0.5, 0.9, 0.9);
        assertThat(Diagnosis.of(s.trial()).findings().getFirst()).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("heap-holder");
            assertThat(f.severity()).isEqualTo(Finding.Severity.WARNING);
        });
    }

    private static Seen collections(Dumps at) {
        return new Seen().gc(0.3).always("gc.explicit", 3).threads(at.seen());
    }

    @Test
    void whoHasTheJvmCollectIsNamed() {
        Finding direct = Diagnosis.of(collections(Dumps.of()
                                .sleeps(
                                        4,
                                        "java.nio.Bits.reserveMemory",
                                        "java.nio.ByteBuffer.allocateDirect",
                                        "shop.Files.buffer"))
                        .trial())
                .findings()
                .getFirst();
        assertThat(direct.rule()).isEqualTo("explicit-gc");
        assertThat(direct.sentence()).contains("shop.Files.buffer", "direct memory");
        assertThat(direct.knob()).contains("jvm.direct.max");
        Finding called = Diagnosis.of(collections(Dumps.of().runs(1, "java.lang.System.gc", "shop.Report.end"))
                        .trial())
                .findings()
                .getFirst();
        assertThat(called.sentence()).contains("shop.Report.end").doesNotContain("direct");
        assertThat(called.knob()).contains("jvm.gc.explicit");
    }

    @Test
    void largeObjectsAreNamedWithWhatRuns() {
        Seen s = new Seen().gc(0.3).always("gc.humongous", 20).always("gc.count", 25);
        Finding first = Diagnosis.of(all(stacks(s, 20, 0), Sighting.RUN_OWN, "shop.Export.write", 15, "")
                        .trial())
                .findings()
                .getFirst();
        assertThat(first.rule()).isEqualTo("humongous-allocation");
        assertThat(first.title()).contains("shop.Export.write");
    }
}
