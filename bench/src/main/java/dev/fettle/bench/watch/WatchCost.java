package dev.fettle.bench.watch;

import dev.fettle.bench.Options;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.engine.LoadEngine;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.CpuOfThreads;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.HostSignals;
import dev.fettle.watch.host.ListenQueue;
import dev.fettle.watch.host.OwnCpu;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.JvmSignals;
import dev.fettle.watch.jvm.NativeNames;
import dev.fettle.watch.jvm.WorkerProbe;
import dev.fettle.watch.signal.SignalSource;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * What it costs a server that it is watched wholly, as by {@code fettle watch} and in a trial: slices with and without take turns,
 * without, with, with, without.
 *
 * <p>Two kinds of figures. Throughput, CPU time per request and p99, watched divided by unwatched: the median of the pairs' ratios,
 * and the interval that contains it in at least 95 % of all cases whatever their distribution (order statistics, exact by the
 * binomial distribution; Conover, Practical Nonparametric Statistics, 3.2). And, far less noisy, the CPU time that was spent on
 * watching: of this process all but the load engine's thread, and of the target the threads that answer (RMI, JMX, attach) and
 * the VM thread, each less what it is in the slices without.
 *
 * <p>{@code pid= port= connections= pairs= slice= (ms) cpu= path= warm= (slices)}
 */
public final class WatchCost {
    private static final Path PROC = Path.of("/proc");
    private static final Duration BETWEEN_SAMPLES = Duration.ofMillis(250);

    /** The target's threads that answer to who watches, by the kernel's names of 15 characters. */
    private static final List<String> ANSWERING = List.of("RMI ", "JMX ", "Attach Listener", "VM Thread", "GC Daemon");

    private final Proc proc = new Proc();
    private final long pid;
    private final CpuOfThreads engine;
    private final CpuOfThreads answering;
    private final CpuOfThreads asking;
    private final CpuOfThreads compiling;
    private long looks;

    private WatchCost(long pid) {
        this.pid = pid;
        this.engine = own("fettle-load");
        this.asking = own("fettle-ask-jvm");
        this.compiling = own("C1 Compiler", "C2 Compiler");
        this.answering = new CpuOfThreads(PROC, pid, n -> ANSWERING.stream().anyMatch(n::startsWith), 1);
    }

    /** The threads of this process whose names begin so. */
    private static CpuOfThreads own(String... names) {
        return new CpuOfThreads(
                PROC,
                ProcessHandle.current().pid(),
                n -> List.of(names).stream().anyMatch(n::startsWith),
                1);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Options o = Options.parse(args, "pid", "port", "connections", "pairs", "slice", "cpu", "path", "warm");
        new WatchCost(o.number("pid", 0)).run(o);
    }

