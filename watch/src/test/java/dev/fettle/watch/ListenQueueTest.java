package dev.fettle.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ListenQueueTest {
    @Test
    void theLimitIsTheOneOfTheSocketNotTheOneConfiguredElsewhere() throws Exception {
        try (var socket = new ServerSocket(0, 37, InetAddress.getLoopbackAddress())) {
            assertThat(ListenQueue.limit(socket.getLocalPort())).hasValue(37);
        }
    }

    @Test
    void nobodyListeningIsEmpty() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(ListenQueue.limit(port)).isEmpty();
    }

    @Test
    void theSmallestOfSeveralSocketsCounts() {
        assertThat(ListenQueue.parse("LISTEN 0 100 127.0.0.1:80 0.0.0.0:*\nLISTEN 3      50    [::1]:80 [::]:*\n"))
                .hasValue(50);
        assertThat(ListenQueue.parse("")).isEmpty();
    }
}
