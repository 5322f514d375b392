package dev.fettle.faults;

import dev.fettle.servers.app.Fault;

/** A buffer for every request that is larger than half a region of G1. */
final class Humongous implements Fault {
    private static final int BUFFER = 2 << 20;

    @Override
    public void spoil(Visit visit) {
        byte[] buffer = new byte[BUFFER];
        buffer[visit.userAgent().length()] = 1;
        if (buffer.length == 0) {
            throw new IllegalStateException();
        }
    }
}
