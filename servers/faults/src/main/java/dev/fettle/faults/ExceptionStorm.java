package dev.fettle.faults;

import dev.fettle.servers.app.Fault;

/** What is expected is told by exceptions, from deep down. */
final class ExceptionStorm implements Fault {
    private static final int EACH = 40;
    private static final int DEPTH = 60;

    @Override
    public void spoil(Visit visit) {
        for (int i = 0; i < EACH; i++) {
            try {
                dig(DEPTH);
            } catch (IllegalStateException e) {
                if (e.getStackTrace().length == 0) {
                    throw e;
                }
            }
        }
    }

    private static void dig(int depth) {
        if (depth > 0) {
            dig(depth - 1);
        } else {
            throw new IllegalStateException("not logged in");
        }
    }
}
