package dev.fettle.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The accept queue of a listening socket, as the kernel has it: the effective backlog, not the configured one. */
public final class ListenQueue {
    private ListenQueue() {}

    /**
     * The limit of the accept queue of the socket listening on a port: column Send-Q of {@code ss -ltn}. Empty where
     * {@code ss} (iproute2) is missing or nobody listens.
     */
    public static OptionalInt limit(int port) throws InterruptedException {
        try {
            Process ss = new ProcessBuilder("ss", "-ltnH", "sport", "=", ":" + port)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            ss.getOutputStream().close();
            String out = new String(ss.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!ss.waitFor(5, TimeUnit.SECONDS)) {
                ss.destroyForcibly();
                return OptionalInt.empty();
            }
            return parse(out);
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }

    /** The smallest limit among the lines of {@code ss -ltnH}: state, Recv-Q, Send-Q, addresses. */
    static OptionalInt parse(String output) {
        return output.lines()
                .map(l -> l.trim().split(" +"))
                .filter(f -> f.length >= 4 && f[0].equals("LISTEN"))
                .mapToInt(f -> Integer.parseInt(f[2]))
                .min();
    }
}
