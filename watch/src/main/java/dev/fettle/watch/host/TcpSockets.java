package dev.fettle.watch.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * TCP sockets of a process's network namespace: by sock_diag if the process shares this one's namespace. Otherwise, or
 * if native calls are refused, from {@code /proc/PID/net/tcp} and {@code tcp6}, which is slower with many sockets.
 */
final class TcpSockets {
    static final int ESTABLISHED = 1;
    static final int SYN_RECV = 3;
    static final int TIME_WAIT = 6;
    static final int CLOSE_WAIT = 8;
    private static final int LISTEN = 10;
    /** All states but LISTEN. */
    private static final int OPEN = 0x1fff & ~(1 << LISTEN) & ~1;

    private static final List<String> TABLES = List.of("tcp", "tcp6");

    /** Most sockets read; beyond that, a count is a lower bound. */
    static final int MOST = 200_000;

    private final Path proc;
    private final long pid;
    private final Optional<Dump> kernel;
    private final int most;

    /** How the last look went. */
    private boolean byKernel;

    private boolean all = true;

    TcpSockets(Proc proc, long pid) {
        // /proc/PID/net is readable even if the process is another user's
        this(
                proc,
                pid,
                (proc.sharesNetwork(pid).orElse(false) ? SockDiag.open() : Optional.<SockDiag>empty())
                        .map(k -> k::dump),
                MOST);
    }

    TcpSockets(Proc proc, long pid, Optional<Dump> kernel, int most) {
        this.proc = proc.root();
        this.pid = pid;
        this.kernel = kernel;
        this.most = most;
    }

    /** {@link SockDiag#dump}. */
    interface Dump {
        boolean dump(int states, int port, SockDiag.Each each);
    }

    /** Receives one socket. */
    interface Each {
        /**
         * Receives a socket.
         *
         * @param local its port
         * @param remote its peer's port
         * @param peer its peer's address, created when asked for
         * @param inode 0 if no file belongs to it any more
         * @param held whether it holds a small write back until an earlier one is acknowledged; false if that is not
         *     reported
         */
        void socket(int state, int local, int remote, Address peer, long inode, boolean held);

        /**
         * How the socket is doing that was passed on last; only where the kernel reports it.
         *
         * @param travel read when asked for
         */
        default void travels(Supplier<Optional<Travel>> travel) {}

        /** How many bytes the peer of the socket that was passed on last has not taken yet, as far as its own kernel has said. */
        default void untaken(long bytes) {}

        /** What was passed on so far is void: all sockets come again, from another source. */
        default void again() {}
    }

    /**
     * How a connection is doing, since it was opened.
     *
     * @param tripMicros the shortest round trip of the last minutes
     * @param sent segments with data that were sent
     * @param again of all segments those that were sent again
     */
    record Travel(long tripMicros, long sent, long again) {}

    /** An address that is turned into text only when asked for. */
    interface Address {
        /** The text; an IPv4 address mapped into IPv6 is written as IPv4. */
        String text();
    }

    /** Whether at the last look the kernel reported unsent bytes of sockets. */
    boolean tellsHeld() {
        return byKernel;
    }

    /** Whether the last look was at all sockets: they were not too many. */
    boolean sawAll() {
        return all;
    }

    /** The ports that are listened on, whoever does, by the socket's inode; none if they can't be read. */
    Map<Long, Integer> listening() {
        var ports = new HashMap<Long, Integer>();
        boolean told = kernel.isPresent()
                && kernel.get().dump(1 << LISTEN, 0, (part, at, end) -> {
                    ports.put(SockDiag.inode(part, at), SockDiag.port(part, at));
                    return true;
                });
        if (!told) {
            ports.clear();
            for (String table : TABLES) {
                table(proc.resolve(pid + "/net/" + table), (f, state, local) -> {
                    if (state == LISTEN) {
                        ports.put(Long.valueOf(f[9]), local);
                    }
                    return true;
                });
            }
        }
        return ports;
    }

