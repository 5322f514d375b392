package dev.fettle.servers.app;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Blocking HTTP calls to the backend over pooled keep-alive connections. The pool has no limit: there are never more
 * connections than calling threads. The one used last is taken first; a pooled connection that turns out to be closed
 * is replaced once by a new one.
 */
public final class BackendClient {
    private static final int LONGEST_LINE = 8 * 1024;
    private static final int LARGEST_BODY = 1024 * 1024;

    private final InetSocketAddress address;
    private final int timeoutMillis;
    private final byte[] request;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    public BackendClient(InetSocketAddress address, Duration timeout) {
        this.address = address;
        this.timeoutMillis = (int) Math.max(1, timeout.toMillis());
        this.request = ("GET /account HTTP/1.1\r\nHost: " + address.getHostString() + ":" + address.getPort()
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** The body of the backend's answer; throws unless that was a complete 200. */
    public String call() throws IOException {
        Connection pooled = idle.pollFirst();
        if (pooled != null) {
            try {
                return exchange(pooled);
            } catch (java.net.SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // the backend closed it while it was idle; a new connection shows whether it is still there
            }
        }
        return exchange(new Connection(address, timeoutMillis));
    }

    private String exchange(Connection connection) throws IOException {
        boolean reusable = false;
        try {
            connection.out.write(request);
            Answer answer = connection.read();
            reusable = answer.keepAlive;
            if (answer.status != 200) {
                throw new IOException("the backend answered " + answer.status);
            }
            return answer.body;
        } finally {
            if (reusable) {
                idle.addFirst(connection);
            } else {
                connection.socket.close();
            }
        }
    }

    private record Answer(int status, boolean keepAlive, String body) {}

    private static final class Connection {
        private final Socket socket;
        private final OutputStream out;
        private final InputStream in;

        Connection(InetSocketAddress address, int timeoutMillis) throws IOException {
            Socket opening = new Socket();
            try {
                opening.setTcpNoDelay(true);
                opening.setSoTimeout(timeoutMillis);
                opening.connect(address, timeoutMillis);
                this.out = opening.getOutputStream();
                this.in = new BufferedInputStream(opening.getInputStream(), 1024);
            } catch (IOException e) {
                opening.close();
                throw e;
            }
            this.socket = opening;
        }

        Answer read() throws IOException {
            String status = line();
            if (!status.startsWith("HTTP/1.1 ") || status.length() < 12) {
                throw new IOException("the backend's answer is not HTTP/1.1");
            }
            int length = -1;
            boolean keepAlive = true;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String lower = header.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = number(lower.substring("content-length:".length()).strip());
                } else if (lower.startsWith("connection:") && lower.contains("close")) {
                    keepAlive = false;
                }
            }
            if (length < 0 || length > LARGEST_BODY) {
                throw new IOException("the backend's answer has no usable Content-Length");
            }
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("the backend's answer was cut off");
            }
            return new Answer(number(status.substring(9, 12)), keepAlive, new String(body, StandardCharsets.UTF_8));
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder(64);
            while (true) {
                int c = in.read();
                if (c < 0) {
                    throw new EOFException("the backend closed the connection");
                }
                if (c == '\n') {
                    return line.toString();
                }
                if (c != '\r') {
                    line.append((char) c);
                }
                if (line.length() > LONGEST_LINE) {
                    throw new IOException(
                            "the backend's answer has a header line of more than " + LONGEST_LINE + " bytes");
                }
            }
        }

        private static int number(@Nullable String text) throws IOException {
            try {
                return Integer.parseInt(String.valueOf(text));
            } catch (NumberFormatException e) {
                throw new IOException("the backend's answer has '" + text + "' where a number should be", e);
            }
        }
    }
}
