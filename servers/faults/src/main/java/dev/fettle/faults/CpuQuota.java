package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.util.List;

/** Thirty milliseconds of CPU in every hundred, as a container's limit gives them. */
final class CpuQuota implements Fault {
    CpuQuota() throws IOException {
        ControlGroup.join(
                "cpu",
                new String[] {"cpu.max", "30000 100000"},
                List.of(new String[] {"cpu.cfs_period_us", "100000"}, new String[] {"cpu.cfs_quota_us", "30000"}));
    }

    @Override
    public void spoil(Visit visit) {
        // the kernel does it
    }
}
