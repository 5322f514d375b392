package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The accept queue of a listening socket, as the kernel has it: the effective backlog, not the configured one, and what was
 * dropped at this socket, not in the whole network namespace. In the namespace of this process.
 */
public final class ListenQueue {
    private final Optional<SockDiag> kernel = SockDiag.open();
    private final int port;

    /** The queue of whoever listens on a port. */
    public ListenQueue(int port) {
        this.port = port;
    }

    /**
     * A listening socket.
     *
     * @param waiting connections that wait to be accepted
     * @param limit how many may; the kernel lets one more in before it drops
     * @param drops connections dropped since the socket was opened
     */
    public record State(int waiting, int limit, OptionalLong drops) {
        /** Two sockets of one port, as one: the longer queue, the smaller limit, all drops. */
        State and(State other) {
            return new State(
                    Math.max(waiting, other.waiting),
                    Math.min(limit, other.limit),
                    drops.isPresent() && other.drops.isPresent()
                            ? OptionalLong.of(drops.getAsLong() + other.drops.getAsLong())
                            : OptionalLong.empty());
        }
    }

    /** Its state now; empty where nobody listens, or the kernel does not tell. */
    public Optional<State> state() {
        return kernel.flatMap(k -> k.listeners(port)).flatMap(l -> l.stream().reduce(State::and));
    }

    /**
     * The limit of the accept queue of the socket listening on a port. Empty where nobody listens, or where neither the kernel
     * nor {@code ss} (iproute2) tells.
     */
    public static OptionalInt limit(int port) throws InterruptedException {
        Optional<State> state = new ListenQueue(port).state();
        return state.isPresent() ? OptionalInt.of(state.get().limit()) : bySs(port);
    }

    /** Column Send-Q of {@code ss -ltn}. */
    private static OptionalInt bySs(int port) throws InterruptedException {
        try {
            Process ss = new ProcessBuilder(List.of("ss", "-ltnH", "sport", "=", ":" + port))
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
