package dev.fettle.faults;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.fettle.servers.app.Fault;
import java.lang.management.ManagementFactory;

/** A buffer for every request that is larger than half a region of G1. */
final class Humongous implements Fault {
    private static final int LEAST = 2 << 20;

    private final int bytes = bytes(region());

    /** Half a region is enough, since the array's header comes on top; a region has at most 512 MiB. */
    static int bytes(long region) {
        return (int) Math.max(LEAST, region / 2);
    }

    /** The size of a region; 0 without G1. */
    static long region() {
        HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return Long.parseLong(vm.getVMOption("G1HeapRegionSize").getValue());
    }

    @Override
    public void spoil(Visit visit) {
        byte[] buffer = new byte[bytes];
        buffer[visit.userAgent().length()] = 1;
        if (buffer.length == 0) {
            throw new IllegalStateException();
        }
    }
}
