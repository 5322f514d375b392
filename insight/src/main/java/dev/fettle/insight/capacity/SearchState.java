package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.LimitPosterior.Seen;
import dev.fettle.insight.capacity.Probe.Phase;
import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.model.plan.Slo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The probes of a search so far, and what follows from them alone: which count, what is left, what was confirmed. */
final class SearchState {
    /** A compiler or another process may make the generator late twice; the third time, it is the rate. */
    static final int TRIES = 3;
    /** If one of this many latest probes was disturbed, the disturbance is assumed to go on. */
    private static final int LATEST = 6;
    /** Time lost to disturbed probes is added to the budget, up to this share of it. */
    private static final double GRACE = 0.5;

    private final Slo slo;
    private final CapacitySearch.Settings settings;
    private final List<Judged> seen;
    private final List<Seen> valid;
    private final double cap;

    SearchState(Slo slo, CapacitySearch.Settings settings, List<Judged> seen) {
        this.slo = slo;
        this.settings = settings;
        this.seen = List.copyOf(seen);
        this.valid = Distance.of(seen, slo);
        this.cap = seen.stream()
                .filter(j ->
                        j.verdict().result() == Result.VOID && voidsAt(j.probe().rate()) >= TRIES)
                .mapToDouble(j -> j.probe().rate())
                .filter(rate -> valid.stream().noneMatch(s -> s.rate() > rate))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    CapacitySearch.Settings settings() {
        return settings;
    }

    List<Judged> seen() {
        return seen;
    }

    /** The probes that count. */
    List<Seen> valid() {
        return valid;
    }

    Judged last() {
        return seen.getLast();
    }

    /** The lowest rate that the generator failed to offer every time; higher than every rate that it did offer. */
    double cap() {
        return cap;
    }

    long voidsAt(double rate) {
        return seen.stream()
                .filter(j -> j.verdict().result() == Result.VOID
                        && CapacitySearch.same(j.probe().rate(), rate))
                .count();
    }

    /** How many of the latest probes were disturbed. */
    int lately() {
        return (int) latest().filter(SearchState::disturbed).count();
    }

    /** How many probes were disturbed in a row, up to the last one. */
    int disturbedInARow() {
        return (int) seen.reversed().stream().takeWhile(SearchState::disturbed).count();
    }

    /** The lowest rate whose confirmation was disturbed recently. */
    OptionalDouble disturbedConfirmation() {
        return latest().filter(j -> disturbed(j) && j.probe().phase() == Phase.CONFIRM)
                .mapToDouble(j -> j.probe().rate())
                .min();
    }

    /** The lowest rate above all that met the SLO at which a recent probe was disturbed. */
    OptionalDouble unclear() {
        double met = highestMet().orElse(0);
        return latest().filter(SearchState::disturbed)
                .mapToDouble(j -> j.probe().rate())
                .filter(rate -> rate > met)
                .min();
    }

    /** Whether a probe above a rate was disturbed. */
    boolean disturbedAbove(double rate) {
        return seen.stream().anyMatch(j -> disturbed(j) && j.probe().rate() > rate);
    }

    private Stream<Judged> latest() {
        return seen.stream().skip(Math.max(0, seen.size() - LATEST));
    }

    private static boolean disturbed(Judged j) {
        return j.verdict().result() == Result.DISTURBED;
    }

    /**
     * How many probes the budget still allows, at the pace so far; time lost to disturbances is not counted, within
     * limits.
     */
    double left() {
        double disturbed = seconds(seen.stream().filter(SearchState::disturbed));
        double spent = seconds(seen.stream());
        double each = spent / seen.size();
        double budget = settings.budget().toNanos() / 1e9;
        double more = Math.min(disturbed, GRACE * budget);
        double byTime = each > 0 ? (budget + more - spent) / each : Double.POSITIVE_INFINITY;
        return Math.min(byTime, settings.mostProbes() - seen.size());
    }

    /** Seconds of the budget that are left; time lost to disturbances is not counted, within limits. */
    double secondsLeft() {
        double disturbed = seconds(seen.stream().filter(SearchState::disturbed));
        double budget = settings.budget().toNanos() / 1e9;
        return budget + Math.min(disturbed, GRACE * budget) - seconds(seen.stream());
    }

    /** How long a confirmation takes, with what is before and after it. */
    double confirmationSeconds() {
        double between = seen.stream()
                .mapToDouble(j -> j.probe().took().toNanos() / 1e9 - j.probe().seconds())
                .average()
                .orElse(0);
        return settings.hold().toNanos() / 1e9 + between;
    }

    /** What the probes say about the limit: that of the long run, where confirmations are longer than probes. */
    LimitPosterior posterior() {
        return LimitPosterior.of(valid, longRun());
    }

    private Optional<LimitPosterior.LongRun> longRun() {
        return settings.longRun()
                ? Distance.settling(seen, slo)
                        .map(s -> new LimitPosterior.LongRun(s, MostServed.of(seen), Distance.waits(seen, slo)))
                : Optional.empty();
    }

    /** In how many seconds the queue settles at a rate; 0 if that is not known. */
    double relaxation(double rate) {
        return longRun()
                .map(l -> l.settling()
                        .relaxation(
                                l.most().middle(),
                                Math.min(posterior().quantile(0.5), l.most().middle()),
                                rate))
                .orElse(0.0);
    }

    private static double seconds(Stream<Judged> of) {
        return of.mapToDouble(j -> j.probe().took().toNanos() / 1e9).sum();
    }

    boolean allMet() {
        return valid.stream().allMatch(Seen::met);
    }

    boolean noneMet() {
        return valid.stream().noneMatch(Seen::met);
    }

    /** The highest rate that met the SLO. */
    OptionalDouble highestMet() {
        return rates(true).max();
    }

    /** The lowest rate that broke it. */
    OptionalDouble lowestBroken() {
        return rates(false).min();
    }

    double lowest() {
        return valid.stream().mapToDouble(Seen::rate).min().orElseThrow();
    }

    private DoubleStream rates(boolean met) {
        return valid.stream().filter(s -> s.met() == met).mapToDouble(Seen::rate);
    }

    Stream<Probe> failedConfirmations() {
        return seen.stream()
                .filter(j -> j.probe().phase() == Phase.CONFIRM && j.verdict().result() == Result.BROKEN)
                .map(Judged::probe);
    }

    /** Number of probes after the limit was bracketed. */
    long narrowed() {
        return seen.stream().filter(j -> j.probe().phase() != Phase.BRACKET).count();
    }

    /** Whether a confirmation is under way: the last probe was one, and it met the SLO. */
    boolean confirming() {
        return last().probe().phase() == Phase.CONFIRM && last().verdict().result() == Result.MET;
    }

    /** Confirmations met in a row at the same rate, up to the last probe. */
    int inARow() {
        return inARow(seen);
    }

    /** The highest rate that met the SLO in as many confirmations in a row as are required. */
    OptionalDouble confirmed() {
        double best = 0;
        for (int i = 1; i <= seen.size(); i++) {
            List<Judged> until = seen.subList(0, i);
            if (inARow(until) >= settings.confirmations()) {
                best = Math.max(best, until.getLast().probe().rate());
            }
        }
        return best > 0 ? OptionalDouble.of(best) : OptionalDouble.empty();
    }

    private static int inARow(List<Judged> of) {
        int n = 0;
        for (Judged j : of.reversed()) {
            if (j.verdict().result() == Result.VOID || disturbed(j)) {
                continue;
            }
            if (j.probe().phase() != Phase.CONFIRM
                    || j.verdict().result() != Result.MET
                    || !CapacitySearch.same(
                            j.probe().rate(), of.getLast().probe().rate())) {
                break;
            }
            n++;
        }
        return n;
    }
}
