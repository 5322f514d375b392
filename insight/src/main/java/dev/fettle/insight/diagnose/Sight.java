package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.explain.Explainer;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.model.trial.ErrorKind;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a trial saw, as rules ask for it: figures of its evidence, and of the series of its timeline over the time that was
 * measured. What was not observed is empty, never zero.
 */
final class Sight {
    private final TrialOutcome trial;
    private final Optional<Evidence> evidence;
    private final Optional<OperatingPoint> point;
    private final Optional<Explanation> explained;
    private final Lines lines;

    Sight(TrialOutcome trial) {
        this.trial = trial;
        this.evidence = trial.evidence();
        this.point = OperatingPoint.of(trial);
        this.explained = Explainer.explain(trial);
        this.lines = Lines.of(trial);
    }

    TrialOutcome trial() {
        return trial;
    }

    Optional<Measurement> measurement() {
        return trial.measurement();
    }

    Optional<Evidence> evidence() {
        return evidence;
    }

    Optional<OperatingPoint> point() {
        return point;
    }

    Optional<Explanation> explained() {
        return explained;
    }

    boolean limitIs(Explanation.Limit limit) {
        return explained.filter(x -> x.limit() == limit).isPresent();
    }

    /** Seconds measured; 0 without a measurement. */
    double seconds() {
        return measurement().map(m -> m.elapsed().toNanos() / 1e9).orElse(0.0);
    }

    /** Mean latency of valid answers, seconds. */
    OptionalDouble latency() {
        return measurement().filter(m -> m.latency().count() > 0).stream()
                .mapToDouble(m -> m.latency().mean() / 1e9)
                .findFirst();
    }

    /** Requests a second that reached the server. */
    double served() {
        return point.map(OperatingPoint::served).orElse(0.0);
    }

    long errors(ErrorKind... kinds) {
        long n = 0;
        for (ErrorKind k : kinds) {
            n += measurement().map(m -> m.errors().getOrDefault(k, 0L)).orElse(0L);
        }
        return n;
    }

    /** Attempts, failed and lost ones included. */
    long attempts() {
        return measurement().map(m -> m.responses() + m.failed() + m.lost()).orElse(0L);
    }

    /** Busy workers, mean. */
    OptionalDouble busy() {
        return point.map(OperatingPoint::busy).orElse(OptionalDouble.empty());
    }

    /** Seconds that a request holds its worker. */
    OptionalDouble holding() {
        return point.map(OperatingPoint::holding).orElse(OptionalDouble.empty());
    }

    /** CPU use of the target's CPUs, all of it, 0 to 1. */
    OptionalDouble cpu() {
        return evidence.map(Evidence::serverCpuSeconds)
                                .orElse(OptionalDouble.empty())
                                .isPresent()
                        && cpus() > 0
                        && seconds() > 0
                ? OptionalDouble.of(evidence.orElseThrow().serverCpuSeconds().getAsDouble() / (cpus() * seconds()))
                : OptionalDouble.empty();
    }

    int cpus() {
        return evidence.map(Evidence::serverCpus).orElse(0);
    }

    boolean cpuFull() {
        return limitIs(Explanation.Limit.CPU);
    }

    /** Share of the measured time in garbage collection. */
    OptionalDouble gcShare() {
        OptionalDouble millis = evidence.map(Evidence::gcMillis).orElse(OptionalDouble.empty());
        return millis.isPresent() && seconds() > 0
                ? OptionalDouble.of(millis.getAsDouble() / 1e3 / seconds())
                : mean("gc.share");
    }

    /** A series' mean over the measured time. */
    OptionalDouble mean(String signal) {
        return lines.mean(signal);
    }

    /** The same, 0 where it was not observed: for sums of which at least one part was. */
    double meanOrNone(String signal) {
        return lines.mean(signal).orElse(0);
    }

    OptionalDouble max(String signal) {
        return lines.max(signal);
    }

    OptionalDouble sum(String signal) {
        return lines.sum(signal);
    }

    OptionalDouble first(String signal) {
        return lines.first(signal);
    }

    OptionalDouble last(String signal) {
        return lines.last(signal);
    }

    double[] values(String signal) {
        return lines.values(signal);
    }

    /** Why a series is not there. */
    String why(String signal) {
        return lines.why(signal);
    }

    /** Names of the series that begin so. */
    List<String> names(String prefix) {
        return lines.names(prefix);
    }

    /** How often something that is no figure was seen; empty if it was not looked for. */
    OptionalDouble sighted(String kind) {
        return lines.sighted(kind);
    }

    /** The name of what was seen most of a kind. */
    Optional<String> sighting(String kind) {
        return lines.sighting(kind).map(Sighting::what);
    }

    /** More about it. */
    Optional<String> detail(String kind) {
        return lines.sighting(kind).map(Sighting::detail).filter(d -> !d.isBlank());
    }

    /**
     * A method that many stacks have on top.
     *
     * @param share of the stacks that were seen
     */
    record Frame(String name, double share) {}

    /** The method that most of the running workers' stacks have on top; empty if none were looked at. */
    Optional<Frame> hottestFrame() {
        return lines.sighting("frame.running")
                .map(f -> new Frame(
                        f.what(),
                        f.count() / Math.max(1, lines.sighted("frame.running").orElse(1))));
    }

    /** A figure of the evidence's facts. */
    OptionalDouble fact(String name) {
        try {
            return evidence.map(e -> e.facts().get(name)).stream()
                    .mapToDouble(Double::parseDouble)
                    .findFirst();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /** A knob's value in force, where it is known. */
    Optional<String> knob(String name) {
        return OperatingPoint.knob(trial.spec(), evidence, name);
    }

    /** Mean number of threads that wait for something, over the busy ones: the share of a request's time in its worker. */
    OptionalDouble shareOfHolding(String wait) {
        OptionalDouble n = mean(wait);
        OptionalDouble all = busy();
        return n.isPresent() && all.isPresent() && all.getAsDouble() > 0
                ? OptionalDouble.of(Math.min(1, n.getAsDouble() / all.getAsDouble()))
                : OptionalDouble.empty();
    }

    /** Share of a request's latency that it spends outside a worker: in a queue in front of it. */
    OptionalDouble queueShare() {
        OptionalDouble r = latency();
        OptionalDouble hold = holding();
        return r.isPresent() && hold.isPresent() && r.getAsDouble() > 0
                ? OptionalDouble.of(Math.clamp(1 - hold.getAsDouble() / r.getAsDouble(), 0, 1))
                : OptionalDouble.empty();
    }
}
