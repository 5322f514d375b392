package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.lab.Fixtures;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.Measurement;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a bench says of requests without an answer at its end. */
class BenchEndTest {
    private static Bench bench(Load load, InetSocketAddress address) {
        return new Bench(load, WarmUp.NONE, address, OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void oneThatIsStoppedSaysWhatWasNeverSentAndWhatWasUnderWay() throws Exception {
        var hours = Duration.ofHours(1);
        Load load = Fixtures.patient(2, "x", hours)
                .withArrivals(new Arrivals.Open(List.of(new Arrivals.Stage(500, 500, hours, 1)), false, 1));
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var address = new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort());
            var stopped = new AtomicBoolean();
            Bench.Result result = bench(load, address).run(_ -> {
                if (!stopped.getAndSet(true)) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(result.interrupted()).isTrue();
            Measurement m = result.measurement();
            Measurement.Offered offered = m.detail().offered().orElseThrow();
            assertThat(m.detail().abandoned()).isEqualTo(2);
            assertThat(offered.unsent()).isGreaterThan(100).isCloseTo(offered.due(), within(2L));
        }
    }

    /** Two of its three connections hang after some answers. Their time-out is far. */
    @Test
    void whatHangsIsNotForgotten() throws Exception {
        var over = new CountDownLatch(1);
        var asked = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        try (var workers = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable _ = over::countDown) {
            server.setExecutor(workers);
            server.createContext("/", x -> {
                int number = asked.incrementAndGet();
                if (number == 20 || number == 30) {
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                x.sendResponseHeaders(200, 1);
                x.getResponseBody().write('x');
                x.close();
            });
            server.start();
            Load load = Fixtures.patient(3, "x", Duration.ofSeconds(3));
            Measurement m = bench(load, server.getAddress()).run(_ -> {}).measurement();
            assertThat(m.failed()).isZero();
            assertThat(m.detail().stuck()).hasValueSatisfying(s -> {
                assertThat(s.count()).isEqualTo(2);
                assertThat(s.oldestSeconds()).isGreaterThan(1);
            });
            assertThat(m.lost()).isEqualTo(2);
        } finally {
            server.stop(0);
        }
    }
}
