package dev.fettle.insight.gate;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.AgentFigures;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The figures that the {@link ValidityGate} judges: a trial's, or published ones. Every figure is optional; a rule whose
 * figures are missing does not fire.
 *
 * @param headOnly whether there may be responses that are but a head and don't say a length
 * @param windows the run over time; only the measured ones are judged
 * @param constant whether the load was constant, so that throughput should be too
 * @param serverSteal time the hypervisor took from the target's own CPUs
 * @param setting knob values that were set
 * @param effective knob values read back
 * @param serverCpus CPUs of the target; empty where unknown
 * @param generatorCpus CPUs of the generator; empty where unknown
 * @param agents the hosts that sent the load; empty where one generator did
 */
@RecordBuilder
public record GateInput(
        Map<Figure, Double> figures,
        boolean headOnly,
        List<Measurement.Window> windows,
        boolean constant,
        Optional<Steal> serverSteal,
        Setting setting,
        Map<String, String> effective,
        Set<Integer> serverCpus,
        Set<Integer> generatorCpus,
        List<AgentFigures> agents)
        implements GateInputBuilder.With {

    /** A figure. */
    public enum Figure {
        /** Concurrent clients or connections of a closed load. */
        CLIENTS,
        /** 1 if there were so many at most, as in a ramp: only the upper bound of Little's law holds; absent otherwise. */
        CLIENTS_AT_MOST,
        /** Mean latency. */
        MEAN_SECONDS,
        /** By how much the mean may have been less than a published figure says; absent if not at all. */
        MEAN_BELOW_SECONDS,
        /** By how much it may have been more. */
        MEAN_ABOVE_SECONDS,
        /** Responses per second. */
        THROUGHPUT,
        /** A client's pause between an answer and its next request; absent means none. */
        THINK_SECONDS,
        /** HTTP responses received, right and wrong ones. */
        ANSWERS,
        /** Of those, the ones not as expected: status, length, body, framing, or a scenario's check. */
        WRONG,
        /** Attempts without a valid response, for any reason; includes {@link #WRONG}. */
        FAILED,
        /** Requests without an answer at the end that had waited longer than chance explains; absent if there were none. */
        STUCK,
        /** How long the oldest of them had waited. */
        STUCK_SECONDS,
        /** Of {@link #FAILED}, those caused by the generator's own host. */
        OWN,
        /** Valid responses. */
        VALID,
        /** Bytes received per HTTP/1.1 response, heads included. */
        BYTES_PER_ANSWER,
        /** Little's law as measured: occupied connection time / (connections × elapsed time). */
        OCCUPIED_SHARE,
        /** Share of their time that clients with think time waited for the server; absent without think time. */
        BUSY_SHARE,
        /** Connections opened in the measuring phase; absent where slow ones don't tell of lost SYNs, see {@link LostSyns}. */
        CONNECTS,
        /** Share of them that took 900 ms or more. */
        SLOW_CONNECT_SHARE,
        /** 1 if the target's own accept queue was seen full or dropped connections; absent if it was not watched or not full. */
        OWN_QUEUE_FULL,
        /** The busiest generator thread's share of one core, 0 to 1. */
        GENERATOR_CPU_SHARE,
        /** Failed attempts whose time is among the latencies, as other tools count them; absent where it is left out, as in a trial. */
        FAILED_TIMED,
        /** How late requests left the generator, p99. */
        SEND_LAG_P99_MILLIS,
        /** The most that it may be, if not the usual. */
        SEND_LAG_BOUND_MILLIS,
        /** Share of an open load's requests that were due while no connection was free. */
        HELD_SHARE,
        /** Published relative change of throughput per minute, 0.02 is 2 %. */
        SLOPE_PER_MINUTE,
        /** Share of all CPUs' time taken by the hypervisor. */
        STEAL,
        /** Share of the generator CPUs' time taken by the hypervisor. */
        GENERATOR_STEAL,
        /** Share of the used CPUs' time taken by other processes. */
        FOREIGN_CPU,
        /**
         * How far Little's law may be off because requests straddle both ends of the measuring phase: (mean latency + think
         * time) / measuring time.
         */
        EDGE,
        /** Length of the measuring phase. */
        MEASURED_SECONDS
    }

    public GateInput {
        figures = Map.copyOf(figures);
        windows = List.copyOf(windows);
        effective = Map.copyOf(effective);
        serverCpus = Set.copyOf(serverCpus);
        generatorCpus = Set.copyOf(generatorCpus);
        agents = List.copyOf(agents);
    }

    boolean has(Figure figure) {
        return get(figure).isPresent();
    }

    /** A figure, or 0 if it is absent. */
    double of(Figure figure) {
        return get(figure).orElse(0);
    }

    /** For published figures; everything is absent until given. */
    public static GateInput published() {
        return new GateInput(
                Map.of(),
                false,
                List.of(),
                true,
                Optional.empty(),
                Setting.DEFAULT,
                Map.of(),
                Set.of(),
                Set.of(),
                List.of());
    }

    /** The figures of a trial. */
    public static GateInput of(TrialSpec spec, Measurement m, Optional<Evidence> evidence) {
        double elapsed = m.elapsed().toNanos() / 1e9;
        long wrong = m.failed(ErrorKind::isWrongAnswer);
        long attempts = m.responses() + m.failed();
        var f = new EnumMap<Figure, Double>(Figure.class);
        f.put(Figure.THROUGHPUT, m.throughput());
        // an open load has arrivals, not clients; and think time within a scenario counts as occupied
        Load load = spec.load();
        boolean plain = load.arrivals() instanceof Arrivals.Closed
                && load.scenario().map(s -> !s.thinks()).orElse(true);
        double think = load.arrivals() instanceof Arrivals.Closed closed
                ? closed.think().toNanos() / 1e9
                : 0;
        boolean counted = plain && (think == 0 || load.scenario().isEmpty());
        double clients = load.clients();
        if (counted) {
            f.put(Figure.CLIENTS, clients);
            f.put(Figure.THINK_SECONDS, think);
        }
        m.detail()
                .offered()
                .filter(o -> o.due() > 0)
                .ifPresent(o -> f.put(Figure.HELD_SHARE, (double) o.held() / o.due()));
        m.detail().stuck().ifPresent(s -> {
            f.put(Figure.STUCK, (double) s.count());
            f.put(Figure.STUCK_SECONDS, s.oldestSeconds());
        });
        f.put(Figure.VALID, (double) m.responses());
        f.put(Figure.ANSWERS, (double) m.responses() + wrong);
        f.put(Figure.WRONG, (double) wrong);
        f.put(Figure.FAILED, (double) m.failed());
        f.put(Figure.OWN, (double) m.failed(ErrorKind::isGenerators));
        if (m.latency().count() > 0) {
            f.put(Figure.MEAN_SECONDS, m.latency().mean() / 1e9);
        }
        if (elapsed > 0) {
            f.put(Figure.MEASURED_SECONDS, elapsed);
            if (counted && clients > 0) {
                f.put(Figure.OCCUPIED_SHARE, (m.occupied() + think * attempts) / (clients * elapsed));
            }
            if (load.arrivals() instanceof Arrivals.Closed && (think > 0 || !plain) && clients > 0) {
                f.put(Figure.BUSY_SHARE, m.occupied() / (clients * elapsed));
            }
            double perAttempt = attempts == 0 ? 0 : m.occupied() / attempts;
            f.put(Figure.EDGE, (Math.max(perAttempt, m.latency().mean() / 1e9) + (counted ? think : 0)) / elapsed);
        }
        Protocol protocol = load.wire().protocol();
        if (m.responses() + wrong > 0 && protocol == Protocol.HTTP_1_1) {
            f.put(Figure.BYTES_PER_ANSWER, (double) m.bytesRead() / (m.responses() + wrong));
        }
        // a slow TLS handshake, or the application that opens a WebSocket slowly, does not mean lost SYNs
        if (m.connect().count() > 0 && LostSyns.told(load, m, evidence)) {
            f.put(Figure.CONNECTS, (double) m.connect().count());
            f.put(Figure.SLOW_CONNECT_SHARE, slowShare(m.connect(), LostSyns.SENT_AGAIN_NANOS));
        }
        evidence.ifPresent(e -> {
            e.generatorCpuShare().ifPresent(v -> f.put(Figure.GENERATOR_CPU_SHARE, v));
            e.sendLagP99Millis().ifPresent(v -> f.put(Figure.SEND_LAG_P99_MILLIS, v));
            e.get(Aggregate.STEAL).ifPresent(v -> f.put(Figure.STEAL, v));
            e.get(Aggregate.GENERATOR_STEAL).ifPresent(v -> f.put(Figure.GENERATOR_STEAL, v));
            if (e.acceptQueueWasFull()) {
                f.put(Figure.OWN_QUEUE_FULL, 1.0);
            }
            e.get(Aggregate.FOREIGN_CPU).ifPresent(v -> f.put(Figure.FOREIGN_CPU, v));
        });
        return new GateInput(
                f,
                lengthless(load, m, wrong),
                m.windows(),
                constant(load.arrivals()),
                evidence.flatMap(e -> Steal.of(e, elapsed)),
                spec.setting(),
                evidence.map(Evidence::effective).orElse(Map.of()),
                evidence.map(e -> e.cpus().server()).orElse(Set.of()),
                evidence.map(e -> e.cpus().generator()).orElse(Set.of()),
                evidence.map(Evidence::agents).orElse(List.of()));
    }

    /** RFC 9112, 6.3: to a HEAD, with a status without a body, or if the body ends with the connection. */
    private static boolean lengthless(Load load, Measurement m, long wrong) {
        int status = load.expect().status();
        return status == 204
                || status == 304
                || wrong > 0 // of any status
                || load.scenario().isPresent()
                || load.request().method().equals("HEAD")
                || !load.keepAlive()
                || m.reconnects() > 0;
    }

    private static boolean constant(Arrivals arrivals) {
        return switch (arrivals) {
            case Arrivals.Closed _ -> true;
            case Arrivals.Open open ->
                open.stages().stream()
                                        .mapToDouble(Arrivals.Stage::from)
                                        .distinct()
                                        .count()
                                == 1
                        && open.stages().stream().allMatch(s -> s.from() == s.to());
        };
    }

    /** A lower bound, from the quantiles, of the share of values at or above a bound. */
    private static double slowShare(LatencySummary s, long bound) {
        return s.p50() >= bound
                ? 0.5
                : s.p75() >= bound
                        ? 0.25
                        : s.p90() >= bound ? 0.1 : s.p95() >= bound ? 0.05 : s.p99() >= bound ? 0.01 : 0;
    }

    public OptionalFigure get(Figure figure) {
        Double value = figures.get(figure);
        return value == null ? OptionalFigure.empty() : OptionalFigure.of(value);
    }

    public GateInput with(Figure figure, double value) {
        var more = new EnumMap<Figure, Double>(Figure.class);
        more.putAll(figures);
        more.put(figure, value);
        return withFigures(more);
    }
}
