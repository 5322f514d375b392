package dev.fettle.load.engine;

import dev.fettle.load.EngineThreadUse;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Runs the engine by hand, to look for hot spots: {@code host port path connections threads seconds keepAlive [cpu]}. Prints
 * one line: requests, failures, requests a second, requests a CPU-second of the engine threads, percentiles in microseconds.
 */
final class LoadRunner {

    private LoadRunner() {}

    public static void main(String[] args) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(args[0]), Integer.parseInt(args[1]));
        LoadSpec spec = LoadSpec.builder(address, RequestTemplate.get(args[2]))
                .connections(Integer.parseInt(args[3]))
                .threads(Integer.parseInt(args[4]))
                .maxDuration(Duration.ofSeconds(Long.parseLong(args[5])))
                .keepAlive(Boolean.parseBoolean(args[6]))
                .wire(Wire.PLAIN.withTransport(TransportKind.valueOf(System.getProperty("fettle.transport", "AUTO"))))
                .cpus(args.length > 7 ? Set.of(Integer.parseInt(args[7])) : Set.of())
                .build();
        try (LoadRun run = LoadEngine.start(spec)) {
            Window first = null;
            while (!run.awaitDone(Duration.ofMillis(500))) {
                Window window = run.takeWindow();
                first = first == null ? window : Window.merge(List.of(first, window));
            }
            Window last = run.takeWindow();
            Window all = first == null ? last : Window.merge(List.of(first, last));
            double cpuSeconds =
                    all.threads().stream().mapToLong(EngineThreadUse::cpuNanos).sum() / 1e9;
            System.out.printf(
                    "%d ok, %d failed, %d reconnects, %.0f/s, %.0f per CPU-s, share %.2f, p50 %.1f p99 %.1f max %.1f us, lag %d us %s %s%n",
                    all.responses(),
                    all.failed(),
                    all.reconnects(),
                    all.responsesPerSecond(),
                    all.responses() / cpuSeconds,
                    all.maxCpuShare(),
                    all.latency().getValueAtPercentile(50) / 1e3,
                    all.latency().getValueAtPercentile(99) / 1e3,
                    all.latency().getMaxValue() / 1e3,
                    all.maxLoopLag().toNanos() / 1000,
                    all.errors(),
                    run.notes());
        }
    }
}
