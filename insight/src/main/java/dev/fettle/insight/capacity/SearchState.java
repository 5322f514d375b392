package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.LimitPosterior.Seen;
import dev.fettle.insight.capacity.Probe.Phase;
import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The probes of a search so far, and what follows from them alone: which count, what is left, what was confirmed. */
final class SearchState {
    /** A compiler or another process may make the generator late twice; the third time, it is the rate. */
    static final int TRIES = 3;
    /** If one of this many latest probes was disturbed, the disturbance is assumed to go on. */
    private static final int LATEST = 6;
    /** Time lost to disturbed probes is added to the budget, up to this share of it. */
    private static final double GRACE = 0.5;
    /** At least this share of the budget is for probes before the confirmations. */
    private static final double LOOK = 0.25;

    private final CapacitySearch.Settings settings;
    private final List<Judged> seen;
    private final List<Seen> valid;
    private final double cap;
    private final Supplier<Optional<LongRun>> longRun;
    private final Supplier<LimitPosterior> alike;

    SearchState(Slo slo, CapacitySearch.Settings settings, List<Judged> seen) {
        this.settings = settings;
        this.seen = List.copyOf(seen);
        this.valid = Distance.of(seen, slo);
        this.longRun = once(() -> settings.longRun() ? LongRun.of(seen, slo) : Optional.empty());
        this.alike = once(() -> LimitPosterior.of(valid));
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
    OptionalFigure disturbedConfirmation() {
        return OptionalFigure.of(latest().filter(j -> disturbed(j) && j.probe().phase() == Phase.CONFIRM)
                .mapToDouble(j -> j.probe().rate())
                .min());
    }

    /** The lowest rate above all that met the SLO at which a recent probe was disturbed. */
    OptionalFigure unclear() {
        double met = highestMet().orElse(0);
        return OptionalFigure.of(latest().filter(SearchState::disturbed)
                .mapToDouble(j -> j.probe().rate())
                .filter(rate -> rate > met)
                .min());
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
        double each = seconds(seen.stream()) / seen.size();
        double byTime = each > 0 ? secondsLeft() / each : Double.POSITIVE_INFINITY;
        return Math.min(byTime, settings.mostProbes() - seen.size());
    }

    /** Seconds of the budget that are left; time lost to disturbances is not counted, within limits. */
    private double secondsLeft() {
        double disturbed = seconds(seen.stream().filter(SearchState::disturbed));
        double budget = budget();
        return budget + Math.min(disturbed, GRACE * budget) - seconds(seen.stream());
    }

    private double budget() {
        return settings.budget().toNanos() / 1e9;
    }

    /** Whether there is time for so many confirmations. */
    boolean timeFor(int confirmations) {
        return secondsLeft() >= confirmations * (hold() + between());
    }

    private double hold() {
        return settings.hold().toNanos() / 1e9;
    }

    /** How long another probe may measure before the confirmations, seconds: two rates can be confirmed, where the budget is enough for that. */
    double spareSeconds() {
        double each = settings.confirmations() * (hold() + between());
        double others = budget() - 2 * each < LOOK * budget() ? each : 2 * each;
        return secondsLeft() - others - between();
    }

    /** How long a probe takes beyond what it measures, seconds. */
    private double between() {
        return seen.stream()
                .mapToDouble(j -> j.probe().took().toNanos() / 1e9 - j.probe().seconds())
                .average()
                .orElse(0);
    }

    /** What the probes say about the limit: that of the long run, where confirmations are longer than probes. */
    LimitPosterior posterior() {
        return longRun.get().map(LongRun::limit).orElseGet(alike);
    }

    /** In how many seconds the queue settles at a rate; 0 if that is not known. */
    double relaxation(double rate) {
        return longRun.get().map(l -> l.relaxation(rate)).orElse(0.0);
    }

    /** Computed once, if at all. */
    private static <T> Supplier<T> once(Supplier<T> of) {
        return new Supplier<>() {
            private Optional<T> found = Optional.empty();

            @Override
            public T get() {
                if (found.isEmpty()) {
                    found = Optional.of(of.get());
                }
                return found.get();
            }
        };
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
    OptionalFigure highestMet() {
        return OptionalFigure.of(rates(true).max());
    }

    /** The lowest rate that broke it. */
    OptionalFigure lowestBroken() {
        return OptionalFigure.of(rates(false).min());
    }

    /** Whether a probe was so far below the limit that next to nothing can have queued. */
    boolean unburdened() {
        double most = 1.3 * CapacitySearch.UNBURDENED * lowestBroken().orElse(0);
        return rates(true).anyMatch(rate -> rate <= most);
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

    /** The lowest rate of which a confirmation failed; infinite if none did. */
    double failed() {
        return failedConfirmations().mapToDouble(Probe::rate).min().orElse(Double.POSITIVE_INFINITY);
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
    OptionalFigure confirmed() {
        return OptionalFigure.of(allConfirmed().stream().mapToDouble(r -> r).max());
    }

    /** All such rates, from the lowest; not those above one that failed. */
    List<Double> allConfirmed() {
        return IntStream.rangeClosed(1, seen.size())
                .mapToObj(i -> seen.subList(0, i))
                .filter(until -> inARow(until) >= settings.confirmations())
                .map(until -> until.getLast().probe().rate())
                .filter(rate -> rate < failed())
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether the limit's interval is as narrow as was asked for. */
    boolean precise() {
        Interval limit = posterior().interval();
        return limit.high() / limit.low() <= (1 + settings.precision()) / (1 - settings.precision());
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
