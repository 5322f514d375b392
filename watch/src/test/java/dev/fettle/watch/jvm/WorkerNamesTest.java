package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.ServerKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerNamesTest {
    @Test
    void aServerIsKnownByItsWorkersNames() {
        assertThat(WorkerNames.of(List.of("main", "http-nio-8080-Poller", "http-nio-8080-exec-12"), 8080))
                .hasValue(new WorkerNames(ServerKind.TOMCAT, "http-nio-8080-exec-"));
        assertThat(WorkerNames.of(List.of("http-nio-127.0.0.1-8080-exec-1", "https-jsse-nio-8443-exec-1"), 8443))
                .hasValue(new WorkerNames(ServerKind.TOMCAT, "https-jsse-nio-8443-exec-"));
        assertThat(WorkerNames.of(List.of("http-nio-auto-1-exec-3"), 40_000))
                .hasValue(new WorkerNames(ServerKind.TOMCAT, "http-nio-auto-1-exec-"));
        assertThat(WorkerNames.of(List.of("qtp123-17-acceptor-0@1f-ServerConnector@2{}", "qtp123-18"), 1))
                .hasValue(new WorkerNames(ServerKind.JETTY, "qtp123-"));
        assertThat(WorkerNames.of(List.of("XNIO-1 I/O-1", "XNIO-1 Accept", "XNIO-1 task-4"), 1))
                .hasValue(new WorkerNames(ServerKind.UNDERTOW, "XNIO-1 task-"));
    }

    /** Pools that have no port in their names. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "catalina-exec-12 | TOMCAT | catalina-exec-",
                "tomcat-exec-1 | TOMCAT | tomcat-exec-",
                "default task-3 | UNDERTOW | default task-",
                "XNIO-2 task-3 | UNDERTOW | XNIO-2 task-"
            })
    void sharedPoolsAreKnownToo(String thread, ServerKind server, String prefix) {
        // the connector's own threads are no workers
        assertThat(WorkerNames.of(List.of("http-nio-8080-Acceptor", "default I/O-1", thread), 8080))
                .hasValue(new WorkerNames(server, prefix));
        assertThat(WorkerNames.of(List.of(thread, "http-nio-8080-exec-1"), 8080))
                .as("a connector with workers of its own")
                .map(WorkerNames::prefix)
                .hasValue("http-nio-8080-exec-");
    }

    @Test
    void severalPoolsOrNoneAreNotGuessed() {
        assertThat(WorkerNames.of(List.of("qtp1-17", "qtp2-18"), 1)).isEmpty();
        assertThat(WorkerNames.of(List.of("main", "http-nio-8080-exec-1"), 9090))
                .isEmpty();
    }

    @Test
    void whereWorkersAreVirtualTheReasonSaysSo() {
        assertThat(WorkerNames.whyNone(List.of("main", "ForkJoinPool-1-worker-2")))
                .contains("virtual");
        assertThat(WorkerNames.whyNone(List.of("main", "ForkJoinPool.commonPool-worker-1", "http-nio-8080-Poller")))
                .doesNotContain("virtual");
    }
}
