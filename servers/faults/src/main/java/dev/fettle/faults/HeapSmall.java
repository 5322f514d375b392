package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.ArrayList;
import java.util.List;

/** Most of the heap is full of what stays, and every request needs some of the rest. */
final class HeapSmall implements Fault {
    private static final double FULL = 0.62;
    private static final int BLOCK = 16 * 1024;
    private static final int REQUEST = 64 * 1024;

    private final List<byte[]> kept = new ArrayList<>();

    HeapSmall() {
        long most = (long) (FULL * Runtime.getRuntime().maxMemory());
        for (long n = 0; n < most; n += BLOCK) {
            kept.add(new byte[BLOCK]);
        }
    }

    @Override
    public void spoil(Visit visit) {
        int sum = kept.size();
        for (int n = 0; n < REQUEST; n += 1024) {
            sum += new byte[1024].length;
        }
        if (sum == 0) {
            throw new IllegalStateException();
        }
    }
}
