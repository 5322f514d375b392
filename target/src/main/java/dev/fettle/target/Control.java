package dev.fettle.target;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The control port, on the loopback address only: one request a line, one line of answer.
 *
 * <pre>
 * stats             {json}
 * stats threads     {json with threadStates}
 * set NAME=VALUE    ok {effective}   or   error REASON
 * effective         ok {effective}
 * stop              ok               and the process ends with 0
 * </pre>
 *
 * A connection keeps a daemon thread of its own, so that a forgotten one does not shut the others out.
 */
final class Control implements Closeable {
    private final ServerSocket socket;
    private final Target target;
    private final Runnable onStop;

    private Control(ServerSocket socket, Target target, Runnable onStop) {
        this.socket = socket;
        this.target = target;
        this.onStop = onStop;
    }

    static Control open(Target target, Runnable onStop) throws IOException {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Control control = new Control(socket, target, onStop);
        daemon("fettle-control", control::accept);
        return control;
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                daemon("fettle-control-" + connection.getPort(), () -> serve(connection));
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    System.err.println("control port: " + LaunchFailure.words(e));
                }
            }
        }
    }

    private void serve(Socket connection) {
        try (connection;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
                PrintStream out = new PrintStream(connection.getOutputStream(), false, StandardCharsets.UTF_8)) {
            connection.setTcpNoDelay(true);
            for (@Nullable String line = in.readLine(); line != null; line = in.readLine()) {
                out.print(answer(line.strip()) + "\n");
                out.flush();
                if (line.strip().equals("stop")) {
                    onStop.run();
                }
            }
        } catch (IOException e) {
            // the other end went away; so does this one
        }
    }

    private String answer(String line) {
        try {
            if (line.startsWith("set ")) {
                target.set(line.substring("set ".length()).strip());
                return "ok " + Json.write(target.effective());
            }
            return switch (line) {
                case "stats" -> Json.write(target.stats(false));
                case "stats threads" -> Json.write(target.stats(true));
                case "effective" -> "ok " + Json.write(target.effective());
                case "stop" -> "ok";
                default -> "error unknown command; stats, stats threads, effective, set NAME=VALUE and stop are known";
            };
        } catch (LaunchFailure e) {
            return "error " + e.reason();
        } catch (RuntimeException e) {
            return "error " + LaunchFailure.words(e);
        }
    }

    static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
