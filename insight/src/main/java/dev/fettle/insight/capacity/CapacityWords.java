package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Broke;
import dev.fettle.insight.CapacityResult.Held;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Sums up a capacity search, in figures and in words. */
final class CapacityWords {
    /** A probe that broke the SLO below this share of the answer did so for a reason other than the rate. */
    private static final double WELL_BELOW = 0.95;
    /** There are too few connections if this share of the arrivals waited for one. */
    private static final double WAITED = 0.01;

    private CapacityWords() {}

    /**
     * The result.
     *
     * @param rate the answer, 0 for none
     */
    static CapacityResult result(
            Slo slo, Outcome outcome, double rate, Optional<Interval> limit, int confirmations, List<Judged> seen) {
        Optional<Broke> first = brokeFirst(seen, rate);
        var found = new CapacityResult(
                slo,
                outcome,
                rate,
                limit,
                confirmations,
                first,
                headline(slo, outcome, rate, confirmations, first, seen),
                List.of(),
                Optional.empty());
        return found.withNotes(notes(found, seen));
    }

    /** The same, and for how long it was shown to hold. */
    static CapacityResult held(CapacityResult found, Held held) {
        String length = Format.seconds(held.seconds());
        String settles = held.settles() > 0
                ? " a queue needs about " + Format.seconds(held.settles()) + " to settle at this rate"
                : "";
        String words = held.forGood()
                ? "It was held for " + length + ", and is expected to hold for good:"
                        + (settles.isEmpty() ? "" : settles + ", and") + " the limit of the long run lies above it."
                : "It was held for " + length + "; that it holds for good is not shown"
                        + (settles.isEmpty() ? "." : ":" + settles + ". A longer --hold shows more.");
        var notes = new ArrayList<String>();
        notes.add(words);
        notes.addAll(found.notes());
        String fresh = fresh(found.confirmations());
        return found.with()
                .held(Optional.of(held))
                .headline(found.headline().replace(fresh, fresh + " of " + length + " each"))
                .notes(notes)
                .build();
    }

    private static Optional<Broke> brokeFirst(List<Judged> seen, double rate) {
        return seen.stream()
                .filter(j -> j.verdict().result() == Result.BROKEN)
                .filter(j -> j.probe().rate() > rate)
                .min(Comparator.comparingDouble(j -> j.probe().rate()))
                .map(j -> new Broke(
                        j.probe().rate(),
                        String.join(" and ", j.verdict().broken()),
                        Optional.of(WhatWasFull.words(j.probe())).filter(w -> !w.isEmpty())));
    }

    private static String headline(
            Slo slo, Outcome outcome, double rate, int confirmations, Optional<Broke> first, List<Judged> seen) {
        String at = perSecond(rate);
        String broke = first.map(b -> " At " + perSecond(b.rate()) + " " + b.what()
                        + b.server().map(w -> "; in the server, " + w).orElse("") + ".")
                .orElse("");
        return switch (outcome) {
            case FOUND ->
                at + " is the highest rate that was confirmed to meet " + slo.quality() + ", in " + fresh(confirmations)
                        + ofOne(seen) + "." + broke;
            case UNCONFIRMED -> unconfirmed(slo, rate, seen) + broke;
            case GENERATOR_LIMIT ->
                "At least " + at + " meets " + slo.quality() + ", in "
                        + (confirmations > 0 ? fresh(confirmations) + ofOne(seen) : probes(met(rate, seen)))
                        + "; the generator was the limit, not the server: " + generator(rate, seen) + ".";
            case DISTURBED ->
                "At least " + at + " meets " + slo.quality() + ", in " + fresh(confirmations)
                        + ofOne(seen)
                        + ". The probes that broke it at higher rates were disturbed: whether the server would"
                        + " sustain these is not known.";
            case BUDGET ->
                at + " met " + slo.quality() + " in " + probes(met(rate, seen)) + ", which does not confirm it"
                        + (disturbed(seen).isEmpty()
                                ? "; the budget ran out before anything broke it."
                                : "; nothing broke it but while the machine was disturbed, and the budget ran out.");
            case NO_RATE ->
                "Even " + first.map(b -> perSecond(b.rate())).orElse("the lowest rate")
                        + ", the lowest rate that probes of this length can judge, does not meet " + slo.quality() + "."
                        + first.map(b -> " There, " + b.what()
                                        + b.server()
                                                .map(w -> "; in the server, " + w)
                                                .orElse("") + ".")
                                .orElse("");
            case NOTHING_VALID ->
                "Nothing can be said about the server: "
                        + (seen.stream().anyMatch(j -> j.verdict().result() == Result.VOID)
                                ? "the generator was the limit in the probes (" + generator(0, seen) + ")."
                                : "the machine was disturbed in every probe.");
        };
    }

    private static String unconfirmed(Slo slo, double rate, List<Judged> seen) {
        if (rate > 0) {
            long met = met(rate, seen);
            return perSecond(rate) + " probably meets " + slo.quality()
                    + (met > 0
                            ? ", as it did in " + probes(met)
                            : seen.stream()
                                            .anyMatch(j -> CapacitySearch.same(
                                                    j.probe().rate(), rate))
                                    ? ", though it was not seen to"
                                    : ", though it was not offered itself")
                    + "; no rate met it often enough in a row to be confirmed.";
        }
        if (seen.stream().anyMatch(j -> j.verdict().result() == Result.MET)) {
            return "No rate reliably meets " + slo.quality() + ": none met it often enough in a row to confirm it.";
        }
        double[] tried = of(seen, Result.BROKEN).stream()
                .mapToDouble(j -> j.probe().rate())
                .distinct()
                .sorted()
                .toArray();
        return tried.length == 1
                ? "The one rate that could be judged, " + perSecond(tried[0]) + ", doesn't meet " + slo.quality()
                        + ", and the budget ran out."
                : "None of the " + tried.length + " rates that could be judged meets " + slo.quality()
                        + "; the lowest was " + perSecond(tried[0]) + ", and the budget ran out.";
    }

