package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The accept queue of a listening socket, from the kernel: the effective backlog instead of the configured one, and the
 * drops of this socket instead of the whole network namespace's. Only for this process's namespace.
 */
public final class ListenQueue {
    private final Optional<SockDiag> kernel = SockDiag.open();
    private final OptionalLong pid;
    private final int port;

    /** The sockets that were last seen to listen on the port, and those of them that are the process's. */
    private Set<Long> listening = Set.of();

    private Set<Long> own = Set.of();

    /** The queue of the socket listening on a port, whosever it is. */
    public ListenQueue(int port) {
        this(OptionalLong.empty(), port);
    }

    private ListenQueue(OptionalLong pid, int port) {
        this.pid = pid;
        this.port = port;
    }

    /**
     * The queue of a process's socket. Another process may listen on the same port at another address: its queue is left out, as
     * far as the process's files can be read.
     */
    public static ListenQueue of(long pid, int port) {
        return new ListenQueue(OptionalLong.of(pid), port);
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

    /**
     * A listening socket.
     *
     * @param inode its number, as in {@code /proc/PID/fd}
     */
    record Listener(long inode, State state) {}

    /** Its state now; empty if no process listens or the kernel does not report it. */
    public Optional<State> state() {
        return kernel.flatMap(k -> k.listeners(port)).flatMap(l -> combined(l, this::own));
    }

    /** Of several, those of the process; all if none is known to be, as when a child or a container's proxy listens for it. */
    static Optional<State> combined(List<Listener> all, UnaryOperator<Set<Long>> own) {
        Set<Long> mine = all.size() < 2
                ? Set.of()
                : own.apply(all.stream().map(Listener::inode).collect(Collectors.toSet()));
        return all.stream()
                .filter(l -> mine.isEmpty() || mine.contains(l.inode()))
                .map(Listener::state)
                .reduce(State::and);
    }

    /** The files are looked at only when other sockets listen than before. */
    private Set<Long> own(Set<Long> inodes) {
        if (pid.isPresent() && !inodes.equals(listening)) {
            listening = inodes;
            own = new HashSet<>(OwnSockets.of(Path.of("/proc"), pid.getAsLong()).inodes());
            own.retainAll(inodes);
        }
        return own;
    }

    /** The accept queue's limit; empty if no process listens, or neither the kernel nor {@code ss} (iproute2) reports it. */
    public OptionalInt limit() throws InterruptedException {
        Optional<State> state = state();
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
