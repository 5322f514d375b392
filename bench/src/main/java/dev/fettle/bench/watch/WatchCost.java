package dev.fettle.bench.watch;

import dev.fettle.bench.Options;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.engine.LoadEngine;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.HostSignals;
import dev.fettle.watch.host.ListenQueue;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.JvmProbe;
import dev.fettle.watch.jvm.WorkerProbe;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Throughput, CPU time per request and p99 of a watched server, divided by those of the same server unwatched, in slices
 * that take turns: without, with, with, without. Prints the median of the pairs' ratios, and the interval that contains
 * it in at least 95 % of all cases whatever their distribution (order statistics, exact by the binomial distribution;
 * Conover, Practical Nonparametric Statistics, 3.2).
 *
 * <p>{@code pid= prefix= port= connections= pairs= slice= (ms) cpu= path=}
 */
public final class WatchCost {
    private static final Duration BETWEEN_SAMPLES = Duration.ofMillis(250);

    private final Proc proc = new Proc();
    private final long pid;
    private long looking;
    private long looks;

    private WatchCost(long pid) {
        this.pid = pid;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Options o = Options.parse(args, "pid", "prefix", "port", "connections", "pairs", "slice", "cpu", "path");
        new WatchCost(o.number("pid", 0)).run(o);
    }

    private void run(Options o) throws IOException, InterruptedException {
        int pairs = Math.toIntExact(o.number("pairs", 20));
        Duration slice = Duration.ofMillis(o.number("slice", 1500));
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Math.toIntExact(o.number("port", 18080)));
        LoadSpec load = LoadSpec.builder(address, RequestTemplate.get(o.text("path", "/")))
                .connections(Math.toIntExact(o.number("connections", 200)))
                .threads(1)
                .maxDuration(slice.multipliedBy(2L * pairs).plusSeconds(60))
                .cpus(Set.of(Math.toIntExact(o.number("cpu", 1))))
                .build();
        try (WorkerProbe probe = JvmProbe.attach(pid, o.text("prefix", "worker-"));
                SignalSource host = HostSignals.of(proc, pid, Map::of);
                LoadRun run = LoadEngine.start(load)) {
            var meter = new DisturbanceMeter(proc, proc.allowedCpus(Long.toString(pid)), Set.of(), List.of(pid));
            var queue = new ListenQueue(address.getPort());
            var watch = new HostWatch(proc, pid, meter, queue::state, probe, List.of(host));
            watch.begin();
            for (int i = 0; i < 8; i++) { // warms both up
                slice(run, slice, watch, i % 2 == 1);
            }
            var throughput = new ArrayList<Double>();
            var cpu = new ArrayList<Double>();
            var p99 = new ArrayList<Double>();
            for (int i = 0; i < pairs; i++) {
                boolean watchedFirst = i % 2 == 1;
                Slice first = slice(run, slice, watch, watchedFirst);
                Slice second = slice(run, slice, watch, !watchedFirst);
                Slice watched = watchedFirst ? first : second;
                Slice alone = watchedFirst ? second : first;
                throughput.add(watched.perSecond / alone.perSecond);
                cpu.add(watched.cpuEach / alone.cpuEach);
                p99.add(watched.p99 / alone.p99);
            }
            System.out.println("throughput, watched / alone: " + words(throughput));
            System.out.println("  the server's CPU time a request: " + words(cpu));
            System.out.println("  p99: " + words(p99));
            System.out.printf(
                    Locale.ROOT,
                    "  a look took %.2f ms, mean of %d; the timeline has %d figures%n",
                    looking / 1e6 / Math.max(1, looks),
                    looks,
                    watch.recorder().timeline().series().size());
            probe.note().ifPresent(n -> System.out.println("  " + n));
        }
    }

    private record Slice(double perSecond, double cpuEach, double p99) {}

    private Slice slice(LoadRun run, Duration length, HostWatch watch, boolean watched) throws InterruptedException {
        double before = proc.cpuSeconds(pid).orElseThrow();
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            run.awaitDone(BETWEEN_SAMPLES);
            if (watched) {
                long begin = System.nanoTime();
                watch.sample();
                looking += System.nanoTime() - begin;
                looks++;
            }
        }
        Window seen = run.takeWindow();
        return new Slice(
                seen.responsesPerSecond(),
                (proc.cpuSeconds(pid).orElseThrow() - before) / seen.responses(),
                seen.latency().getValueAtPercentile(99));
    }

    private static String words(List<Double> ratios) {
        Collections.sort(ratios);
        int n = ratios.size();
        int k = 0; // the k-th smallest and the k-th largest contain the median except with a chance of 2 P(B <= k)
        double below = Math.pow(0.5, n);
        double term = below;
        while (2 * (below + term * (n - k) / (k + 1)) < 0.05) {
            term *= (double) (n - k) / (k + 1);
            below += term;
            k++;
        }
        double median = n % 2 == 1 ? ratios.get(n / 2) : (ratios.get(n / 2 - 1) + ratios.get(n / 2)) / 2;
        return String.format(
                Locale.ROOT,
                "median %.4f, 95 %% interval %.4f to %.4f, %d pairs",
                median,
                ratios.get(k),
                ratios.get(n - 1 - k),
                n);
    }
}
