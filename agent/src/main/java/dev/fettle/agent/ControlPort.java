package dev.fettle.agent;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A port on the loopback address that answers questions, one line each, from who knows its token. Every process on the machine can
 * connect, and so can a page in a browser: the first line of a connection has to be the token, or nothing is answered
 * and the connection is closed. Questions and connections are limited; those without the token ({@link Strangers}) cost no thread and take
 * no place from those with it. No question can end the port, nor that a thread can't be started or memory is short.
 *
 * <p>Its threads are daemons, one per connection that knows the token, so that a forgotten one does not block the others.
 */
public final class ControlPort implements Closeable {
    /** The longest question, in bytes. */
    public static final int LONGEST_LINE = 1024;

    /** Connections with the token beyond this number are told so and closed. */
    public static final int MOST_CONNECTIONS = 16;

    private static final int BACKLOG = 128;

    private static final int TOKEN_BYTES = 16;

    private static final long PAUSE_MILLIS = 250;

    private static final long NANOS_A_MILLI = 1_000_000;

    /** Answers the questions. Several threads ask at once. */
    public interface Answers {
        /**
         * The answer to a question; whatever is thrown becomes {@code error REASON}.
         *
         * @return one line, without a line break
         * @throws UnknownQuestion if it is none: the connection is closed then
         */
        String answer(String question);

        /** Called when the answer to a question has been sent. */
        default void answered(String question) {}

        /** Called before the port closes because nobody has used it for long. */
        default void unused() {}
    }