    /**
     * Passes on the sockets that do not listen.
     *
     * @param ports only those with one of these local ports; empty: all
     * @return why they could not be read; empty if they could
     */
    Optional<String> each(Collection<Integer> ports, Each each) {
        all = true;
        byKernel = kernel.isPresent() && dump(kernel.get(), ports.isEmpty() ? List.of(0) : ports, each);
        if (byKernel) {
            return Optional.empty();
        }
        each.again();
        all = true;
        boolean any = false;
        for (String table : TABLES) {
            any |= table(table, ports, each);
        }
        return any ? Optional.empty() : Optional.of("neither sock_diag nor /proc/" + pid + "/net/tcp can be read");
    }

    private boolean dump(Dump kernel, Collection<Integer> ports, Each each) {
        int[] seen = {0};
        var texts = new Texts();
        for (int port : ports) {
            boolean told = kernel.dump(OPEN, port, (part, at, end) -> {
                each.socket(
                        part.get(at + 1),
                        SockDiag.port(part, at),
                        (part.get(at + 6) & 0xff) << 8 | part.get(at + 7) & 0xff,
                        () -> texts.of(part, at + 24, part.get(at) == 2 ? 4 : 16),
                        SockDiag.inode(part, at),
                        part.get(at + 1) == ESTABLISHED && SockDiag.heldBack(part, at, end));
                each.untaken(SockDiag.untaken(part, at));
                each.travels(() -> SockDiag.travel(part, at, end));
                all = ++seen[0] < most;
                return all;
            });
            if (!told) {
                return false;
            }
        }
        return true;
    }

    /** Addresses as text, cached: thousands of sockets have the same few. */
    private static final class Texts {
        private final Map<ByteBuffer, String> known = new HashMap<>();

        String of(ByteBuffer part, int at, int length) {
            String text = known.get(part.slice(at, length));
            if (text == null) {
                var bytes = new byte[length];
                part.get(at, bytes);
                text = text(bytes);
                known.put(ByteBuffer.wrap(bytes), text);
            }
            return text;
        }
    }

    private static String text(byte[] address) {
        try {
            String text = InetAddress.getByAddress(address).getHostAddress();
            return text.indexOf(':') < 0 ? text : "[" + text + "]";
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e); // it has 4 or 16 bytes
        }
    }

    private boolean table(String name, Collection<Integer> ports, Each each) {
        int[] seen = {0};
        return table(proc.resolve(pid + "/net/" + name), (f, state, local) -> {
            if (state != LISTEN && (ports.isEmpty() || ports.contains(local))) {
                each.socket(state, local, port(f[2]), () -> peer(f[2]), Long.parseLong(f[9]), false);
                each.untaken(Long.parseLong(f[4], 0, f[4].indexOf(':'), 16));
                all &= ++seen[0] < most;
            }
            return seen[0] < most;
        });
    }

    /** Receives a line of the kernel's table; returns whether to go on. */
    private interface Line {
        boolean line(String[] fields, int state, int local);
    }

    private static boolean table(Path file, Line each) {
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            in.readLine();
            boolean on = true;
            for (String line = in.readLine(); line != null && on; line = in.readLine()) {
                // sl local_address rem_address st queues timer retransmits uid timeout inode
                String[] f = line.trim().split(" +");
                on = each.line(f, Integer.parseInt(f[3], 16), port(f[1]));
            }
            return true;
        } catch (IOException | RuntimeException e) {
            return false; // no IPv6 here, or the process is gone
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    /** Words of 32 bits in the machine's order, in hexadecimal. */
    static String peer(String address) {
        return text(bytes(address));
    }

    /** The address of a line in the kernel's table, without its port. */
    static byte[] bytes(String address) {
        byte[] raw = HexFormat.of().parseHex(address.substring(0, address.indexOf(':')));
        ByteBuffer from = ByteBuffer.wrap(raw);
        ByteBuffer to = ByteBuffer.allocate(raw.length).order(java.nio.ByteOrder.nativeOrder());
        while (from.hasRemaining()) {
            to.putInt(from.getInt());
        }
        return to.array();
    }
}
