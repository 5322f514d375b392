package dev.fettle.faults;

import dev.fettle.servers.app.Fault;

/** An object for every request whose finalizer waits. */
final class FinalizerSlow implements Fault {
    private static final int GARBAGE = 30_000;

    private static final class Handle {
        private static final long WAIT_MILLIS = 5;
        private final int id;

        Handle(int id) {
            this.id = id;
        }

        @Override
        @SuppressWarnings({"removal", "deprecation", "Finalize"})
        protected void finalize() throws InterruptedException {
            Thread.sleep(WAIT_MILLIS + id % 2);
        }
    }

    @Override
    public void spoil(Visit visit) {
        int garbage = new byte[GARBAGE].length;
        if (new Handle(visit.userAgent().length()).id + garbage == 0) {
            throw new IllegalStateException();
        }
    }
}
