package dev.fettle.agent;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A port on the loopback address that answers questions, one line each. Every process on the machine can connect, so
 * questions and connections are limited, and no question can end it, nor that a thread can't be started or memory is short.
 *
 * <p>Its threads are daemons, one per connection, so that a forgotten connection does not block the others.
 */
public final class ControlPort implements Closeable {
    /** The longest question, in bytes. */
    public static final int LONGEST_LINE = 1024;

    /** Connections beyond this number are told so and closed. */
    public static final int MOST_CONNECTIONS = 16;

    private static final long PAUSE_MILLIS = 250;

    /** Answers the questions. Several threads ask at once. */
    public interface Answers {
        /**
         * The answer to a question; whatever is thrown becomes {@code error REASON}.
         *
         * @return one line, without a line break
         */
        String answer(String question);

        /** Called when the answer to a question has been sent. */
        default void answered(String question) {}
    }

    private final ServerSocket socket;
    private final String name;
    private final Answers answers;
    private final ThreadFactory threads;
    private final AtomicInteger connections = new AtomicInteger();

    private ControlPort(ServerSocket socket, String name, Answers answers, ThreadFactory threads) {
        this.socket = socket;
        this.name = name;
        this.answers = answers;
        this.threads = threads;
    }

    /**
     * Opens any free port.
     *
     * @param name name of its threads
     */
    public static ControlPort open(String name, Answers answers) throws IOException {
        return open(name, answers, new ThreadFactory() {
            @Override
            public Thread newThread(Runnable work) {
                return new Thread(work);
            }
        });
    }

    /** As above, with threads from elsewhere. */
    static ControlPort open(String name, Answers answers, ThreadFactory threads) throws IOException {
        ServerSocket socket = new ServerSocket(0, MOST_CONNECTIONS, InetAddress.getByName("127.0.0.1"));
        ControlPort control = new ControlPort(socket, name, answers, threads);
        // no lambda: the first one in a JVM adds some ten milliseconds to its start
        Runnable accept = new Runnable() {
            @Override
            public void run() {
                control.accept();
            }
        };
        control.daemon(name, accept);
        return control;
    }

    /** The open port. */
    public int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                begin(socket.accept());
            } catch (Throwable e) {
                // closed, or out of file descriptors, threads or memory: retrying at once would take the server's CPU
                // time
                pause();
            }
        }
    }

    private void begin(Socket connection) throws IOException {
        connections.incrementAndGet();
        boolean begun = false;
        try {
            daemon(name + "-" + connection.getPort(), () -> serve(connection));
            begun = true;
        } finally {
            if (!begun) {
                connections.decrementAndGet();
                connection.close();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket connection) {
        try (connection;
                InputStream in = new BufferedInputStream(connection.getInputStream());
                OutputStream out = connection.getOutputStream()) {
            if (connections.get() > MOST_CONNECTIONS) {
                send(out, "error busy: " + MOST_CONNECTIONS + " connections are open");
                return;
            }
            connection.setTcpNoDelay(true);
            for (String question = line(in); question != null; question = line(in)) {
                if (question.length() > LONGEST_LINE) {
                    send(out, "error a question has at most " + LONGEST_LINE + " bytes");
                    return;
                }
                send(out, answer(question.strip()));
                answers.answered(question.strip());
            }
        } catch (Throwable e) {
            // the other end is gone, or there is no memory for an answer: this end closes, and the server's log is not
            // ours
        } finally {
            connections.decrementAndGet();
        }
    }

    /** The next line; if it is too long, the longest line plus one byte; null at the end of the stream. */
    private static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b = in.read();
        if (b < 0) {
            return null;
        }
        while (b >= 0 && b != '\n' && line.size() <= LONGEST_LINE) {
            line.write(b);
            b = in.read();
        }
        // one character per byte, so that no byte sequence can fail
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private static void send(OutputStream out, String answer) throws IOException {
        out.write((answer.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private String answer(String question) {
        try {
            return answers.answer(question);
        } catch (Throwable e) {
            return "error " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    private void daemon(String name, Runnable work) {
        Thread thread = threads.newThread(work);
        thread.setName(name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
