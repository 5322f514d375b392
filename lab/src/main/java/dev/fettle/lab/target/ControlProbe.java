package dev.fettle.lab.target;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.watch.jvm.WorkerProbe;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Asks a target's JVM about its workers, over the control port of the target or of the agent. */
public final class ControlProbe implements WorkerProbe {
    /** Bound on an answer. */
    static final int ANSWER_MILLIS = 2000;

    /** Bound on a sample: it is taken between two windows of load, which wait for it. */
    private static final int SAMPLE_MILLIS = 400;

    private static final String OK = "ok ";
    private static final String ERROR = "error ";

    /** Beyond a number of connections without the token the oldest is closed; it may have been this one, before its token arrived. */
    private static final int TRIES = 5;

    private final ControlAddress address;
    private final ObjectMapper json = new ObjectMapper();
    private final String stats;
    private Connection connection;
    private boolean known;

    /** Answers that did not come in time and may still arrive. */
    private int owed;

    /** One that has said the token. */
    private record Connection(Socket socket, OutputStream out, BufferedReader in) {
        static Connection open(ControlAddress to) throws IOException {
            var socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to.port()), ANSWER_MILLIS);
                socket.setTcpNoDelay(true);
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                var connection = new Connection(socket, socket.getOutputStream(), in);
                connection.send(to.token());
                return connection;
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }

        void send(String line) throws IOException {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        String line() throws IOException {
            String line = in.readLine();
            if (line == null) {
                throw new EOFException("the control port was closed");
            }
            return line;
        }
    }

    private ControlProbe(ControlAddress address, String stats) throws IOException {
        this.address = address;
        this.stats = stats;
        this.connection = Connection.open(address);
    }

    /** Connects to an embedded target. */
    public static ControlProbe connect(ControlAddress address) throws IOException {
        return connect(address, "stats");
    }

    /**
     * Connects to any control port.
     *
     * @param stats the question to ask for a sample
     */
    static ControlProbe connect(ControlAddress address, String stats) throws IOException {
        return new ControlProbe(address, stats);
    }

    /** The other end can't answer now, and says why. */
    static final class Refused extends IOException {
        private Refused(String reason) {
            super(reason);
        }
    }

    /**
     * Asks one question.
     *
     * @return the answer's JSON
     * @throws Refused if there is none
     * @throws IOException if there is no answer in time
     */
    JsonNode ask(String question) throws IOException {
        return ask(question, ANSWER_MILLIS);
    }

    /** As above, with another bound on the answer. */
    JsonNode ask(String question, int atMostMillis) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return askOnce(question, atMostMillis);
            } catch (EOFException | SocketException e) {
                if (known || tries == TRIES) {
                    known = false; // the next question opens a new connection
                    throw e;
                }
                close();
                owed = 0;
                connection = Connection.open(address);
            }
        }
    }

    private JsonNode askOnce(String question, int atMostMillis) throws IOException {
        connection.socket().setSoTimeout(atMostMillis);
        for (; owed > 0; owed--) {
            connection.line(); // an answer to an earlier question
        }
        connection.send(question);
        owed++;
        String line = connection.line();
        owed--;
        known = true;
        if (line.startsWith(ERROR)) {
            throw new Refused(line.substring(ERROR.length()));
        }
        return json.readTree(line.startsWith(OK) ? line.substring(OK.length()) : line);
    }

    @Override
    public Optional<Sample> sample() {
        try {
            JsonNode s = ask(stats, SAMPLE_MILLIS);
            OptionalFigure busy = number(s, "busyWorkers"); // unknown on virtual threads: then what is in flight counts
            return Optional.of(new Sample(
                    busy.isPresent() ? busy : number(s, "inFlight"),
                    number(s, "workers"),
                    number(s, "queued"),
                    number(s, "gcMillis")));
        } catch (IOException e) {
            return Optional.empty(); // gone, or too busy to answer
        }
    }

    private static OptionalFigure number(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isNumber() && value.asDouble() >= 0 ? OptionalFigure.of(value.asDouble()) : OptionalFigure.empty();
    }

    @Override
    public void close() {
        try {
            connection.socket().close();
        } catch (IOException e) {
            return; // already gone
        }
    }
}
