package dev.fettle.watch.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Asks the kernel about the sockets listening on a port, as ss(8) does, through the {@code NETLINK_SOCK_DIAG} protocol;
 * see sock_diag(7). It knows what {@code /proc} does not: the drops of each socket. One query takes about 20 µs, and
 * needs no privilege.
 */
final class SockDiag {
    private static final int AF_NETLINK = 16;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;

    private static final short SOCK_DIAG_BY_FAMILY = 20;

    /** The older question: about both families at once. */
    private static final short TCPDIAG_GETSOCK = 18;

    private static final short REQUEST_AND_DUMP = 0x301;
    private static final short DONE = 3;
    private static final short ERROR = 2;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_LISTEN = 10;
    /** Attribute {@code INET_DIAG_SKMEMINFO}: nine counters of 32 bits, the last is the number of drops. */
    private static final int MEMINFO = 7;

    /** Attribute {@code INET_DIAG_INFO}: a {@code tcp_info}, of which three counters of 32 bits are read. */
    private static final int INFO = 2;

    private static final int SEND_MSS = 16;
    private static final int UNACKED = 24;
    private static final int SENT_AGAIN = 100;
    private static final int NOT_SENT = 144;
    private static final int SHORTEST_TRIP = 148;
    private static final int DATA_SENT = 156;

    private static final byte ATTRIBUTES = 1 << MEMINFO - 1 | 1 << INFO - 1;

    private static final int DROPS = 8;
    private static final int HEADER = 16;
    private static final int QUESTION = HEADER + 56;
    private static final int OLDER_QUESTION = HEADER + 60;
    private static final int ANSWER = 72;
    private static final int BUFFER = 64 * 1024;

    private final MethodHandle socket;
    private final MethodHandle setsockopt;
    private final MethodHandle send;
    private final MethodHandle recv;
    private final MethodHandle close;

