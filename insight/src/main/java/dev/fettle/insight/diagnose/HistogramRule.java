package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.Sighting;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A class of which one histogram of the heap has more than another before it. */
final class HistogramRule {
    /** Further classes that are named. */
    private static final int OTHERS = 3;

    private static final double MANY = 100;

    private HistogramRule() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("classes-grow", HistogramRule::look),
                DiagnosisRule.of("heap-holder", HistogramRule::holds));
    }

    /** What holds most of a heap; a fault if the target failed with its heap full, and a warning if it was full at any time. */
    private static RuleResult holds(RuleEntry r, TrialFacts s) {
        Optional<Sighting> holder = s.sightings(Sighting.HOLDER).stream().findFirst();
        if (holder.isEmpty()) {
            return new RuleResult.NotObserved("there is no dump of its heap, or nothing holds half of it");
        }
        Sighting held = holder.get();
        Severity severity = FailureRules.heapRanFull(s)
                ? Severity.FAULT
                : FailureRules.heapWasFull(s) ? Severity.WARNING : Severity.LIMIT;
        boolean local = held.detail().contains(Sighting.OF_THREAD_LOCAL);
        return new FindingBuilder(r, severity, "field", held.what(), "share", held.count())
                .with("bytes", of(s, Sighting.HOLDER_HEAP))
                .with("objects", named(s, Sighting.HOLDER_OBJECTS, held.what()).orElse(1))
                .with("several", named(s, Sighting.HOLDER_OBJECTS, held.what()).orElse(1) > 1)
                .with("local", local)
                .with("way", held.detail())
                .as(local ? "local" : "")
                .weight(held.count())
                .found();
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        List<Sighting> held = classes(s, Sighting.HISTOGRAM);
        OptionalFigure all = of(s, Sighting.HISTOGRAM);
        if (held.isEmpty() || all.isEmpty()) {
            return new RuleResult.NotObserved("there is no histogram of its heap");
        }
        String largest = largest(held, all.getAsDouble());
        OptionalFigure more = of(s, Sighting.HISTOGRAM_GREW);
        if (more.isEmpty()) {
            return new RuleResult.NotObserved("one histogram shows what is there, and two what grows; " + largest);
        }
        List<Sighting> grew = classes(s, Sighting.HISTOGRAM_GREW).stream()
                .filter(g -> isMuch(r, s, g, all.getAsDouble()))
                .toList();
        if (grew.isEmpty() || more.getAsDouble() <= 0) {
            return new RuleResult.Healthy("all classes together "
                    + (more.getAsDouble() < 0
                            ? Format.bytes(-more.getAsDouble()) + " less than"
                            : Format.bytes(more.getAsDouble()) + " more than")
                    + " at first; " + largest);
        }
        return found(r, s, grew, all.getAsDouble(), more.getAsDouble());
    }

    private static RuleResult found(RuleEntry r, TrialFacts s, List<Sighting> grew, double all, double more) {
        Sighting most = grew.getFirst();
        double last = held(s, most.what()).orElse(most.count());
        OptionalFigure seconds = of(s, Sighting.HISTOGRAM_SECONDS);
        String others = grew.stream()
                .skip(1)
                .limit(OTHERS)
                .map(c -> c.what() + " " + Format.bytes(c.count()))
                .collect(Collectors.joining(", "));
        Optional<Sighting> holder = holder(s, most);
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "name",
                        most.what(),
                        "seconds",
                        seconds,
                        "first",
                        last - most.count(),
                        "last",
                        last,
                        "was",
                        objects(most, 0),
                        "is",
                        objects(most, 1),
                        "holder",
                        holder.map(Sighting::what),
                        "held",
                        holder.map(HistogramRule::came).orElse(0.0),
                        "rate",
                        seconds.map(t -> t > 0 ? most.count() * 60 / t : Double.NaN),
                        "all-first",
                        all - more,
                        "all-last",
                        all,
                        "others",
                        Optional.of(others).filter(o -> !o.isEmpty()))
                .weight(most.count() / all)
                .found();
    }

    /** How many objects there were at first (0) or at last (1). */
    private static double objects(Sighting grew, int which) {
        String[] both = grew.detail().split(" ", 2);
        return both.length == 2 ? Double.parseDouble(both[which]) : 0;
    }

    private static double came(Sighting grew) {
        return objects(grew, 1) - objects(grew, 0);
    }

    /** The program's own class of which at least half as many objects came, if the one that grew is the JDK's: it may hold these. */
    private static Optional<Sighting> holder(TrialFacts s, Sighting most) {
        return isOwn(most.what())
                ? Optional.empty()
                : classes(s, Sighting.HISTOGRAM_GREW).stream()
                        .filter(c -> isOwn(c.what()) && came(c) >= came(most) / 2)
                        .max(Comparator.comparingDouble(HistogramRule::came));
    }

    /** The program's own class of which the last histogram has most; its objects may hold more. Of a few there are in any program. */
    static Optional<Sighting> ofProgram(TrialFacts s) {
        return classes(s, Sighting.HISTOGRAM).stream()
                .filter(c -> isOwn(c.what()) && objects(c, 0) >= MANY)
                .max(Comparator.comparingDouble(Sighting::count));
    }

    /** The classes that have most of it, in words; empty without a histogram. */
    static String largest(TrialFacts s) {
        OptionalFigure all = of(s, Sighting.HISTOGRAM);
        List<Sighting> held = classes(s, Sighting.HISTOGRAM);
        return held.isEmpty() || all.isEmpty() ? "" : largest(held, all.getAsDouble());
    }

    private static String largest(List<Sighting> held, double all) {
        return "the largest: "
                + held.stream()
                        .sorted(Comparator.comparingDouble(c -> -c.count()))
                        .limit(OTHERS)
                        .map(c -> c.what() + " " + Format.share(c.count() / all))
                        .collect(Collectors.joining(", "))
                + " of " + Format.bytes(all);
    }

    private static boolean isOwn(String name) {
        return !JdkPackages.have(name) && !name.endsWith("[]");
    }

    private static boolean isMuch(RuleEntry r, TrialFacts s, Sighting grew, double all) {
        double before = held(s, grew.what()).orElse(grew.count()) - grew.count();
        return grew.count() >= r.bound("least-bytes")
                && grew.count() >= r.bound("of-all") * all
                && grew.count() >= r.bound("grown") * before;
    }

    private static OptionalFigure held(TrialFacts s, String name) {
        return named(s, Sighting.HISTOGRAM, name);
    }

    private static OptionalFigure of(TrialFacts s, String kind) {
        return named(s, kind, Sighting.HISTOGRAM_ALL);
    }

    private static OptionalFigure named(TrialFacts s, String kind, String name) {
        return OptionalFigure.of(s.sightings(kind).stream()
                .filter(x -> x.what().equals(name))
                .mapToDouble(Sighting::count)
                .findFirst());
    }

    private static List<Sighting> classes(TrialFacts s, String kind) {
        return s.sightings(kind).stream()
                .filter(x -> !x.what().equals(Sighting.HISTOGRAM_ALL))
                .toList();
    }
}
