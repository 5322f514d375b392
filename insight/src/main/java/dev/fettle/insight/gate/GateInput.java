package dev.fettle.insight.gate;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.trial.ErrorKind;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * The figures that the {@link ValidityGate} judges: those of a trial, or those that somebody published. Every figure is
 * optional; a rule whose figures are missing says nothing.
 *
 * @param clients concurrent clients or connections of a closed load
 * @param meanSeconds mean latency
 * @param throughput responses per second
 * @param thinkSeconds pause of a client between an answer and its next request; absent counts as none
 * @param answers HTTP responses received, right and wrong ones
 * @param wrong those of them that were not what was asked for: status, length, body, framing, a check of a scenario
 * @param failed attempts that did not end in a valid response, of every kind; includes {@code wrong}
 * @param own those of {@code failed} that the generator's own host is to blame for
 * @param valid valid responses
 * @param bytesPerAnswer bytes received per HTTP/1.1 response, heads included
 * @param headOnly whether responses without a body and its length are expected (status 204 or 304)
 * @param occupiedShare Little's law as measured: time that connections were occupied over connections × elapsed
 * @param busyShare share of their time that clients who think in between waited for the server; absent if they don't think
 * @param edge how far Little's law may be off because requests straddle both ends of the measuring phase: mean time of a
 *     request, and of the thinking after it, over the measuring time
 * @param connects connections opened in the measuring phase
 * @param slowConnectShare share of them that took 900 ms or more
 * @param generatorCpuShare the busiest generator thread's share of one core, 0 to 1
 * @param sendLagP99Millis how late requests left the generator, p99
 * @param heldShare share of an open load's requests that were due while no connection was free
 * @param slopePerMinute published relative change of throughput per minute, 0.02 is 2 %
 * @param windows the run over time; only the measured ones are judged
 * @param constant whether the load was the same all the time, so that its throughput should be
 * @param steal share of CPU time taken by the hypervisor, from all CPUs
 * @param serverSteal what it took from the target's own CPUs
 * @param generatorSteal share of the time of the generator's CPUs that it took
 * @param foreignCpu share of the CPU time of the used CPUs that other processes took
 * @param setting knob values that were set
 * @param effective knob values read back
 * @param serverCpus CPUs of the target; empty where unknown
 * @param generatorCpus CPUs of the generator; empty where unknown
 * @param measuredSeconds length of the measuring phase
 */
