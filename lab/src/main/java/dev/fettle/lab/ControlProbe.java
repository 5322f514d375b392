package dev.fettle.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.watch.WorkerProbe;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;

/** Asks an embedded target about its workers, over its control port. */
final class ControlProbe implements WorkerProbe {
    private static final int ANSWER_MILLIS = 2000;

    private final Socket socket;
    private final OutputStream out;
    private final BufferedReader in;
    private final ObjectMapper json = new ObjectMapper();

    private ControlProbe(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    static ControlProbe connect(int port) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.setTcpNoDelay(true);
            return new ControlProbe(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public Optional<Sample> sample() {
        try {
            out.write("stats\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            String line = in.readLine();
            if (line == null) {
                return Optional.empty();
            }
            JsonNode s = json.readTree(line);
            OptionalDouble busy = number(s, "busyWorkers"); // unknown on virtual threads: then what is in flight counts
            return Optional.of(new Sample(
                    busy.isPresent() ? busy : number(s, "inFlight"),
                    number(s, "workers"),
                    number(s, "queued"),
                    number(s, "gcMillis")));
        } catch (IOException e) {
            return Optional.empty(); // it is gone, or too busy to answer
        }
    }

    private static OptionalDouble number(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isNumber() && value.asDouble() >= 0 ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            return; // it went first
        }
    }
}
