package dev.fettle.cli;

import dev.fettle.watch.host.Proc;
import dev.fettle.watch.host.Proc.CpuTimes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Measures while this machine is left alone. Whether it was is known from the kernel's counters and a clock, never from the figures that
 * are asked about: if others used its CPUs meanwhile, it is measured again once they have ended. After a few times what was measured
 * last is the result: it is asked the same of.
 */
final class Calmly {
    private static final int TIMES = 3;
    /** For all of this JVM's measurements together: a machine that is never calm holds up none of them for long. */
    private static int waitSeconds = 60;

    /** What others may use, as a share of all CPUs: the bounds of the validity gate. */
    private static final double FOREIGN = 0.1;

    private static final double STEAL = 0.03;

    private static final Proc PROC = new Proc();

    private Calmly() {}

    /**
     * Its result, of a time in which the machine was calm if there is one.
     *
     * @param disturbed what others did meanwhile, by counters of the kernel that the result holds
     */
    static <T> T measured(Callable<T> what, Function<T, Optional<String>> disturbed) throws Exception {
        for (int n = 1; ; n++) {
            await();
            try (var machine = new Stalls()) {
                T result = what.call();
                Optional<String> why = machine.seen() > 0
                        ? Optional.of(machine.seen() + " times everything stood still")
                        : disturbed.apply(result);
                if (why.isEmpty() || n == TIMES) {
                    return result;
                }
                System.out.println("measured again: " + why.get());
            }
        }
    }

    private static void await() throws InterruptedException {
        for (; waitSeconds > 0; waitSeconds--) {
            Mark before = Mark.now();
            TimeUnit.SECONDS.sleep(1);
            if (before.calm()) {
                return;
            }
        }
    }

    /**
     * A moment.
     *
     * @param busy CPU seconds of all processes
     */
    private record Mark(double total, double steal, double busy) {
        static Mark now() {
            Map<Integer, CpuTimes> cpus = PROC.cpuTimes().orElseThrow();
            ToDoubleFunction<ToDoubleFunction<CpuTimes>> sum =
                    part -> cpus.values().stream().mapToDouble(part).sum();
            return new Mark(
                    sum.applyAsDouble(CpuTimes::total),
                    sum.applyAsDouble(CpuTimes::steal),
                    sum.applyAsDouble(CpuTimes::process));
        }

        boolean calm() {
            Mark now = now();
            double all = now.total - total;
            return now.busy - busy <= FOREIGN * all && now.steal - steal <= STEAL * all;
        }
    }
}
