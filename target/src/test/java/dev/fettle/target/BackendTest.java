package dev.fettle.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BackendTest {
  private static final byte[] GET = "GET /x HTTP/1.1\r\nHost: b\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Reads one answer and gives its body. */
  private static String read(DataInputStream in) throws Exception {
    StringBuilder head = new StringBuilder();
    while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
      head.append((char) in.readByte());
    }
    assertThat(head).startsWith("HTTP/1.1 200 OK\r\n");
    int length = Integer.parseInt(head.toString().replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
    byte[] body = new byte[length];
    in.readFully(body);
    return new String(body, StandardCharsets.US_ASCII);
  }

  @Test
  void twoHundredConnectionsWaitAtTheSameTimeAndNoneIsEarly() throws Exception {
    long wait = 200_000_000L;
    try (Child backend = Child.start(Backend.class, "wait=200ms", "bytes=300")) {
      List<Socket> sockets = new ArrayList<>();
      List<Long> sent = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        sockets.add(new Socket("127.0.0.1", backend.number("port")));
      }
      for (int round = 0; round < 2; round++) {
        sent.clear();
        for (Socket socket : sockets) {
          sent.add(System.nanoTime());
          socket.getOutputStream().write(GET);
        }
        for (int i = 0; i < sockets.size(); i++) {
          assertThat(read(new DataInputStream(sockets.get(i).getInputStream()))).hasSize(300);
          assertThat(System.nanoTime() - sent.get(i)).isGreaterThanOrEqualTo(wait);
        }
      }
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aRequestInPiecesAndPipelinedOnesAreAnsweredInOrder() throws Exception {
    try (Child backend = Child.start(Backend.class, "wait=1ms", "jitter=20ms");
        Socket socket = new Socket("127.0.0.1", backend.number("port"))) {
      OutputStream out = socket.getOutputStream();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      socket.setTcpNoDelay(true);
      for (byte b : GET) {
        out.write(b);
      }
      assertThat(read(in)).startsWith("{\"status\":\"ok\"");
      int pipelined = 600;
      for (int i = 0; i < 3; i++) {
        out.write(GET);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(read(in)).hasSize(200);
      }
      assertThat(GET.length * pipelined).as("more than the backend's buffer").isGreaterThan(8192);
    }
    try (Child backend = Child.start(Backend.class, "wait=0");
        Socket socket = new Socket("127.0.0.1", backend.number("port"))) {
      for (int i = 0; i < 600; i++) {
        socket.getOutputStream().write(GET);
      }
      DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
      for (int i = 0; i < 600; i++) {
        assertThat(read(in)).hasSize(200);
      }
    }
  }

  @Test
  void anythingButGetClosesTheConnection() throws Exception {
    try (Child backend = Child.start(Backend.class, "wait=0");
        Socket socket = new Socket("127.0.0.1", backend.number("port"))) {
      socket.getOutputStream().write("POST / HTTP/1.1\r\nHost: b\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aBadArgumentIsTold() throws Exception {
    try (Child backend = Child.start(Backend.class, "wait=soon")) {
      assertThat(backend.firstLine).startsWith("FETTLE-FAILED {").contains("wait=soon");
      assertThat(backend.exitCode()).isEqualTo(2);
    }
  }
}
