package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintedSocketsTest {
    private static final String SS = """
            State      Recv-Q Send-Q Local Address:Port   Peer Address:Port Process
            LISTEN     101    100                *:8080             *:*
            LISTEN     0      128        127.0.0.1:22         0.0.0.0:*
            ESTAB      0      0      [::ffff:10.0.0.1]:8080 [::ffff:10.0.0.9]:55112
            ESTAB      0      0           10.0.0.1:41000     10.0.0.7:5432
            CLOSE-WAIT 1      0           10.0.0.1:41001     10.0.0.7:5432
            CLOSE-WAIT 1      0           10.0.0.1:41002     10.0.0.7:5432
            TIME-WAIT  0      0           10.0.0.1:8080      10.0.0.9:55113
            """;
    private static final String NETID = """
            Netid State  Recv-Q Send-Q Local Address:Port Peer Address:Port
            u_str ESTAB  0      0      * 1234 * 1235
            tcp   LISTEN 101    100    *:8080 *:*
            tcp   ESTAB  0      0      10.0.0.1:8080 10.0.0.9:55112
            tcp   ESTAB  0      0      10.0.0.1:41000 10.0.0.7:5432
            tcp   CLOSE-WAIT 1  0      10.0.0.1:41001 10.0.0.7:5432
            tcp   CLOSE-WAIT 1  0      10.0.0.1:41002 10.0.0.7:5432
            tcp   TIME-WAIT 0   0      10.0.0.1:8080 10.0.0.9:55113
            """;
    private static final String NETSTAT = """
            Active Internet connections (servers and established)
            Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
            tcp      101      0 0.0.0.0:8080            0.0.0.0:*               LISTEN      7/java
            tcp        0      0 10.0.0.1:8080           10.0.0.9:55112          ESTABLISHED 7/java
            tcp        0      0 10.0.0.1:41000          10.0.0.7:5432           ESTABLISHED 7/java
            tcp6       1      0 10.0.0.1:41001          10.0.0.7:5432           CLOSE_WAIT  7/java
            tcp6       1      0 10.0.0.1:41002          10.0.0.7:5432           CLOSE_WAIT  7/java
            tcp        0      0 10.0.0.1:8080           10.0.0.9:55113          TIME_WAIT   -
            """;

    private static PrintedSockets read(String text) throws IOException {
        return PrintedSockets.read(new BufferedReader(new StringReader(text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {SS, NETID, NETSTAT})
    void aTable(String text) throws IOException {
        PrintedSockets all = read(text);
        assertThat(all.unread()).isZero();
        Timeline t = all.timeline();
        assertThat(t.max(Signals.ACCEPT_QUEUE).getAsDouble()).isEqualTo(101);
        assertThat(t.max(Signals.SOCKETS_ESTABLISHED).getAsDouble()).isEqualTo(2);
        assertThat(t.max(Signals.SOCKETS_CLOSE_WAIT).getAsDouble()).isEqualTo(2);
        assertThat(t.max(Signals.SOCKETS_TIME_WAIT).getAsDouble()).isEqualTo(1);
        // netstat does not print a listener's limit
        assertThat(t.find(Signals.ACCEPT_LIMIT).isPresent()).isEqualTo(!text.equals(NETSTAT));
        assertThat(t.sightings(Sighting.LISTENER)).singleElement().satisfies(s -> {
            assertThat(s.what()).endsWith(":8080");
            assertThat(s.count()).isEqualTo(101);
        });
        assertThat(t.sightings(Sighting.PEER_CLOSE_WAIT)).singleElement().satisfies(s -> {
            assertThat(s.what()).isEqualTo("10.0.0.7:5432");
            assertThat(s.count()).isEqualTo(2);
        });
        assertThat(t.sightings(Sighting.CLIENT_ESTABLISHED)).hasSize(1).allMatch(Sighting::ofClient);
    }

    @Test
    void listenersAlone() throws IOException {
        Timeline t = read("State Recv-Q Send-Q Local Address:Port Peer Address:Port\nLISTEN 3 128 *:80 *:*\n")
                .timeline();
        assertThat(t.max(Signals.ACCEPT_LIMIT).getAsDouble()).isEqualTo(128);
        assertThat(t.find(Signals.SOCKETS_ESTABLISHED)).isEmpty();
    }

    /** {@code ss -ti} has a second line for each socket; {@code ss state established} no states. */
    @Test
    void otherForms() throws IOException {
        PrintedSockets ti = read("State Recv-Q Send-Q Local Address:Port Peer Address:Port\n"
                + "ESTAB 0 0 10.0.0.1:8080 10.0.0.9:55112\n\t cubic wscale:7,7 rto:204 rtt:0.03/0.01\n");
        assertThat(ti.unread()).isZero();
        assertThat(ti.timeline().max(Signals.SOCKETS_ESTABLISHED).getAsDouble()).isEqualTo(1);
        Timeline of = read("Recv-Q Send-Q Local Address:Port Peer Address:Port\n0 0 10.0.0.1:8080 10.0.0.9:55112\n")
                .timeline();
        assertThat(of.max(Signals.SOCKETS_ESTABLISHED).getAsDouble()).isEqualTo(1);
    }

    @Test
    void severalMoments() throws IOException {
        PrintedSockets all = read(SS + "\n" + SS + "CLOSE-WAIT 1 0 10.0.0.1:41003 10.0.0.7:5432\n");
        assertThat(all.moments()).hasSize(2);
        assertThat(all.timeline()
                        .find(Signals.SOCKETS_CLOSE_WAIT)
                        .orElseThrow()
                        .observed()
                        .toArray())
                .containsExactly(2, 3);
    }

    @Test
    void whatIsNone() throws IOException {
        assertThatThrownBy(() -> read("State Recv-Q Send-Q Local Address:Port\n"))
                .hasMessageContaining("no TCP socket");
        assertThat(read(SS + "LISTEN x y *:9 *:*\nESTAB 0\n").unread()).isEqualTo(2);
    }
}
