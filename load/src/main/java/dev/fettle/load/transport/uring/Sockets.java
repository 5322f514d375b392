package dev.fettle.load.transport.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/** Makes TCP sockets for a {@link Ring}: blocking ones, since the ring does the waiting. Used by one thread. */
public final class Sockets {

    // numbers of linux/socket.h, linux/in.h, linux/tcp.h
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SHUT_RDWR = 2;
    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int IP_BIND_ADDRESS_NO_PORT = 24;

    private final Libc libc = new Libc();
    private final MemorySegment one = Arena.ofAuto().allocateFrom(JAVA_INT, 1);

    /** An address in the kernel's format; port 0 for any. */
    public static MemorySegment address(InetAddress to, int port) {
        byte[] raw = to.getAddress();
        boolean v4 = to instanceof Inet4Address;
        // struct sockaddr_in: family, port, address, 8 bytes of nothing; sockaddr_in6: family, port, flow, address,
        // scope
        MemorySegment address = Arena.ofAuto().allocate(v4 ? 16 : 28, Integer.BYTES);
        address.set(JAVA_SHORT, 0, v4 ? AF_INET : AF_INET6);
        address.set(JAVA_SHORT, 2, Short.reverseBytes((short) port));
        MemorySegment.copy(raw, 0, address, JAVA_BYTE, v4 ? 4 : 8, raw.length);
        if (to instanceof Inet6Address v6) {
            address.set(JAVA_INT, 24, v6.getScopeId());
        }
        return address;
    }

    /** A new socket with TCP_NODELAY; negative: an {@link Errno}. */
    public int open(boolean v4) {
        int socket = libc.socket(v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC);
        if (socket >= 0) {
            int result = libc.setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, one);
            if (result < 0) {
                libc.close(socket);
                return result;
            }
        }
        return socket;
    }

    /** Lets a socket connect from an address, with a port chosen only when it connects; negative: an {@link Errno}. */
    public int bind(int socket, MemorySegment from) {
        // without it, each local port would serve one connection only, whatever its destination
        int result = libc.setsockopt(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, one);
        return result < 0 ? result : libc.bind(socket, from);
    }

    /** Shuts down both directions of a connection, which ends the operations on it. */
    public void shutdown(int socket) {
        libc.shutdown(socket, SHUT_RDWR);
    }

    /** Closes a socket that no operation uses. */
    public void close(int socket) {
        libc.close(socket);
    }
}
