package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a copy of {@code /proc}, with process 7. */
class SocketSignalsTest {
    private static final int LISTEN = 10;
    private static final int ESTABLISHED = 1;
    private static final int TIME_WAIT = 6;

    @TempDir
    Path proc;

    private final List<String> table = new ArrayList<>();
    private long now;

    /** A socket of 127.0.0.1, or with a peer at 10.0.0.x. */
    private void socket(int state, int port, int peer, int remotePort, long inode) {
        table.add(String.format(
                Locale.ROOT,
                "   0: 0100007F:%04X %02X00000A:%04X %02X 00000000:00000000 00:00000000 00000000  0        0 %d 1",
                port,
                peer,
                remotePort,
                state,
                inode));
    }

    private void write() throws IOException {
        Path net = Files.createDirectories(proc.resolve("7/net"));
        Files.writeString(
                net.resolve("tcp"), "  sl  local_address rem_address   st\n" + String.join("\n", table) + "\n");
    }

    private void open(long... inodes) throws IOException {
        Path files = Files.createDirectories(proc.resolve("7/fd"));
        for (long inode : inodes) {
            Files.createSymbolicLink(files.resolve(Long.toString(inode)), Path.of("socket:[" + inode + "]"));
        }
    }

    private Timeline sample(SocketSignals signals) throws IOException {
        write();
        now += 60_000_000_000L;
        var recorder = new TimelineRecorder(500, () -> now);
        signals.sample(recorder);
        return recorder.timeline();
    }

    private static double last(Timeline t, String id) {
        return t.find(id).orElseThrow().last().orElseThrow();
    }

    /** The port for management is there first; the server's comes later, and its connections are clients then. */
    @Test
    void aPortThatIsListenedOnLaterIsKnownThen() throws IOException {
        var signals = new SocketSignals(new Proc(proc), 7, () -> now);
        socket(LISTEN, 9010, 0, 0, 1);
        open(1);
        assertThat(last(sample(signals), "sockets.established")).isEqualTo(0);
        socket(LISTEN, 8080, 0, 0, 2);
        socket(ESTABLISHED, 8080, 3, 50_000, 3);
        socket(TIME_WAIT, 8080, 3, 50_001, 0);
        open(2, 3);
        Timeline t = sample(signals);
        assertThat(last(t, "sockets.established")).isEqualTo(1);
        assertThat(last(t, "sockets.timeWait")).isEqualTo(1);
        assertThat(t.sightings("client.established"))
                .containsExactly(new Sighting("client.established", "from 10.0.0.3", 1));
    }

    /** Of a port that another process listens on, too, only what the process has open is its own. */
    @Test
    void connectionsOfAnotherProcessOnTheSamePortAreNotCounted() throws IOException {
        var signals = new SocketSignals(new Proc(proc), 7, () -> now);
        socket(LISTEN, 8080, 0, 0, 1);
        socket(ESTABLISHED, 8080, 3, 50_000, 2);
        socket(ESTABLISHED, 8080, 4, 50_000, 90);
        open(1, 2);
        assertThat(last(sample(signals), "sockets.established"))
                .as("accepted since the files were looked at")
                .isEqualTo(2);
        assertThat(signals.notes()).isEmpty();
        socket(LISTEN, 8080, 0, 0, 91);
        assertThat(last(sample(signals), "sockets.established")).isEqualTo(1);
        assertThat(signals.notes()).singleElement().asString().startsWith("another process listens on port 8080, too");
    }

