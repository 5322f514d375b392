package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.util.List;

/** A limit of tasks that is enough for the start and not for the load. It is a control group's: nproc does not bind root. */
final class ThreadsLimit implements Fault {
    private static final int TASKS = 80;

    ThreadsLimit() throws IOException {
        var limit = new String[] {"pids.max", Integer.toString(TASKS)};
        ControlGroup.join("pids", limit, List.<String[]>of(limit));
    }

    @Override
    public void spoil(Visit visit) {
        // the kernel does it
    }
}