public record GateInput(
        OptionalDouble clients,
        OptionalDouble meanSeconds,
        OptionalDouble throughput,
        OptionalDouble thinkSeconds,
        OptionalDouble answers,
        OptionalDouble wrong,
        OptionalDouble failed,
        OptionalDouble own,
        OptionalDouble valid,
        OptionalDouble bytesPerAnswer,
        boolean headOnly,
        OptionalDouble occupiedShare,
        OptionalDouble busyShare,
        double edge,
        OptionalDouble connects,
        OptionalDouble slowConnectShare,
        OptionalDouble generatorCpuShare,
        OptionalDouble sendLagP99Millis,
        OptionalDouble heldShare,
        OptionalDouble slopePerMinute,
        List<Measurement.Window> windows,
        boolean constant,
        OptionalDouble steal,
        Optional<Steal> serverSteal,
        OptionalDouble generatorSteal,
        OptionalDouble foreignCpu,
        Setting setting,
        Map<String, String> effective,
        Set<Integer> serverCpus,
        Set<Integer> generatorCpus,
        OptionalDouble measuredSeconds) {

    /** The fact of an {@link Evidence} that lists the target's CPUs, {@code 0,1} or {@code 0-3}. */
    public static final String SERVER_CPUS = "server.cpus";

    /** The fact of an {@link Evidence} that lists the generator's CPUs. */
    public static final String GENERATOR_CPUS = "generator.cpus";

    public GateInput {
        windows = List.copyOf(windows);
        effective = Map.copyOf(effective);
        serverCpus = Set.copyOf(serverCpus);
        generatorCpus = Set.copyOf(generatorCpus);
    }

    /** Figures of one's own; everything is absent until it is given. */
    public static Builder published() {
        return new Builder();
    }

    /** The figures of a trial. */
    public static GateInput of(TrialSpec spec, Measurement m, Optional<Evidence> evidence) {
        double elapsed = m.elapsed().toNanos() / 1e9;
        long wrong = m.failed(ErrorKind::isWrongAnswer);
        long attempts = m.responses() + m.failed();
        var b = new Builder();
        b.throughput(m.throughput());
        // an open load has arrivals, not clients; and users who think within a scenario are occupied by that, too
        Load load = spec.load();
        boolean plain = load.arrivals() instanceof Arrivals.Closed
                && load.scenario().map(s -> !s.thinks()).orElse(true);
        double think = load.arrivals() instanceof Arrivals.Closed closed
                ? closed.think().toNanos() / 1e9
                : 0;
        boolean counted = plain && (think == 0 || load.scenario().isEmpty());
        double clients = load.clients();
        if (counted) {
            b.clients(clients).thinkSeconds(think);
        }
        m.detail().offered().filter(o -> o.due() > 0).ifPresent(o -> b.heldShare((double) o.held() / o.due()));
        b.valid(m.responses())
                .answers(m.responses() + wrong)
                .wrong(wrong)
                .failed(m.failed())
                .own(m.failed(ErrorKind::isGenerators));
        b.headOnly =
                spec.load().expect().status() == 204 || spec.load().expect().status() == 304;
        b.windows = m.windows();
        b.constant = constant(load.arrivals());
        b.setting = spec.setting();
        if (m.latency().count() > 0) {
            b.meanSeconds(m.latency().mean() / 1e9);
        }
        if (elapsed > 0) {
            b.measuredSeconds = OptionalDouble.of(elapsed);
            if (counted && clients > 0) {
                b.occupiedShare((m.occupied() + think * attempts) / (clients * elapsed));
            }
            if (load.arrivals() instanceof Arrivals.Closed && (think > 0 || !plain) && clients > 0) {
                b.busyShare(m.occupied() / (clients * elapsed));
            }
            double perAttempt = attempts == 0 ? 0 : m.occupied() / attempts;
            b.edge = (Math.max(perAttempt, m.latency().mean() / 1e9) + (counted ? think : 0)) / elapsed;
        }
        Wire.Protocol protocol = load.wire().protocol();
        if (m.responses() + wrong > 0 && protocol == Wire.Protocol.HTTP_1_1) {
            b.bytesPerAnswer((double) m.bytesRead() / (m.responses() + wrong));
        }
        // to open a WebSocket is the application's work, too: that it takes long does not mean that SYNs were lost
        if (m.connect().count() > 0 && !protocol.isWebSocket()) {
            b.connects(m.connect().count()).slowConnectShare(slowShare(m.connect(), 900_000_000L));
        }
        evidence.ifPresent(b::evidence);
        return b.build();
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

    /** The share of values that are certainly at or above a bound, by the quantiles. */
    private static double slowShare(LatencySummary s, long bound) {
        return s.p50() >= bound
                ? 0.5
                : s.p75() >= bound
                        ? 0.25
                        : s.p90() >= bound ? 0.1 : s.p95() >= bound ? 0.05 : s.p99() >= bound ? 0.01 : 0;
    }

    /** Gathers figures. */
    public static final class Builder {
        private OptionalDouble clients = OptionalDouble.empty();
        private OptionalDouble meanSeconds = OptionalDouble.empty();
        private OptionalDouble throughput = OptionalDouble.empty();
        private OptionalDouble thinkSeconds = OptionalDouble.empty();
        private OptionalDouble answers = OptionalDouble.empty();
        private OptionalDouble wrong = OptionalDouble.empty();
        private OptionalDouble failed = OptionalDouble.empty();
        private OptionalDouble own = OptionalDouble.empty();
        private OptionalDouble valid = OptionalDouble.empty();
        private OptionalDouble bytesPerAnswer = OptionalDouble.empty();
        private boolean headOnly;
        private OptionalDouble occupiedShare = OptionalDouble.empty();
        private OptionalDouble busyShare = OptionalDouble.empty();
        private double edge;
        private OptionalDouble connects = OptionalDouble.empty();
        private OptionalDouble slowConnectShare = OptionalDouble.empty();
        private OptionalDouble generatorCpuShare = OptionalDouble.empty();
        private OptionalDouble sendLagP99Millis = OptionalDouble.empty();
        private OptionalDouble heldShare = OptionalDouble.empty();
        private OptionalDouble slopePerMinute = OptionalDouble.empty();
        private List<Measurement.Window> windows = List.of();
        private boolean constant = true;
        private OptionalDouble steal = OptionalDouble.empty();
        private Optional<Steal> serverSteal = Optional.empty();
        private OptionalDouble generatorSteal = OptionalDouble.empty();
        private OptionalDouble foreignCpu = OptionalDouble.empty();
        private Setting setting = Setting.DEFAULT;
        private Map<String, String> effective = new TreeMap<>();
        private Set<Integer> serverCpus = Set.of();
        private Set<Integer> generatorCpus = Set.of();
        private OptionalDouble measuredSeconds = OptionalDouble.empty();

        private Builder() {}

        /** Concurrent clients. */
        public Builder clients(double n) {
            clients = OptionalDouble.of(n);
            return this;
        }

        /** Mean latency in seconds. */
        public Builder meanSeconds(double seconds) {
            meanSeconds = OptionalDouble.of(seconds);
            return this;
        }

        /** Responses per second. */
        public Builder throughput(double perSecond) {
            throughput = OptionalDouble.of(perSecond);
            return this;
        }

        /** Think time in seconds. */
        public Builder thinkSeconds(double seconds) {
            thinkSeconds = OptionalDouble.of(seconds);
            return this;
        }

        /** Responses received, right and wrong. */
        public Builder answers(double n) {
            answers = OptionalDouble.of(n);
            return this;
        }

        /** Wrong answers among them; non-2xx ones, say. */
        public Builder wrong(double n) {
            wrong = OptionalDouble.of(n);
            return this;
        }

        /** Failed attempts of every kind. */
        public Builder failed(double n) {
            failed = OptionalDouble.of(n);
            return this;
        }

        /** Failed attempts that the generator's own host is to blame for. */
        public Builder own(double n) {
            own = OptionalDouble.of(n);
            return this;
        }

        /** Valid responses. */
        public Builder valid(double n) {
            valid = OptionalDouble.of(n);
            return this;
        }

        /** Bytes received per response. */
        public Builder bytesPerAnswer(double bytes) {
            bytesPerAnswer = OptionalDouble.of(bytes);
            return this;
        }

        /** Occupied time over connections × elapsed. */
        public Builder occupiedShare(double share) {
            occupiedShare = OptionalDouble.of(share);
            return this;
        }

        /** How far Little's law may be off at the ends. */
        public Builder edge(double share) {
            edge = share;
            return this;
        }

        /** Share of their time that thinking clients waited for the server. */
        public Builder busyShare(double share) {
            busyShare = OptionalDouble.of(share);
            return this;
        }

        /** Connections opened in the measuring phase. */
        public Builder connects(double n) {
            connects = OptionalDouble.of(n);
            return this;
        }

        /** Share of connects that took 900 ms or more. */
        public Builder slowConnectShare(double share) {
            slowConnectShare = OptionalDouble.of(share);
            return this;
        }

        /** The busiest generator thread's share of a core. */
        public Builder generatorCpuShare(double share) {
            generatorCpuShare = OptionalDouble.of(share);
            return this;
        }

        /** Send lag at p99 in milliseconds. */
        public Builder sendLagP99Millis(double millis) {
            sendLagP99Millis = OptionalDouble.of(millis);
            return this;
        }

        /** Share of an open load's requests that had to wait for a connection. */
        public Builder heldShare(double share) {
            heldShare = OptionalDouble.of(share);
            return this;
        }

        /** Relative change of throughput per minute. */
        public Builder slopePerMinute(double share) {
            slopePerMinute = OptionalDouble.of(share);
            return this;
        }

        /** The run over time. */
        public Builder windows(List<Measurement.Window> run) {
            windows = run;
            return this;
        }

        /** Share of CPU time taken by the hypervisor. */
        public Builder steal(double share) {
            steal = OptionalDouble.of(share);
            return this;
        }

        /** What was taken from the target's own CPUs, and the share of the generator's. */
        public Builder stealOf(Steal server, double generator) {
            serverSteal = Optional.of(server);
            generatorSteal = OptionalDouble.of(generator);
            return this;
        }

        /** Share of the used CPUs' time that other processes took. */
        public Builder foreignCpu(double share) {
            foreignCpu = OptionalDouble.of(share);
            return this;
        }

        /** What was set, and what was read back. */
        public Builder knobs(Setting set, Map<String, String> readBack) {
            setting = set;
            effective = readBack;
            return this;
        }

        /** On which CPUs the target and the generator ran. */
        public Builder cpus(Set<Integer> server, Set<Integer> generator) {
            serverCpus = server;
            generatorCpus = generator;
            return this;
        }

        private void evidence(Evidence e) {
            generatorCpuShare = e.generatorCpuShare();
            sendLagP99Millis = e.sendLagP99Millis();
            steal = e.steal();
            serverSteal = Steal.of(e, measuredSeconds.orElse(0));
            generatorSteal = e.generatorSteal();
            foreignCpu = e.foreignCpu();
            effective = e.effective();
            serverCpus = CpuList.parse(e.facts().getOrDefault(SERVER_CPUS, ""));
            generatorCpus = CpuList.parse(e.facts().getOrDefault(GENERATOR_CPUS, ""));
        }

        /** The figures so far. */
        public GateInput build() {
            return new GateInput(
                    clients,
                    meanSeconds,
                    throughput,
                    thinkSeconds,
                    answers,
                    wrong,
                    failed,
                    own,
                    valid,
                    bytesPerAnswer,
                    headOnly,
                    occupiedShare,
                    busyShare,
                    edge,
                    connects,
                    slowConnectShare,
                    generatorCpuShare,
                    sendLagP99Millis,
                    heldShare,
                    slopePerMinute,
                    windows,
                    constant,
                    steal,
                    serverSteal,
                    generatorSteal,
                    foreignCpu,
                    setting,
                    effective,
                    serverCpus,
                    generatorCpus,
                    measuredSeconds);
        }
    }
}
