package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadGroupTest {
    /** Whole names, and what the kernel keeps of them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http-nio-8080-exec-1 | WORKERS",
                "http-nio-8080-e | WORKERS",
                "http-nio-127.0.0.1-8080-exec-12 | WORKERS",
                "catalina-exec-1 | WORKERS",
                "tomcat-exec-12 | WORKERS",
                "tomcat-handler-7 | WORKERS",
                "qtp1234567-33 | WORKERS",
                "XNIO-1 task-3 | WORKERS",
                "default task-1 | WORKERS",
                "ForkJoinPool-1-worker-1 | WORKERS",
                "ForkJoinPool-1- | WORKERS",
                "http-nio-8080-Acceptor | ACCEPTOR",
                "http-nio-8080-A | ACCEPTOR",
                "qtp1234-18-acceptor-0@1b2c3d-ServerConnector | ACCEPTOR",
                "XNIO-1 Accept | ACCEPTOR",
                "http-nio-8080-Poller | IO",
                "http-nio-8080-P | IO",
                "XNIO-1 I/O-2 | IO",
                "Read-Poller | IO",
                "reactor-http-epoll-1 | IO",
                "GC Thread#1 | GC",
                "G1 Conc#0 | GC",
                "ZWorkerYoung#0 | GC",
                "VM Thread | GC",
                "C2 CompilerThre | JIT",
                "C1 CompilerThread0 | JIT",
                "VM Periodic Tas | OTHER",
                "RMI TCP Accept- | OTHER",
                "java | OTHER",
                "HikariPool-1 ho | APP",
                "Zookeeper-1 | APP",
                "order-importer | APP",
                "https-proxy | APP",
            })
    void aThreadIsKnownByItsName(String name, ThreadGroup group) {
        assertThat(ThreadGroup.of(name)).isEqualTo(group);
        assertThat(ThreadGroup.unclear(name)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"http-nio-18080-", "http-nio-127.0.", "http-nio2-8080-", "https-jsse-nio-"})
    void whereTheKernelCutsTheDifferenceAllAreWorkersAndItIsSaid(String name) {
        assertThat(ThreadGroup.of(name)).isEqualTo(ThreadGroup.WORKERS);
        assertThat(ThreadGroup.unclear(name)).isTrue();
    }
}
