package dev.fettle.report.table;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.report.BenchReport;
import dev.fettle.report.ErrorAdvice;
import dev.fettle.report.Histograms;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * A bench in Prometheus' text format (version 0.0.4), for node exporter's textfile collector or a Pushgateway. Times are in
 * seconds, names begin with {@code fettle_bench_}.
 */
public final class PrometheusReport {
    private final MetricText out = new MetricText("fettle_bench_");

    private PrometheusReport() {}

    /** The text, each line ended. */
    public static String of(BenchReport r) {
        var p = new PrometheusReport();
        p.all(r);
        return p.out.text();
    }

    private void all(BenchReport r) {
        Measurement m = r.measurement();
        Map<String, String> info = new TreeMap<>();
        info.put("target", r.target());
        info.put("method", r.load().request().method());
        info.put("path", r.load().request().path());
        info.put("model", r.open() ? "open" : "closed");
        info.put("connections", Integer.toString(r.load().connections()));
        info.put("keep_alive", Boolean.toString(r.load().keepAlive()));
        out.head("info", "gauge", "What was loaded, and how.");
        out.sample("info", info, 1);
        one(
                "start_time_seconds",
                "gauge",
                "When it began, seconds since 1970.",
                r.started().toEpochMilli() / 1e3);
        one("elapsed_seconds", "gauge", "How long was measured.", m.elapsed().toNanos() / 1e9);
        one("valid", "gauge", "Whether the figures are valid: 1 or 0.", r.valid() ? 1 : 0);
        one("responses_total", "counter", "Valid responses.", m.responses());
        out.head("errors_total", "counter", "Failed requests by kind and phase.");
        m.errors()
                .forEach((kind, n) -> out.sample(
                        "errors_total",
                        Map.of(
                                "kind",
                                kind.name().toLowerCase(Locale.ROOT),
                                "phase",
                                ErrorAdvice.of(kind).phase()),
                        n));
        out.head("statuses_total", "counter", "Responses by HTTP status.");
        m.statuses().forEach((status, n) -> out.sample("statuses_total", Map.of("status", status.toString()), n));
        one(
                "abandoned_total",
                "counter",
                "Requests given up because the load ended.",
                m.detail().abandoned());
        m.detail()
                .stuck()
                .ifPresent(s ->
                        one("stuck_total", "counter", "Of those, requests that had waited far too long.", s.count()));
        one(
                "unanswered_total",
                "counter",
                "Requests that the server left without an answer: they piled up or got stuck in it.",
                m.unanswered());
        one(
                "error_share",
                "gauge",
                "Requests that failed, were never sent or were left without an answer, of all: 0 to 1.",
                m.errorShare());
        one("read_bytes_total", "counter", "Bytes received.", m.bytesRead());
        one("reconnects_total", "counter", "Connections that the server had closed in order.", m.reconnects());
        one("connections", "gauge", "Connections achieved.", m.connectionsOpen());
        m.detail().offered().ifPresent(o -> {
            one("due_total", "counter", "Requests that the schedule wanted.", o.due());
            one("held_total", "counter", "Requests that had to wait for a connection.", o.held());
            one("unsent_total", "counter", "Requests that were due and never sent.", o.unsent());
        });
        Optional<Histogram> latency = Histograms.decode(m);
        latency.ifPresent(h -> {
            out.head("latency_seconds", "histogram", "Latency of valid responses from the intended send time.");
            out.histogram("latency_seconds", Map.of(), h);
        });
        summary(
                "service_seconds",
                "Latency of valid responses from the actual send.",
                m.detail().service());
        summary(
                "first_byte_seconds",
                "From the send to the first byte.",
                m.detail().firstByte());
        summary("connect_seconds", "Time to connect.", m.connect());
        if (r.open()) {
            summary(
                    "send_lag_seconds",
                    "How late requests left the generator.",
                    m.detail().sendLag());
        }
        evidence(r.evidence());
        if (!r.checks().isEmpty()) {
            out.head("condition_met", "gauge", "Whether a condition of --fail-if is met: 1 or 0.");
            r.checks()
                    .forEach(c -> out.sample(
                            "condition_met", Map.of("condition", c.condition().toString()), c.met() ? 1 : 0));
        }
    }

    private void evidence(Evidence e) {
        some("generator_cpu_share", "The busiest generator thread's share of a core.", e.generatorCpuShare());
        for (Aggregate a : Aggregate.values()) {
            String name = a.id().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            some(name, a.about(), e.get(a));
        }
    }

    private void some(String name, String help, OptionalFigure value) {
        value.ifPresent(v -> one(name, "gauge", help, v));
    }

    private void one(String name, String type, String help, double value) {
        out.head(name, type, help);
        out.sample(name, Map.of(), value);
    }

    private void one(String name, String type, String help, long value) {
        out.head(name, type, help);
        out.sample(name, Map.of(), value);
    }

    private void summary(String name, String help, LatencySummary s) {
        if (s.count() == 0) {
            return;
        }
        out.head(name, "summary", help);
        out.sample(name, Map.of("quantile", "0.5"), s.p50() / 1e9);
        out.sample(name, Map.of("quantile", "0.9"), s.p90() / 1e9);
        out.sample(name, Map.of("quantile", "0.99"), s.p99() / 1e9);
        out.sample(name, Map.of("quantile", "0.999"), s.p999() / 1e9);
        out.sample(name, Map.of("quantile", "1"), s.max() / 1e9);
        out.sample(name + "_sum", Map.of(), s.mean() * s.count() / 1e9);
        out.sample(name + "_count", Map.of(), s.count());
    }
}
