package dev.fettle.insight.diagnose;

import dev.fettle.insight.Simulated;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.ErrorKind;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.HostSeen;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What a trial of ten seconds saw: of a healthy server with one CPU, unless it is told otherwise. */
final class Seen {
    static final int SECONDS = 10;

    private int clients = 64;
    private double rate = 1000;
    private double latency = 0.064;
    private double busy = 40;
    private int threads = 200;
    private double cpu = 0.4;
    private double gc;
    private long reconnects;
    private boolean looked = true;
    private Optional<TrialOutcome.Failure> failure = Optional.empty();
    private final Map<ErrorKind, Long> errors = new EnumMap<>(ErrorKind.class);
    private final Map<Integer, Long> statuses = new HashMap<>();
    private final Map<String, Series> series = new HashMap<>();
    private final List<Sighting> sightings = new ArrayList<>();
    private List<Verdict.Reason> reasons = List.of();

    Seen clients(int n, double perSecond, double seconds) {
        clients = n;
        rate = perSecond;
        latency = seconds;
        return this;
    }

    Seen workers(double mean, int of) {
        busy = mean;
        threads = of;
        return this;
    }

    Seen cpu(double share) {
        cpu = share;
        return this;
    }

    Seen gc(double share) {
        gc = share;
        return this;
    }

    Seen reconnects(long n) {
        reconnects = n;
        return this;
    }

    Seen notLooked() {
        looked = false;
        return this;
    }

    Seen failed(TrialOutcome.Kind kind) {
        return failed(kind, new Sighting[0]);
    }

    Seen failed(TrialOutcome.Kind kind, Sighting... seen) {
        failure = Optional.of(new TrialOutcome.Failure(kind, "it said so", List.of(seen)));
        return this;
    }

    Seen errors(ErrorKind kind, long n) {
        errors.put(kind, n);
        return this;
    }

    Seen status(int status, long n) {
        statuses.put(status, n);
        return this;
    }

    Seen always(String signal, double value) {
        double[] v = new double[SECONDS];
        java.util.Arrays.fill(v, value);
        return over(signal, v);
    }

    Seen over(String signal, double... values) {
        series.put(signal, Series.of(values));
        return this;
    }

    Seen sighted(String kind, String what, double count, String detail) {
        sightings.add(new Sighting(kind, what, count, detail));
        return this;
    }

    Seen reason(String rule, boolean passing) {
        reasons = List.of(new Verdict.Reason(rule, "because of " + rule, passing));
        return this;
    }

    TrialOutcome trial() {
        return trial(Phase.DIAGNOSE, 1);
    }

    TrialOutcome trial(Phase phase, int ordinal) {
        long n = Math.round(rate * SECONDS);
        long ns = (long) (latency * 1e9);
        var target = new Target.Embedded(ServerKind.TOMCAT, "work", Map.of(), Optional.empty(), Target.Jvm.SAME);
        Load load = Simulated.load(clients);
        var spec = new TrialSpec(
                phase, "", Map.of(), 0, target, Setting.of("threads.max", Integer.toString(threads)), load);
        if (statuses.isEmpty()) {
            statuses.put(200, n);
        }
        var m = new Measurement(
                Duration.ofSeconds(SECONDS),
                n,
                errors,
                Map.of(),
                statuses,
                0,
                0,
                new LatencySummary(n, ns, ns, ns, ns, ns, ns, ns, ns, ns),
                LatencySummary.NONE,
                reconnects,
                clients,
                List.of(),
                "",
                Measurement.Detail.NONE);
        var none = OptionalDouble.empty();
        var e = new Evidence(
                1,
                Evidence.Cpus.UNKNOWN,
                new HostSeen(
                        looked ? OptionalDouble.of(cpu * SECONDS) : none,
                        none,
                        none,
                        none,
                        none,
                        none,
                        looked ? OptionalDouble.of(busy) : none,
                        looked ? OptionalDouble.of(busy) : none,
                        none,
                        none,
                        looked ? OptionalDouble.of(gc * SECONDS * 1000) : none,
                        none,
                        none,
                        none,
                        looked ? OptionalInt.of(0) : OptionalInt.empty(),
                        none),
                none,
                none,
                OptionalInt.of(100),
                1,
                looked ? Map.of("threads.max", Integer.toString(threads)) : Map.of(),
                Map.of(),
                List.of(),
                Timeline.of(0, 1000, series, Map.of(), sightings),
                List.of());
        return new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                Duration.ofSeconds(20),
                Duration.ZERO,
                failure.isPresent() ? Optional.empty() : Optional.of(m),
                failure.isPresent() ? Optional.empty() : Optional.of(e),
                failure,
                failure.isPresent() || !reasons.isEmpty()
                        ? new Verdict(
                                reasons.isEmpty() ? List.of(new Verdict.Reason("failed", "failed", false)) : reasons)
                        : Verdict.VALID);
    }

    String first() {
        List<dev.fettle.insight.Finding> all = Diagnosis.of(trial()).findings();
        return all.isEmpty() ? "" : all.getFirst().rule();
    }
}
