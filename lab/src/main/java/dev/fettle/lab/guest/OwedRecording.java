package dev.fettle.lab.guest;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.process.Guest;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The end of a recording in a process that Fettle did not start, as one of its {@link Debts}. */
public final class OwedRecording {
    private final Debts.Own owed;
    private final Guest guest;

    private OwedRecording(Debts.Own owed, Guest guest) {
        this.owed = owed;
        this.guest = guest;
    }

    /**
     * Writes it down, before the recording begins.
     *
     * @param pid of the process
     * @param profile into which async-profiler may record
     * @throws IOException if that can't be done
     */
    public static OwedRecording of(Debts debts, long pid, Path profile) throws IOException {
        var proc = new Proc();
        var guest = new Guest(proc, pid, proc.startTicks(pid).orElse(0));
        try {
            Map<String, String> content =
                    Map.of(ValueRestore.PROFILE, profile.toAbsolutePath().toString());
            return new OwedRecording(debts.owe(guest, Debts.Kind.RECORDING, content), guest);
        } catch (LabException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Whether the process has ended, and its recordings with it. */
    public boolean isVoid() {
        return !guest.alive();
    }

    /** It has ended. Otherwise the watchdog ends it when this process is gone. */
    public void settle() {
        try {
            owed.settle();
        } catch (LabException e) {
            return; // whoever finds the debt later finds nothing to end
        }
    }
}
