package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Plan;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.Optional;

/** The rule about TLS handshakes that fill the CPUs. */
final class HandshakeRule {
    private HandshakeRule() {}

    static DiagnosisRule rule() {
        return DiagnosisRule.of("tls-handshakes", HandshakeRule::look)
                .refutedBy(Refutation.by((_, b) -> kept(b)).figure(HandshakeRule::cost));
    }

    /** Without new connections there are no handshakes. */
    private static Optional<Plan> kept(TrialOutcome baseline) {
        TrialSpec spec = baseline.spec();
        if (!(spec.load().arrivals() instanceof Arrivals.Closed)) {
            return Optional.empty(); // an open load gets what it offers, with handshakes or without
        }
        return spec.load().keepAlive()
                ? RefutationTrial.clients(baseline, Expected.SAME)
                : Optional.of(new Plan(
                        RefutationTrial.named(
                                spec, spec.target(), spec.setting(), spec.load().withKeepAlive(true)),
                        "with kept connections",
                        Expected.MORE));
    }

    /** CPU time of an answer without handshakes; throughput with more load. */
    private static TestedFigure cost(Expected expected, TrialFacts before, TrialFacts after, double clear) {
        if (expected == Expected.SAME) {
            return TestedFigure.throughput(before, after, clear);
        }
        OptionalFigure was = OptionalFigure.from(before.point(), OperatingPoint::cpuPerRequest);
        OptionalFigure is = OptionalFigure.from(after.point(), OperatingPoint::cpuPerRequest);
        TestedFigure seen = was.isEmpty() || is.isEmpty()
                ? TestedFigure.unknown(before, after, clear)
                : TestedFigure.by(
                        was.getAsDouble() / is.getAsDouble(),
                        clear,
                        ", " + Format.seconds(is.getAsDouble()) + " of CPU an answer instead of "
                                + Format.seconds(was.getAsDouble()));
        boolean shakes = after.measurement()
                .filter(m -> m.connect().count() >= Bounds.value("reconnects") * m.responses())
                .isPresent();
        return seen.unless(shakes, "The server closed its connections all the same, so this test decides nothing.");
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        if (!s.isObserved() && s.trial().spec().load().wire().tls().isEmpty()) {
            return new RuleResult.Healthy("the load is in clear text");
        }
        Optional<String> few = s.sharesUnseen();
        if (s.measurement().isEmpty() || s.measurement().get().responses() == 0) {
            return new RuleResult.NotObserved(few.orElseGet(s::noAnswers));
        }
        double each = (double) s.measurement().get().connect().count()
                / s.measurement().get().responses();
        if (few.isPresent()) {
            return unseen(r, s, each, few.get());
        }
        double share = s.inTls();
        double onNew = Math.min(1, each);
        String figure = r.text("figure", "share", share, "of", s.sharesOf(), "new", onNew);
        if (share < r.bound("handshaking") || each < r.bound("reconnects") || !s.cpuFull()) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "most",
                        share >= r.bound("most"),
                        "figure",
                        figure,
                        // an upper bound, as what is sent is encrypted, too
                        "costly",
                        share / onNew > 1 - share,
                        "resumed",
                        s.trial().spec().load().wire().tls().get().resume())
                .seen(CpuRules.cpu(s))
                .weight(share)
                .knob("tls.engine")
                .found();
    }

    /** Where stacks can't tell: most answers need a handshake, and cost little more CPU time than one. */
    private static RuleResult unseen(RuleEntry r, TrialFacts s, double each, String few) {
        OptionalFigure cost = OptionalFigure.from(s.point(), OperatingPoint::cpuPerRequest);
        if (each < r.bound("most-shake") || !s.cpuFull() || cost.isEmpty() || cost.getAsDouble() > r.bound("few")) {
            return new RuleResult.NotObserved(few);
        }
        return new FindingBuilder(r, Severity.WARNING, "new", Math.min(1, each), "cost", cost, "few-seen", few)
                .as("unseen")
                .seen(CpuRules.cpu(s))
                .knob("tls.engine")
                .found();
    }
}