    /** {@code 3 of 3 fresh probes}: all that are asked for in a row met the SLO. */
    static String fresh(int confirmations) {
        return confirmations + " of " + confirmations + " fresh probes";
    }

    private static String probes(long n) {
        return n == 1 ? "one probe" : n + " probes";
    }

    /** How many probes of a rate met the SLO. */
    private static long met(double rate, List<Judged> seen) {
        return of(seen, Result.MET).stream()
                .filter(j -> CapacitySearch.same(j.probe().rate(), rate))
                .count();
    }

    private static List<Judged> disturbed(List<Judged> seen) {
        return of(seen, Result.DISTURBED);
    }

    private static List<Judged> of(List<Judged> seen, Result result) {
        return seen.stream().filter(j -> j.verdict().result() == result).toList();
    }

    /** Of one process, unless the run was resumed, which launches another. */
    private static String ofOne(List<Judged> seen) {
        long launches = seen.stream()
                .flatMap(j -> j.probe().server().stream())
                .flatMap(e -> Optional.ofNullable(e.facts().get(CapacityExperiment.LAUNCHED)).stream())
                .distinct()
                .count();
        return launches > 1 ? "" : " of one process";
    }

    /** At the lowest rate above this one that the generator could not offer. */
    private static String generator(double above, List<Judged> seen) {
        return seen.stream()
                .filter(j -> j.verdict().result() == Result.VOID && j.probe().rate() > above)
                .min(Comparator.comparingDouble(j -> j.probe().rate()))
                .map(j -> "at " + perSecond(j.probe().rate()) + " "
                        + String.join(" and ", j.verdict().broken()))
                .orElse("");
    }

    private static List<String> notes(CapacityResult found, List<Judged> seen) {
        double rate = found.rate();
        var notes = new ArrayList<String>();
        if (found.outcome() != Outcome.NOTHING_VALID) {
            notes.addAll(reached(found, "no fresh probe confirmed the rate"));
        }
        near(rate, seen).ifPresent(notes::add);
        List<Judged> stray = seen.stream()
                .filter(j -> j.verdict().result() == Result.BROKEN && j.probe().rate() < WELL_BELOW * rate)
                .toList();
        if (!stray.isEmpty()) {
            notes.add(FigureText.count(stray.size(), "probe") + " well below that rate broke the SLO, too (first: at "
                    + perSecond(stray.getFirst().probe().rate()) + " "
                    + String.join(" and ", stray.getFirst().verdict().broken())
                    + "): something else than the rate breaks it now and then.");
        }
        long late =
                seen.stream().filter(j -> j.verdict().result() == Result.VOID).count();
        if (late > 0) {
            notes.add(FigureText.count((int) late, "probe") + " did not count, because the generator was the limit.");
        }
        List<Judged> disturbed = disturbed(seen);
        if (!disturbed.isEmpty()) {
            notes.add(
                    FigureText.trials(disturbed.size(), seen.size()).replace("trial", "probe")
                            + " disturbed (first: at "
                            + perSecond(disturbed.getFirst().probe().rate()) + " "
                            + String.join(
                                    " and ", disturbed.getFirst().verdict().broken())
                            + "): what these rates do without that is not known from them, so they count neither for nor against the server.");
        }
        seen.stream()
                .filter(j -> j.verdict().result() == Result.BROKEN
                        && j.probe().held() > WAITED * j.probe().served())
                .min(Comparator.comparingDouble(j -> j.probe().rate()))
                .ifPresent(j -> notes.add(Format.count(j.probe().held()) + " arrivals found no free connection at "
                        + perSecond(j.probe().rate())
                        + ": their wait counts as latency. If the server could take more connections, allow more."));
        return notes;
    }

    /**
     * Which of the SLO's conditions on throughput hold.
     *
     * @param unconfirmed why the rate is not confirmed, if it is not
     */
    static List<String> reached(CapacityResult found, String unconfirmed) {
        List<Condition> unreached = found.unreached();
        return found.slo().throughput().stream()
                .map(c -> c
                        + (unreached.contains(c)
                                ? found.mayBear(c.bound()) ? " is not shown." : " is missed."
                                : found.outcome().confirmed() ? " is reached." : " is not shown: " + unconfirmed + "."))
                .toList();
    }

    /** That probes of the answer itself, or of a rate hardly lower, broke the SLO; empty if none did. */
    private static Optional<String> near(double rate, List<Judged> seen) {
        List<Judged> near = seen.stream()
                .filter(j -> j.probe().rate() >= WELL_BELOW * rate && j.probe().rate() <= rate)
                .filter(j ->
                        j.verdict().result() == Result.BROKEN || j.verdict().result() == Result.MET)
                .toList();
        List<Judged> broken = of(near, Result.BROKEN);
        return broken.isEmpty()
                ? Optional.empty()
                : Optional.of((near.size() == 1
                                ? "The one probe"
                                : broken.size() + " of " + FigureText.count(near.size(), "probe"))
                        + " at that rate, or just below it, broke the SLO (first: at "
                        + perSecond(broken.getFirst().probe().rate()) + " "
                        + String.join(" and ", broken.getFirst().verdict().broken()) + ").");
    }

    static String perSecond(double rate) {
        return Format.number(rate) + "/s";
    }
}
