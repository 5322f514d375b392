package dev.fettle.lab.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.engine.LocalLoad;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.Part;
import dev.fettle.load.Window;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a controller and an agent say to each other, with both in this process. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class AgentLinkTest {

    private static AgentLink link(String name, LoadPort loads) throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var here = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
            Socket there = server.accept();
            var side = new AgentSide(
                    Clock.SYSTEM, loads, () -> 0, there.getInputStream(), there.getOutputStream(), () -> {});
            Thread.ofPlatform().daemon().start(side::serve);
            return new AgentLink(name, Clock.SYSTEM, here.getInputStream(), here.getOutputStream(), () -> "", () -> {
                try {
                    here.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static LoadPort.Order order(int connections, int threads) {
        var nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        return new LoadPort.Order(
                Fixtures.patient(connections, "ok").with().threads(threads).build(),
                nobody,
                OptionalLong.empty(),
                Duration.ofMinutes(2),
                Duration.ZERO,
                Set.of());
    }

    private static int prepared(AgentLink link, LoadPort.Order order) {
        return AgentLink.answer(link.ask(new Ask.Prepare(new Shipped(order, Map.of())), Duration.ZERO), Integer.class);
    }

    /** Three connections on two hosts: then each has one thread, although two are asked for. */
    @Test
    void windowsOfHostsWithFewerThreadsAreAddedUp() throws Exception {
        LoadPort.Order order = order(3, 2);
        try (AgentLink a = link("a", new LocalLoad());
                AgentLink b = link("b", new LocalLoad())) {
            int first = prepared(a, order.of(new Part(0, 2, false)));
            int second = prepared(b, order.of(new Part(1, 2, false)));
            try (var run = new SharedRun(
                    Clock.SYSTEM,
                    order,
                    List.of(a, b),
                    List.of(first, second),
                    List.of(a.offset(), b.offset()),
                    Clock.SYSTEM.nanos())) {
                Window all = Window.merge(List.of(run.takeWindow(), run.takeWindow()));
                assertThat(all.threads()).extracting(t -> t.thread()).containsExactly(0, 1);
                assertThat(all.senders()).extracting(s -> s.name()).containsExactly("a", "b");
            }
        }
    }

    @Test
    void whatOneOfThemLacksIsSaidWithItsName() throws Exception {
        try (AgentLink gen = link("gen-1", _ -> {
            throw new UncheckedIOException("no disk", new IOException("no disk"));
        })) {
            assertThatThrownBy(() -> prepared(gen, order(1, 1)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("gen-1")
                    .hasMessageContaining("no disk");
        }
    }

    /** A message that takes a minute to come, with a piece of it each second, and no other sign of life. */
    @Test
    void eachPieceOfALongMessageIsASignOfLife() throws Exception {
        var sent = new ByteArrayOutputStream();
        new Frames(new ByteArrayInputStream(new byte[0]), sent).write(1, new byte[60_000]);
        var time = new AtomicLong();
        var clock = new Clock() {
            @Override
            public Instant instant() {
                return Instant.EPOCH;
            }

            @Override
            public long nanos() {
                return time.get();
            }

            @Override
            public void sleep(Duration how) throws InterruptedException {
                Thread.sleep(1);
            }
        };
        var slow = new FilterInputStream(new ByteArrayInputStream(sent.toByteArray())) {
            @Override
            public int read(byte[] bytes, int from, int most) throws IOException {
                time.addAndGet(1_000_000_000);
                try {
                    Thread.sleep(10); // so that the silence would be seen
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return super.read(bytes, from, Math.min(most, 1_000));
            }
        };
        var gone = new AtomicBoolean();
        new AgentSide(clock, new LocalLoad(), () -> 0, slow, OutputStream.nullOutputStream(), () -> gone.set(true))
                .serve();
        assertThat(gone).isFalse();
    }
}
