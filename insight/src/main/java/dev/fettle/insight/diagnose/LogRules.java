package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;

/** What the requests of others tell, as the server or the log of what is in front of it counts them. */
final class LogRules {
    private LogRules() {}

    /** Where requests were counted: at the server, or in front of it. */
    private record Counted(
            String rate,
            String failed,
            String slow,
            String underWay,
            String p99,
            String slowPaths,
            String failedPaths) {
        static final Counted SERVER = new Counted(
                Signals.REQUESTS_RATE,
                Signals.REQUESTS_FAILED,
                Signals.REQUESTS_SLOW,
                Signals.REQUESTS_UNDER_WAY,
                Signals.REQUESTS_P99,
                Sighting.PATH_SLOW,
                Sighting.PATH_FAILED);
        static final Counted FRONT = new Counted(
                Signals.FRONT_RATE,
                Signals.FRONT_FAILED,
                Signals.FRONT_SLOW,
                Signals.FRONT_UNDER_WAY,
                Signals.FRONT_P99,
                Sighting.FRONT_PATH_SLOW,
                Sighting.FRONT_PATH_FAILED);

        /** That of what is nearest to the clients: they wait for all of it. */
        static Counted nearest(TrialFacts s, String front) {
            return s.mean(front).isPresent() ? FRONT : SERVER;
        }
    }

    static List<DiagnosisRule> rules() {
        return List.of(DiagnosisRule.of("slow-requests", LogRules::slow).othersCanCauseIt());
    }

    private static RuleResult slow(RuleEntry r, TrialFacts s) {
        if (!s.isObserved()) {
            return new RuleResult.NotObserved("a load was sent: it knows itself how long its requests took");
        }
        Counted at = Counted.nearest(s, Signals.FRONT_SLOW);
        OptionalFigure slow = s.counted(at.slow);
        OptionalFigure all = s.counted(at.rate);
        if (slow.isEmpty() || all.isEmpty() || all.getAsDouble() <= 0) {
            return new RuleResult.NotObserved(s.why(at.slow));
        }
        double share = slow.getAsDouble() / all.getAsDouble();
        OptionalFigure each = s.each(at.underWay, at.rate);
        String figure = r.text("figure", "share", share, "all", all, "each", each);
        if (share < r.bound("share") || slow.getAsDouble() < r.bound("least")) {
            return new RuleResult.Healthy(figure);
        }
        OptionalFigure behind = behind(s);
        OptionalFigure writing = s.mean(Signals.REQUESTS_WRITING);
        double part = behind.isPresent() && each.isPresent() ? behind.getAsDouble() / each.getAsDouble() : Double.NaN;
        boolean written = at == Counted.SERVER
                && writing.isPresent()
                && writing.getAsDouble() >= r.bound("most-of-it") * s.meanOrNone(at.underWay);
        String variant = written
                ? "writing"
                : part >= r.bound("most-of-it") ? "behind" : part <= 1 - r.bound("most-of-it") ? "front" : "";
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "share",
                        share,
                        "all",
                        all,
                        "each",
                        each,
                        "p99",
                        s.max(at.p99).map(v -> v / 1e3),
                        "behind",
                        behind,
                        "before",
                        behind.isPresent() && each.isPresent()
                                ? OptionalFigure.of(Math.max(0, each.getAsDouble() - behind.getAsDouble()))
                                : OptionalFigure.empty(),
                        "path",
                        s.sighting(at.slowPaths),
                        "detail",
                        s.detail(at.slowPaths))
                .as(variant)
                .seen(figure)
                .waitsFor(true, "service", "root")
                .weight(share)
                .found();
    }

    /** How long what is in front of the server waits for it each time, by its own log or by the server's; seconds. */
    private static OptionalFigure behind(TrialFacts s) {
        OptionalFigure own = s.each(Signals.FRONT_BEHIND, Signals.FRONT_RATE);
        return own.isPresent() || s.mean(Signals.FRONT_RATE).isEmpty()
                ? own
                : s.each(Signals.REQUESTS_UNDER_WAY, Signals.REQUESTS_RATE);
    }

    /** Answers of status 500 and above among those of others, and all: as two counts; empty if they were not counted. */
    static Optional<double[]> failed(TrialFacts s) {
        Counted at = Counted.nearest(s, Signals.FRONT_FAILED);
        OptionalFigure bad = s.counted(at.failed);
        OptionalFigure all = s.counted(at.rate);
        return bad.isPresent() && all.isPresent()
                ? Optional.of(new double[] {bad.getAsDouble(), all.getAsDouble()})
                : Optional.empty();
    }

    /** The path with most of these, and its status. */
    static String failedMost(TrialFacts s) {
        String kind = Counted.nearest(s, Signals.FRONT_FAILED).failedPaths;
        return s.sighting(kind)
                .map(p -> p + s.detail(kind).map(d -> ", " + d).orElse(""))
                .orElse("");
    }

    /** What the server or its log counted, in words; empty if nothing did. */
    static Optional<String> figures(TrialFacts s) {
        Optional<String> server = figures(s, Counted.SERVER);
        return figures(s, Counted.FRONT)
                .map(f -> f + " in front of the server"
                        + server.map(x -> "; " + x + " in it").orElse(""))
                .or(() -> server);
    }

    private static Optional<String> figures(TrialFacts s, Counted at) {
        OptionalFigure rate = s.mean(at.rate);
        if (rate.isEmpty()) {
            return Optional.empty();
        }
        OptionalFigure each = s.each(at.underWay, at.rate);
        return Optional.of(Format.number(rate.getAsDouble()) + " requests/s"
                + (each.isPresent() ? " of " + Format.seconds(each.getAsDouble()) : ""));
    }
}
