package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The accept queue of a listening socket, from the kernel: the effective backlog instead of the configured one, and the
 * drops of this socket instead of the whole network namespace's. Only for this process's namespace.
 */
public final class ListenQueue {
    private final Optional<SockDiag> kernel = SockDiag.open();
    private final int port;

    /** The queue of the socket listening on a port. */
    public ListenQueue(int port) {
        this.port = port;
    }

    /**
     * A listening socket.
     *
     * @param waiting connections waiting to be accepted
     * @param limit how many may wait; the kernel lets in one more before it drops
     * @param drops connections dropped since the socket was opened
     */
    public record State(int waiting, int limit, OptionalLong drops) {
        /** Combines two sockets of one port: the longer queue, the smaller limit, all drops. */
        State and(State other) {
            return new State(
                    Math.max(waiting, other.waiting),
                    Math.min(limit, other.limit),
                    drops.isPresent() && other.drops.isPresent()
                            ? OptionalLong.of(drops.getAsLong() + other.drops.getAsLong())
                            : OptionalLong.empty());
        }
    }

    /** Its state now; empty if no process listens or the kernel does not report it. */
    public Optional<State> state() {
        return kernel.flatMap(k -> k.listeners(port)).flatMap(l -> l.stream().reduce(State::and));
    }

    /**
     * The accept queue's limit of the socket listening on a port. Empty if no process listens, or neither the kernel nor {@code
     * ss} (iproute2) reports it.
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
