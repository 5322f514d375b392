package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Many connections. */
@Isolated("measures the heap of this JVM")
class ScaleTest {

    private static final int MANY = 2000;
    /** Both ends of a connection are in this process; what a run itself takes is a part of it as well. */
    private static final long BYTES_A_CONNECTION = 6 * 1024;

    @Test
    void anIdleConnectionTakesFewKilobytes() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            use(server, 10).close();
            long before;
            try (LoadRun run = use(server, 10)) {
                before = used();
                assertThat(run.connectionsOpen()).isEqualTo(10);
            }
            try (LoadRun run = use(server, MANY)) {
                assertThat(run.connectionsOpen()).isEqualTo(MANY);
                assertThat((used() - before) / MANY).isLessThan(BYTES_A_CONNECTION);
            }
        }
    }

    @Test
    void connectsFromEachSourceInTurn() throws Exception {
        List<String> sources = List.of("127.0.0.1", "127.0.0.2", "127.0.0.3");
        for (TransportKind kind : TransportKinds.usable()) {
            try (TinyServer server = TinyServer.ok();
                    LoadRun run = LoadEngine.start(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                            .wire(Wire.PLAIN.withTransport(kind).withSources(sources))
                            .arrivals(new Arrivals.Closed(Duration.ofHours(1)))
                            .connections(30)
                            .build())) {
                while (server.requests() < 30) {
                    Thread.sleep(5);
                }
                assertThat(server.clients())
                        .as(kind.toString())
                        .containsExactlyInAnyOrderElementsOf(
                                sources.stream().map(InetAddress::ofLiteral).toList());
                assertThat(run.takeWindow().failed()).isZero();
            }
        }
    }

    @Test
    void aSourceOfTheOtherFamilyIsRefused() throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            LoadSpecBuilder spec = LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                    .wire(Wire.PLAIN.withSources(List.of("::1")));
            assertThatIllegalArgumentException().isThrownBy(spec::build).withMessageContaining("IPv6");
        }
    }

    /** Has so many connections open, each of which has had its answer and then thinks. */
    private static LoadRun use(TinyServer server, int connections) throws Exception {
        long had = server.requests();
        LoadRun run = LoadEngine.start(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                .wire(Wire.PLAIN.withTransport(TransportKind.NIO))
                .arrivals(new Arrivals.Closed(Duration.ofHours(1)))
                .maxDuration(Duration.ofMinutes(5))
                .connections(connections)
                .build());
        while (server.requests() < had + connections) {
            Thread.sleep(5);
        }
        return run;
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return direct + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
