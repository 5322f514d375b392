package dev.fettle.lab.process;

import dev.fettle.model.text.CpuList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Sets where threads run and their weight, through util-linux's taskset(1) and chrt(1). Each call returns whether it worked. */
final class Scheduling {
    private static final String LEAST = "19";

    private Scheduling() {}

    /** Moves a thread to CPUs. */
    static boolean moveThread(long id, Set<Integer> cpus) throws InterruptedException {
        return run(List.of("taskset", "-p", "-c", CpuList.text(cpus), Long.toString(id)));
    }

    /** Moves a process with all its threads to CPUs; those it starts later inherit it. */
    static boolean moveProcess(long pid, Set<Integer> cpus) throws InterruptedException {
        return run(List.of("taskset", "-a", "-p", "-c", CpuList.text(cpus), Long.toString(pid)));
    }

    /** Lets a thread run only when nothing else in its group wants the CPU. */
    static boolean idle(long id) throws InterruptedException {
        return run(List.of("chrt", "--idle", "--pid", "0", Long.toString(id)));
    }

    /** Gives the session of a process the lowest weight, if the kernel schedules by session; see sched(7), autogroup. */
    static boolean leastSessionWeight(long pid) {
        try {
            Files.writeString(Path.of("/proc/" + pid + "/autogroup"), LEAST, StandardOpenOption.WRITE);
            return true;
        } catch (IOException e) {
            return false; // no autogroups here: threads are scheduled individually, and the idle policy is enough
        }
    }

    private static boolean run(List<String> command) throws InterruptedException {
        try {
            Process program = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            program.getOutputStream().close();
            if (program.waitFor(5, TimeUnit.SECONDS)) {
                return program.exitValue() == 0;
            }
            program.destroyForcibly();
            return false;
        } catch (IOException e) {
            return false; // there is no such program
        }
    }
}
