package dev.fettle.watch.jvm;

import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The socket at which a JVM listens once it has been attached to: commands of {@code jcmd} go through it, also to a JVM that refuses calls of
 * management because it takes no serialised objects (a filter, {@code jdk.serialFilter}).
 */
final class AttachSocket {
    private static final int ARGUMENTS = 3;

    /** Of an answer. */
    private static final int MOST_BYTES = 8 << 20;

    private AttachSocket() {}

    private static final Path ROOT = Path.of("/proc");

    private static Path of(long pid) {
        return of(ROOT, new Proc(ROOT), pid);
    }

    /**
     * Where it is, whether or not it is there.
     *
     * @param root of the proc file system
     */
    static Path of(Path root, Proc proc, long pid) {
        return root.resolve(pid + "/root/tmp/.java_pid" + proc.inside(pid));
    }

    /** Whether a JVM listens there: it has been attached to, and the socket is its own user's. */
    static boolean listens(long pid) {
        try {
            Path socket = of(pid);
            return Files.exists(socket)
                    && Files.getOwner(socket).equals(Files.getOwner(ROOT.resolve(Long.toString(pid))));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /**
     * Sends a command of {@code jcmd}.
     *
     * @return what the JVM prints
     * @throws IOException if the JVM does not take it, or reports a failure
     */
    static String jcmd(long pid, String command) throws IOException {
        try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.connect(UnixDomainSocketAddress.of(of(pid)));
            var words = new StringBuilder("1\0jcmd\0").append(command).append('\0');
            words.append("\0".repeat(ARGUMENTS - 1));
            ByteBuffer out = ByteBuffer.wrap(words.toString().getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                socket.write(out);
            }
            String answer = new String(Channels.newInputStream(socket).readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            if (!answer.startsWith("0")) {
                throw new IOException("the JVM refuses " + command + ": " + answer.strip());
            }
            return answer.substring(1);
        }
    }
}