    /** Of the answers; a new one would be filled with zeros each time. */
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER, 8);

    private final MemorySegment second = Arena.ofAuto().allocate(MemoryLayout.sequenceLayout(2, JAVA_LONG));
    private boolean together = true;

    private SockDiag(Linker linker) {
        socket = function(linker, "socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        setsockopt = function(
                linker, "setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        var message = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
        send = function(linker, "send", message);
        recv = function(linker, "recv", message);
        close = function(linker, "close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        second.setAtIndex(JAVA_LONG, 0, 1); // the kernel answers at once; a wait without end would be a defect
    }

    @SuppressWarnings("restricted") // without native access there is ss(8)
    private static MethodHandle function(Linker linker, String name, FunctionDescriptor shape) {
        return linker.downcallHandle(
                linker.defaultLookup()
                        .find(name)
                        .orElseThrow(() -> new UnsupportedOperationException("libc has no " + name)),
                shape);
    }

    /** Prepares queries; empty if this JVM may not call native code. */
    static Optional<SockDiag> open() {
        try {
            return Optional.of(new SockDiag(Linker.nativeLinker()));
        } catch (UnsupportedOperationException | IllegalCallerException e) {
            return Optional.empty();
        }
    }

    /** The sockets listening on a port, of both families; empty if the kernel does not report them. */
    Optional<List<ListenQueue.Listener>> listeners(int port) {
        var all = new ArrayList<ListenQueue.Listener>();
        return dump(1 << TCP_LISTEN, port, listener(port, all)) ? Optional.of(all) : Optional.empty();
    }

    /** The same by a question for each family, as to a kernel that does not take the older one. */
    Optional<List<ListenQueue.Listener>> listenersByFamily(int port) {
        var all = new ArrayList<ListenQueue.Listener>();
        return byFamily(1 << TCP_LISTEN, port, listener(port, all)) ? Optional.of(all) : Optional.empty();
    }

    private static Each listener(int port, List<ListenQueue.Listener> into) {
        return (part, at, end) -> {
            listener(part, at, end, port).ifPresent(into::add);
            return true;
        };
    }

    /** Receives the sockets of a dump one by one. */
    interface Each {
        /**
         * Receives a socket.
         *
         * @param at start of its {@code inet_diag_msg}
         * @param end just past its attributes
         * @return whether to go on
         */
        boolean socket(ByteBuffer part, int at, int end);
    }

    /**
     * Reads the TCP sockets of this process's network namespace, of both families: at once where the kernel takes that question,
     * as it looks through its whole table for each.
     *
     * @param states a bit for each wanted state
     * @param port local port; 0 for any
     * @return whether the kernel answered, as far as it was asked
     */
    synchronized boolean dump(int states, int port, Each each) {
        if (together) {
            int[] told = {0};
            boolean answered = ask(older(port, states), (part, at, end) -> {
                told[0]++;
                return each.socket(part, at, end);
            });
            if (answered || told[0] > 0) {
                return answered;
            }
            together = false;
        }
        return byFamily(states, port, each);
    }

    private synchronized boolean byFamily(int states, int port, Each each) {
        return ask(question(2, port, states), each) && ask(question(10, port, states), each); // AF_INET, AF_INET6
    }

    private boolean ask(byte[] question, Each each) {
        try {
            int descriptor = (int) socket.invokeExact(AF_NETLINK, SOCK_DGRAM_CLOEXEC, NETLINK_SOCK_DIAG);
            if (descriptor < 0) {
                return false;
            }
            try {
                int timeout = (int) setsockopt.invokeExact(descriptor, SOL_SOCKET, SO_RCVTIMEO, second, 16);
                buffer.copyFrom(MemorySegment.ofArray(question));
                return timeout == 0
                        && (long) send.invokeExact(descriptor, buffer, (long) question.length, 0) == question.length
                        && answers(descriptor, each);
            } finally {
                int closed = (int) close.invokeExact(descriptor);
                assert closed == 0;
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t); // method handles of native code throw nothing of their own
        }
    }

    private boolean answers(int descriptor, Each each) throws Throwable {
        while (true) {
            long length = (long) recv.invokeExact(descriptor, buffer, (long) BUFFER, 0);
            if (length <= 0) {
                return false;
            }
            ByteBuffer part = buffer.asSlice(0, length).asByteBuffer().order(ByteOrder.nativeOrder());
            Optional<Boolean> end = read(part, each);
            if (end.isPresent()) {
                return end.get();
            }
        }
    }

    /** {@code nlmsghdr} and {@code inet_diag_req_v2}: a dump of the sockets in some states with this source port. */
    private static byte[] question(int family, int port, int states) {
        ByteBuffer q = header(QUESTION, SOCK_DIAG_BY_FAMILY);
        q.put((byte) family).put((byte) IPPROTO_TCP).put(ATTRIBUTES).put((byte) 0);
        q.putInt(states);
        q.order(ByteOrder.BIG_ENDIAN).putShort((short) port);
        return q.array();
    }

    /** {@code nlmsghdr} and {@code inet_diag_req}: the same, of both families. */
    private static byte[] older(int port, int states) {
        ByteBuffer q = header(OLDER_QUESTION, TCPDIAG_GETSOCK);
        q.put(HEADER + 3, ATTRIBUTES).putInt(HEADER + 52, states);
        q.order(ByteOrder.BIG_ENDIAN).putShort(HEADER + 4, (short) port);
        return q.array();
    }

    private static ByteBuffer header(int length, short type) {
        return ByteBuffer.allocate(length)
                .order(ByteOrder.nativeOrder())
                .putInt(length)
                .putShort(type)
                .putShort(REQUEST_AND_DUMP)
                .putInt(1)
                .putInt(0);
    }

    /**
     * Reads the messages of one part.
     *
     * @return whether it ended well; empty if more is to come
     */
    static Optional<Boolean> read(ByteBuffer part, Each each) {
        int at = 0;
        while (at + HEADER <= part.limit()) {
            int length = part.getInt(at);
            short type = part.getShort(at + 4);
            if (type == DONE || type == ERROR || length < HEADER || at + length > part.limit()) {
                // a dump that fails ends, too: with the number of the error, which is negative
                return Optional.of(type == DONE && (length < HEADER + Integer.BYTES || part.getInt(at + HEADER) >= 0));
            }
            if ((type == SOCK_DIAG_BY_FAMILY || type == TCPDIAG_GETSOCK)
                    && length >= HEADER + ANSWER
                    && !each.socket(part, at + HEADER, at + length)) {
                return Optional.of(true);
            }
            at += length + 3 & ~3;
        }
        return Optional.empty();
    }

    /**
     * Whether a socket holds back less than a segment because an earlier one is not acknowledged: Nagle's algorithm
     * (RFC 896). Since Linux 4.6 the kernel reports how much was not sent.
     */
    static boolean heldBack(ByteBuffer part, int at, int end) {
        int info = info(part, at, end, NOT_SENT);
        if (info < 0) {
            return false;
        }
        int waits = part.getInt(info + NOT_SENT);
        return waits > 0 && waits < part.getInt(info + SEND_MSS) && part.getInt(info + UNACKED) > 0;
    }

    /**
     * How a connection is doing: round trip and segments sent again, as the kernel counts them since Linux 4.6; empty on an older one.
     */
    static Optional<TcpSockets.Travel> travel(ByteBuffer part, int at, int end) {
        int info = info(part, at, end, DATA_SENT);
        return info < 0
                ? Optional.empty()
                : Optional.of(new TcpSockets.Travel(
                        part.getInt(info + SHORTEST_TRIP) & 0xffffffffL,
                        part.getInt(info + DATA_SENT) & 0xffffffffL,
                        part.getInt(info + SENT_AGAIN) & 0xffffffffL));
    }

    /** Where the {@code tcp_info} of a socket begins; -1 if it has none that reaches to a field. */
    private static int info(ByteBuffer part, int at, int end, int field) {
        int attribute = at + ANSWER;
        while (attribute + 4 <= end) {
            int length = part.getShort(attribute) & 0xffff;
            if (length < 4) {
                return -1;
            }
            if ((part.getShort(attribute + 2) & 0xffff) == INFO && length >= 4 + field + 4) {
                return attribute + 4;
            }
            attribute += length + 3 & ~3;
        }
        return -1;
    }

    /** The bytes in a socket's send queue: not sent yet, or not acknowledged. */
    static long untaken(ByteBuffer part, int at) {
        return part.getInt(at + 60) & 0xffffffffL;
    }

    /** A socket's number; 0 if no file belongs to it. */
    static long inode(ByteBuffer part, int at) {
        return part.getInt(at + 68) & 0xffffffffL;
    }

    /** A socket's own port. */
    static int port(ByteBuffer part, int at) {
        return (part.get(at + 4) & 0xff) << 8 | part.get(at + 5) & 0xff;
    }

    /** {@code inet_diag_msg}, followed by its attributes. */
    private static Optional<ListenQueue.Listener> listener(ByteBuffer part, int at, int end, int port) {
        if (port(part, at) != port || part.get(at + 1) != TCP_LISTEN) {
            return Optional.empty();
        }
        OptionalLong drops = OptionalLong.empty();
        int attribute = at + ANSWER;
        while (attribute + 4 <= end) {
            int length = part.getShort(attribute) & 0xffff;
            int type = part.getShort(attribute + 2) & 0xffff;
            if (length < 4) {
                break;
            }
            if (type == MEMINFO && length >= 4 + 4 * (DROPS + 1)) {
                drops = OptionalLong.of(part.getInt(attribute + 4 + 4 * DROPS) & 0xffffffffL);
            }
            attribute += length + 3 & ~3;
        }
        return Optional.of(new ListenQueue.Listener(
                inode(part, at), new ListenQueue.State(part.getInt(at + 56), part.getInt(at + 60), drops)));
    }
}