    /** A client that keeps its three connections, one that has four new ones at each look, and a peer that does not take what it gets. */
    @Test
    void newConnectionsToAServiceAreCounted() throws IOException {
        var signals = new SocketSignals(new Proc(proc), 7, () -> now);
        socket(LISTEN, 8080, 0, 0, 1);
        open(1);
        for (int i = 0; i < 3; i++) {
            socket(ESTABLISHED, 40_000 + i, 5, 5432, 10 + i);
            open(10 + i);
        }
        Timeline t = Timeline.NONE;
        for (int look = 0; look < 4; look++) {
            for (int i = 0; i < 4; i++) {
                int n = 4 * look + i;
                socket(ESTABLISHED, 50_000 + n, 6, 9200, 100 + n);
                open(100 + n);
            }
            t = sample(signals);
            table.removeIf(line -> line.contains(":23F0 "));
        }
        assertThat(t.sightings("peer.opened")).containsExactly(new Sighting("peer.opened", "10.0.0.6:9200", 12));
        assertThat(t.sightings("peer.looked"))
                .containsExactly(
                        new Sighting("peer.looked", "10.0.0.6:9200", 12),
                        new Sighting("peer.looked", "10.0.0.5:5432", 9));
        assertThat(last(t, "sockets.untaken")).isEqualTo(0);
        table.set(1, table.get(1).replace("00000000:00000000", "00010000:00000000"));
        t = sample(signals);
        assertThat(last(t, "sockets.untaken")).isEqualTo(65_536);
        assertThat(t.sightings("peer.untaken")).containsExactly(new Sighting("peer.untaken", "10.0.0.5:5432", 65_536));
    }

    /** Ten balancers with 200 connections each, and a database with a pool of 20. */
    @Test
    void clientsDoNotCrowdOutTheDatabase() throws IOException {
        var signals = new SocketSignals(new Proc(proc), 7, () -> now);
        socket(LISTEN, 8080, 0, 0, 1);
        open(1);
        for (int i = 0; i < 2000; i++) {
            socket(ESTABLISHED, 8080, 100 + i / 200, 20_000 + i, 1000 + i);
        }
        for (int i = 0; i < 20; i++) {
            socket(ESTABLISHED, 40_000 + i, 5, 5432, 10 + i);
            open(10 + i);
        }
        Timeline t = sample(signals);
        assertThat(t.sightings("peer.established"))
                .containsExactly(new Sighting("peer.established", "10.0.0.5:5432", 20));
        assertThat(t.sightings("client.established"))
                .hasSize(8)
                .allSatisfy(c -> assertThat(c.count()).isEqualTo(200));
    }

    /** The kernel tells two, and then that it fails: what it told is not counted with the table. */
    @Test
    void whatWasToldBeforeAFailureIsNotCountedTwice() throws IOException {
        for (int i = 0; i < 3; i++) {
            socket(ESTABLISHED, 8080, 3, 50_000 + i, 10 + i);
        }
        write();
        TcpSockets.Dump failing = (states, port, each) -> {
            ByteBuffer message = ByteBuffer.allocate(72).order(ByteOrder.nativeOrder());
            message.put(0, (byte) 2).put(1, (byte) ESTABLISHED);
            each.socket(message, 0, 72);
            each.socket(message, 0, 72);
            return false;
        };
        var sockets = new TcpSockets(new Proc(proc), 7, Optional.of(failing), TcpSockets.MOST);
        var seen = new ArrayList<Integer>();
        assertThat(sockets.each(List.of(), collecting(seen))).isEmpty();
        assertThat(seen).containsExactly(8080, 8080, 8080);
        assertThat(sockets.tellsHeld()).isFalse();
        assertThat(sockets.sawAll()).isTrue();
    }

    @Test
    void moreThanAreReadIsTold() throws IOException {
        socket(ESTABLISHED, 8080, 3, 50_000, 10);
        socket(ESTABLISHED, 8080, 3, 50_001, 11);
        socket(ESTABLISHED, 8080, 3, 50_002, 12);
        write();
        var sockets = new TcpSockets(new Proc(proc), 7, Optional.empty(), 2);
        var seen = new ArrayList<Integer>();
        sockets.each(List.of(), collecting(seen));
        assertThat(seen).hasSize(2);
        assertThat(sockets.sawAll()).isFalse();
    }

    private static TcpSockets.Each collecting(List<Integer> ports) {
        return new TcpSockets.Each() {
            @Override
            public void socket(int state, int local, int remote, TcpSockets.Address peer, long inode, boolean held) {
                ports.add(local);
            }

            @Override
            public void again() {
                ports.clear();
            }
        };
    }
}
