package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Direct buffers that are never let go. */
final class NativeLeak implements Fault {
    private static final int EACH = 16 * 1024;
    private static final int PAGE = 4096;

    private final Queue<ByteBuffer> leaked = new ConcurrentLinkedQueue<>();

    @Override
    public void spoil(Visit visit) {
        ByteBuffer b = ByteBuffer.allocateDirect(EACH);
        for (int i = 0; i < EACH; i += PAGE) {
            b.put(i, (byte) 1);
        }
        leaked.add(b);
    }
}
