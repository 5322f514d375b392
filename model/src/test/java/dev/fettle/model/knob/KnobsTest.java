package dev.fettle.model.knob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnobsTest {

    @Test
    void namesAreUniqueAndFound() {
        assertThat(Knobs.names()).doesNotHaveDuplicates().hasSizeGreaterThan(120);
        assertThat(Knobs.names()).allSatisfy(n -> assertThat(Knobs.find(n)).isPresent());
        assertThat(Knobs.find("threads.maximum")).isEmpty();
    }

    @Test
    void everyKnobIsDescribedForEveryServer() {
        assertThat(Knobs.all()).allSatisfy(k -> {
            assertThat(k.about()).isNotBlank().doesNotContain("\n");
            assertThat(k.natives()).containsOnlyKeys(ServerKind.values());
            if (k.hasInterval()) {
                assertThat(k.min()).isLessThan(k.max());
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "thread.max,threads.max",
        "threads-max,threads.max",
        "Threads.Max,threads.max",
        "backlogs,backlog",
        "maxThreads,threads.max",
        "acceptCount,backlog",
        "keepAliveTimeout,keepalive.timeout",
        "maxKeepAliveRequests,keepalive.requests",
        "workerThreads,threads.max",
        "jvm.hepa,jvm.heap"
    })
    void findsWhatWasMeant(String written, String meant) {
        assertThat(Knobs.nearest(written)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"banana", "x", "''"})
    void doesNotGuessWildly(String written) {
        assertThat(Knobs.nearest(written)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "threads.max,50,50",
        "threads.max,007,7",
        "keepalive.timeout,60s,60000",
        "keepalive.timeout,60000,60000",
        "keepalive.timeout,-1,-1",
        "jvm.heap,1024M,1g",
        "jvm.heap,512m,512m",
        "tcp.nodelay,true,true",
        "jvm.gc,z,z",
        "jvm.flags,'  -Xint   -Da=b ',-Xint -Da=b",
        "jvm.flags,'',''",
        "connections.max,-1,-1"
    })
    void canonicalValuesStay(String knob, String value, String canonical) {
        Knob k = Knobs.find(knob).orElseThrow();

        assertThat(k.canonical(value)).isEqualTo(canonical);
        assertThat(k.canonical(canonical)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "threads.max,0", "threads.max,1.5", "threads.max,20001", "keepalive.timeout,2d", "keepalive.timeout,25h",
        "jvm.heap,8m", "tcp.nodelay,yes", "jvm.gc,G1", "jvm.flags,-Xint Xcomp", "threads.max,99999999999999999999"
    })
    void refusesWhatDoesNotFit(String knob, String value) {
        assertThatThrownBy(() -> Knobs.find(knob).orElseThrow().canonical(value))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isNotBlank();
    }

    @Test
    void numbersAndTextsAgree() {
        Knob heap = Knobs.find("jvm.heap").orElseThrow();

        assertThat(heap.text(heap.number("512m"))).isEqualTo("512m");
        assertThat(List.of(heap.text(heap.min()), heap.text(heap.max()))).containsExactly("16m", "512g");
    }
}
