package dev.fettle.faults;

import dev.fettle.servers.app.Fault;

/** Megabytes of short-lived objects for every request. */
final class AllocationStorm implements Fault {
    private static final int OBJECTS = 8_000;
    private static final int BYTES = 512;

    @Override
    public void spoil(Visit visit) {
        var last = new byte[1][];
        for (int i = 0; i < OBJECTS; i++) {
            last[0] = new byte[BYTES];
        }
        if (last[0].length != BYTES) {
            throw new IllegalStateException();
        }
    }
}