    /** A line that is no question. Whoever sent it takes this for something else. */
    public static final class UnknownQuestion extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** Names the questions that are known. */
        public UnknownQuestion(String known) {
            super("unknown question; " + known);
        }
    }

    private final ServerSocketChannel socket;
    private final Selector selector;
    private final Strangers strangers;
    private final String token;
    private final String name;
    private final Answers answers;
    private final long idleMillis;
    private final ThreadFactory threads;
    private final Object count = new Object();
    private int connections;
    private long usedLast = System.nanoTime();

    private ControlPort(String name, Answers answers, long idleMillis, ThreadFactory threads) throws IOException {
        this.name = name;
        this.answers = answers;
        this.idleMillis = idleMillis;
        this.threads = threads;
        this.token = random();
        this.selector = Selector.open();
        this.strangers = new Strangers(selector, token);
        this.socket = ServerSocketChannel.open();
    }

    /**
     * Opens any free port, until the process ends.
     *
     * @param name name of its threads
     */
    public static ControlPort open(String name, Answers answers) throws IOException {
        return open(name, answers, 0);
    }

    /**
     * Opens any free port.
     *
     * @param name name of its threads
     * @param idleMillis it closes by itself after this time without a connection that knows the token; 0: never
     */
    public static ControlPort open(String name, Answers answers, long idleMillis) throws IOException {
        return open(name, answers, idleMillis, new ThreadFactory() {
            @Override
            public Thread newThread(Runnable work) {
                return new Thread(work);
            }
        });
    }

    /** As above, with threads from elsewhere. */
    static ControlPort open(String name, Answers answers, long idleMillis, ThreadFactory threads) throws IOException {
        ControlPort control = new ControlPort(name, answers, idleMillis, threads);
        try {
            control.socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), BACKLOG);
            control.socket.configureBlocking(false);
            control.socket.register(control.selector, SelectionKey.OP_ACCEPT);
            // no lambda: the first one in a JVM adds some ten milliseconds to its start
            Runnable run = new Runnable() {
                @Override
                public void run() {
                    control.run();
                }
            };
            control.daemon(name, run);
        } catch (IOException | RuntimeException | Error e) {
            control.socket.close();
            control.selector.close();
            throw e;
        }
        return control;
    }

    /** 128 bits from the kernel, in hexadecimal digits. The JDK's own generator takes longer to load than all the rest here. */
    private static String random() throws IOException {
        StringBuilder text = new StringBuilder();
        try (InputStream kernel = new FileInputStream("/dev/urandom")) {
            for (int i = 0; i < TOKEN_BYTES; i++) {
                int b = kernel.read();
                if (b < 0) {
                    throw new IOException("/dev/urandom has ended");
                }
                text.append(Character.forDigit(b >> 4, 16)).append(Character.forDigit(b & 15, 16));
            }
        }
        return text.toString();
    }

    /** The open port. */
    public int port() {
        return socket.socket().getLocalPort();
    }

    /** What the first line of a connection must be. */
    public String token() {
        return token;
    }

    private void run() {
        try {
            while (socket.isOpen()) {
                try {
                    turn();
                } catch (Throwable e) {
                    // closed, or out of file descriptors, threads or memory: retrying at once would take the server's
                    // CPU time
                    pause();
                }
            }
        } finally {
            strangers.closeAll();
            try {
                selector.close();
            } catch (IOException e) {
                // nothing is left of it
            }
        }
    }

    /** Waits for something to happen, and does it: who speaks comes before who connects. */
    private void turn() throws IOException {
        long next = nearer(strangers.dropOverdue(), idleNanos());
        if (!socket.isOpen()) {
            return;
        }
        if (next < 0) {
            selector.select();
        } else {
            selector.select(next / NANOS_A_MILLI + 1);
        }
        List<SelectionKey> ready = new ArrayList<>(selector.selectedKeys());
        selector.selectedKeys().clear();
        boolean more = false;
        for (SelectionKey key : ready) {
            if (key.channel() == socket) {
                more = true;
            } else if (key.isValid()) {
                begin(strangers.listen(key));
            }
        }
        if (more && socket.isOpen()) {
            accept();
        }
    }

    private static long nearer(long one, long other) {
        return one < 0 ? other : other < 0 ? one : Math.min(one, other);
    }

    private void accept() throws IOException {
        SocketChannel connection = socket.accept();
        if (connection == null) {
            return;
        }
        boolean added = false;
        try {
            if (strangers.isFull()) {
                begin(strangers.dropOldest());
            }
            SocketChannel known = strangers.add(connection);
            added = true;
            begin(known);
        } finally {
            if (!added) {
                connection.close();
            }
        }
    }

    /** Nanoseconds until nobody has used it for too long, -1 if that can't be; closes it when they are over. */
    private long idleNanos() throws IOException {
        synchronized (count) {
            if (idleMillis == 0 || connections > 0) {
                return -1;
            }
            long left = usedLast + idleMillis * NANOS_A_MILLI - System.nanoTime();
            if (left > 0) {
                return left;
            }
        }
        answers.unused();
        close();
        return -1;
    }

    /** Serves a connection that knows the token, if there is room. */
    private void begin(@Nullable SocketChannel known) throws IOException {
        if (known == null) {
            return;
        }
        boolean begun = false;
        boolean counted = false;
        try {
            synchronized (count) {
                counted = connections < MOST_CONNECTIONS;
                connections += counted ? 1 : 0;
            }
            if (counted) {
                known.setOption(StandardSocketOptions.TCP_NODELAY, true);
                daemon(name + "-" + known.socket().getPort(), () -> serve(known));
                begun = true;
            } else {
                send(known.socket().getOutputStream(), "error busy: " + MOST_CONNECTIONS + " connections are open");
            }
        } finally {
            if (!begun) {
                known.close();
                if (counted) {
                    ended();
                }
            }
        }
    }

    private void ended() {
        synchronized (count) {
            connections--;
            usedLast = System.nanoTime();
        }
        selector.wakeup();
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(SocketChannel connection) {
        try (connection;
                InputStream in = new BufferedInputStream(connection.socket().getInputStream());
                OutputStream out = connection.socket().getOutputStream()) {
            boolean goesOn = true;
            for (String question = line(in); goesOn && question != null; question = goesOn ? line(in) : null) {
                if (question.length() > LONGEST_LINE) {
                    send(out, "error a question has at most " + LONGEST_LINE + " bytes");
                    return;
                }
                goesOn = answer(question.strip(), out);
            }
        } catch (Throwable e) {
            // the other end is gone, or there is no memory for an answer: this end closes, and the server's log is not
            // ours
        } finally {
            ended();
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

    /** Answers a question; whether another may follow. */
    private boolean answer(String question, OutputStream out) throws IOException {
        String answer;
        boolean known = true;
        try {
            answer = answers.answer(question);
        } catch (Throwable e) {
            known = !(e instanceof UnknownQuestion);
            answer = "error " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
        send(out, answer);
        if (known) {
            answers.answered(question);
        }
        return known;
    }

    private void daemon(String name, Runnable work) {
        Thread thread = threads.newThread(work);
        thread.setName(name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Closes the port; connections that know the token go on. */
    @Override
    public void close() throws IOException {
        socket.close();
        selector.wakeup();
    }
}
