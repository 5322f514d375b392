package dev.fettle.cli;

import dev.fettle.watch.host.Proc;
import dev.fettle.watch.host.Proc.CpuTimes;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Measures while this machine is left alone. Whether it was is known from the kernel's counters and a clock, never from what was
 * measured: if others used its CPUs meanwhile, it is measured again once they have ended. After a few times what was measured last is
 * the result: it is asked the same of.
 */
final class Calmly {
    private static final int TIMES = 3;
    private static final int LONGEST_WAIT_SECONDS = 60;

    /** What others may use, as a share of all CPUs: the bounds of the validity gate. */
    private static final double FOREIGN = 0.1;

    private static final double STEAL = 0.03;

    private static final Proc PROC = new Proc();

    private Calmly() {}

    /** Its result, of a time in which the machine was calm if there is one. */
    static <T> T measured(Callable<T> what) throws Exception {
        return measured(
                        () -> {
                            try (var machine = new Stalls();
                                    var own = new OwnCpu()) {
                                Mark before = Mark.now();
                                T result = what.call();
                                return new Seen<>(result, before.disturbed(machine.seen(), own.seconds()));
                            }
                        },
                        Seen::disturbed)
                .result;
    }

    private record Seen<T>(T result, Optional<String> disturbed) {}

    /** The same, where the result itself has what others did meanwhile. */
    static <T> T measured(Callable<T> what, Function<T, Optional<String>> disturbed) throws Exception {
        for (int n = 1; ; n++) {
            await();
            T result = what.call();
            Optional<String> why = disturbed.apply(result);
            if (why.isEmpty() || n == TIMES) {
                return result;
            }
            System.out.println("measured again: " + why.get());
        }
    }

    private static void await() throws InterruptedException {
        for (int second = 0; second < LONGEST_WAIT_SECONDS; second++) {
            Mark before = Mark.now();
            TimeUnit.SECONDS.sleep(1);
            if (before.disturbed(0, 0).isEmpty()) {
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

        /** @param own CPU seconds since then that are no disturbance */
        Optional<String> disturbed(int stalls, double own) {
            Mark now = now();
            double all = now.total - total;
            double foreign = Math.max(0, now.busy - busy - own) / all;
            double stolen = (now.steal - steal) / all;
            return stalls > 0 || foreign > FOREIGN || stolen > STEAL
                    ? Optional.of(String.format(
                            Locale.ROOT,
                            "others used %.0f %% of the CPUs, %.0f %% were stolen, %d times everything stood still",
                            100 * foreign,
                            100 * stolen,
                            stalls))
                    : Optional.empty();
        }
    }
}
