package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;

/** A buffer for every request that a cleaner should give back, which waits each time. */
final class CleanerSlow implements Fault {
    private static final int EACH = 4_096;
    private static final int GARBAGE = 30_000;
    private static final long WAIT_MILLIS = 20;

    private final Cleaner cleaner = Cleaner.create();

    private static final class Return implements Runnable {
        private final ByteBuffer buffer;

        Return(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(WAIT_MILLIS);
                buffer.clear();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void spoil(Visit visit) {
        cleaner.register(new byte[GARBAGE], new Return(ByteBuffer.allocateDirect(EACH)));
    }
}