    private void run(Options o) throws IOException, InterruptedException {
        int pairs = Math.toIntExact(o.number("pairs", 20));
        Duration slice = Duration.ofMillis(o.number("slice", 5000));
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Math.toIntExact(o.number("port", 18080)));
        LoadSpec load = LoadSpec.builder(address, RequestTemplate.get(o.text("path", "/")))
                .connections(Math.toIntExact(o.number("connections", 200)))
                .threads(1)
                .maxDuration(slice.multipliedBy(2L * pairs).plusSeconds(120))
                .cpus(Set.of(Math.toIntExact(o.number("cpu", 1))))
                .build();
        try (SignalSource host = HostSignals.of(proc, pid, NativeNames.of(pid));
                SignalSource jvm = JvmSignals.withWorkers(pid, address::getPort);
                LoadRun run = LoadEngine.start(load)) {
            var meter = new DisturbanceMeter(
                    proc,
                    proc.allowedCpus(Long.toString(pid)),
                    Set.of(),
                    List.of(pid, ProcessHandle.current().pid()));
            var queue = new ListenQueue(address.getPort());
            var watch = new HostWatch(
                    proc,
                    pid,
                    meter,
                    queue::state,
                    WorkerProbe.NONE,
                    List.of(host, jvm),
                    new TimelineRecorder(HostWatch.STEP_MILLIS));
            watch.begin();
            for (int i = 0; i < o.number("warm", 8); i++) { // warms both up
                slice(run, slice, watch, i % 2 == 1);
            }
            looks = 0;
            var watched = new ArrayList<Slice>();
            var alone = new ArrayList<Slice>();
            for (int i = 0; i < pairs; i++) {
                boolean watchedFirst = i % 2 == 1;
                Slice first = slice(run, slice, watch, watchedFirst);
                Slice second = slice(run, slice, watch, !watchedFirst);
                watched.add(watchedFirst ? first : second);
                alone.add(watchedFirst ? second : first);
            }
            print(watch, watched, alone);
        }
    }

    private void print(HostWatch watch, List<Slice> watched, List<Slice> alone) {
        System.out.println("throughput, watched / alone: " + ratio(watched, alone, s -> s.perSecond));
        System.out.println("  the server's CPU time a request: " + ratio(watched, alone, s -> s.cpuEach));
        System.out.println("  p99: " + ratio(watched, alone, s -> s.p99));
        double own = mean(watched, s -> s.own) - mean(alone, s -> s.own);
        double looking = mean(watched, s -> s.looking) - mean(alone, s -> s.looking);
        double asks = mean(watched, s -> s.asking) - mean(alone, s -> s.asking);
        double compilers = mean(watched, s -> s.compiling) - mean(alone, s -> s.compiling);
        double theirs = mean(watched, s -> s.answering) - mean(alone, s -> s.answering);
        int cpus = Math.max(1, proc.allowedCpus(Long.toString(pid)).size());
        var timeline = watch.recorder().timeline();
        System.out.printf(
                Locale.ROOT,
                "  CPU time spent on watching, a second: %.2f ms in Fettle (%.2f ms of it in the thread that looks at the"
                        + " kernel's files, %.2f in the one that asks the JVM, %.2f in the compilers of this JVM), %.2f ms in"
                        + " the target's threads that answer it: together %.2f %% of the target's %d CPU%s (the latter alone"
                        + " %.2f %%)%n",
                own,
                looking,
                asks,
                compilers,
                theirs,
                (own + theirs) / 10 / cpus,
                cpus,
                cpus == 1 ? "" : "s",
                theirs / 10 / cpus);
        System.out.printf(
                Locale.ROOT,
                "  %d looks; the timeline has %d figures of %d threads; %s%n",
                looks,
                timeline.series().size(),
                proc.threads(pid).size(),
                watch.notes().isEmpty() ? "nothing was done less often" : String.join("; ", watch.notes()));
    }

    /**
     * @param own CPU milliseconds a second of this process without its engine
     * @param looking of its thread that looks
     * @param asking of its thread that asks the JVM
     * @param compiling of its JVM's compilers
     * @param answering of the target's threads that answer
     */
    private record Slice(
            double perSecond,
            double cpuEach,
            double p99,
            double own,
            double looking,
            double asking,
            double compiling,
            double answering) {}

    private Slice slice(LoadRun run, Duration length, HostWatch watch, boolean watched)
            throws IOException, InterruptedException {
        double before = proc.cpuSeconds(pid).orElseThrow();
        double own = own();
        double looking = OwnCpu.nanos() / 1e6;
        double asked = millis(asking);
        double compiled = millis(compiling);
        double answers = millis(answering);
        long begin = System.nanoTime();
        long end = begin + length.toNanos();
        while (System.nanoTime() < end) {
            run.awaitDone(BETWEEN_SAMPLES);
            if (watched) {
                watch.sample();
                looks++;
            }
        }
        Window seen = run.takeWindow();
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Slice(
                seen.responsesPerSecond(),
                (proc.cpuSeconds(pid).orElseThrow() - before) / seen.responses(),
                seen.latency().getValueAtPercentile(99),
                (own() - own) / seconds,
                (OwnCpu.nanos() / 1e6 - looking) / seconds,
                (millis(asking) - asked) / seconds,
                (millis(compiling) - compiled) / seconds,
                (millis(answering) - answers) / seconds);
    }

    private static double millis(CpuOfThreads threads) {
        return threads.nanos().orElse(0) / 1e6;
    }

    /** CPU milliseconds of this process so far, but the engine's. */
    private double own() throws IOException {
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return (os.getProcessCpuTime() - engine.nanos().orElse(0)) / 1e6;
    }

    private static double mean(List<Slice> slices, ToDoubleFunction<Slice> figure) {
        return slices.stream().mapToDouble(figure).average().orElse(0);
    }

    private static String ratio(List<Slice> watched, List<Slice> alone, ToDoubleFunction<Slice> figure) {
        var ratios = new ArrayList<Double>();
        for (int i = 0; i < watched.size(); i++) {
            ratios.add(figure.applyAsDouble(watched.get(i)) / figure.applyAsDouble(alone.get(i)));
        }
        return words(ratios);
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
