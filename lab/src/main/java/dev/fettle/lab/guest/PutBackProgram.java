package dev.fettle.lab.guest;

import dev.fettle.lab.machine.LabException;
import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** What a {@link Watchdog} becomes: puts back what Fettles that are gone owe to one process. Arguments: the folder of the debts, the pid. */
public final class PutBackProgram {
    /** A process that does not answer now may do so soon; after these, {@code fettle put-back} is left. */
    private static final int[] PAUSES_SECONDS = {1, 2, 5, 10, 20, 30, 60};

    private PutBackProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        var debts = new Debts(Path.of(arguments[0]), new Proc());
        long pid = Long.parseLong(arguments[1]);
        for (int pause : PAUSES_SECONDS) {
            if (isDone(debts, pid)) {
                return;
            }
            Thread.sleep(pause * 1_000L);
        }
        System.exit(isDone(debts, pid) ? 0 : 1);
    }

    private static boolean isDone(Debts debts, long pid) throws InterruptedException {
        try {
            List<PutBack> all = ValueRestore.putBack(debts, OptionalLong.of(pid));
            all.forEach(p -> System.out.println(p.text()));
            return all.stream().noneMatch(p -> p.state() == PutBack.State.FAILED);
        } catch (LabException e) {
            System.out.println(e.getMessage());
            return false;
        }
    }
}
