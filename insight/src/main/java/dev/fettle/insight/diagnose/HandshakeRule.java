package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;

/** The rule about TLS handshakes that fill the CPUs. */
final class HandshakeRule {
    static final String ID = "tls-handshakes";

    /** From this share of the running threads' stacks on, TLS is the cost. */
    private static final double HANDSHAKING = 0.2;

    /** Share of the answers on a new connection from which handshakes may be the cost where no stack shows it. */
    private static final double MOST_SHAKE_HANDS = 0.5;

    /**
     * CPU seconds of an answer up to which a handshake can be a good part of it: the JDK's takes about 1 ms, as
     * examples/tls-handshakes.yaml measures.
     */
    private static final double FEW_HANDSHAKES = 0.005;

    static final Rule RULE = new Rule(
                    ID,
                    Stage.CPU,
                    "TLS handshakes that fill the CPUs",
                    "TLS has " + Say.share(HANDSHAKING) + " of the CPU time in a profile of "
                            + Say.seconds(CpuProfile.LEAST_SECONDS) + " of it or more; without one, is on top of "
                            + Say.share(HANDSHAKING)
                            + " of the stacks that run; the CPUs full, and a new connection for "
                            + Say.share(Thresholds.RECONNECTS) + " of the answers; where too few stacks show it, for "
                            + Say.share(MOST_SHAKE_HANDS) + ", which take " + Say.seconds(FEW_HANDSHAKES)
                            + " of CPU at most (a handshake of the JDK's takes about 1 ms: measured with examples/tls-handshakes.yaml)",
                    List.of(),
                    HandshakeRule::look)
            .shownBy(Signals.CPU_TOTAL, Signals.LOAD_RATE, Signals.SOCKETS_TIME_WAIT);

    private HandshakeRule() {}

    private static RuleResult look(TrialFacts s) {
        if (s.trial().spec().load().wire().tls().isEmpty()) {
            return new RuleResult.Healthy("the load is in clear text");
        }
        Optional<String> few = s.sharesUnseen();
        if (s.measurement().isEmpty() || s.measurement().get().responses() == 0) {
            return new RuleResult.NotObserved(few.orElseGet(s::noAnswers));
        }
        double each = (double) s.measurement().get().connect().count()
                / s.measurement().get().responses();
        if (few.isPresent()) {
            return unseen(s, each, few.get());
        }
        double share = s.inTls();
        String figure = "TLS has " + Say.percent(share) + " of " + s.sharesOf() + "; " + Say.percent(Math.min(1, each))
                + " of the answers came on a new connection";
        if (share < HANDSHAKING || each < Thresholds.RECONNECTS || !s.cpuFull()) {
            return new RuleResult.Healthy(figure);
        }
        boolean resumed = s.trial().spec().load().wire().tls().get().resume();
        return new FindingBuilder(
                        ID,
                        Severity.WARNING,
                        share >= Thresholds.MOST_OF_A_REQUEST
                                ? "TLS handshakes fill the CPUs"
                                : "TLS takes much of the CPU time, and many answers need a handshake",
                        figure + ", and the CPUs are full"
                                // an upper bound, as what is sent is encrypted, too
                                + (share / Math.min(1, each) > 1 - share
                                        ? ": a handshake may cost more than the answer behind it"
                                        : "")
                                + (resumed ? "." : ", and none of the handshakes resumes an earlier session."))
                .seen(CpuRules.cpu(s))
                .weight(share)
                .remedy(
                        "Keep connections (keep-alive), let clients resume their sessions (tickets), take an ECDSA certificate in"
                                + " place of RSA, or OpenSSL in place of the JDK's TLS")
                .knob("tls.engine")
                .refutedBy("With kept connections the CPU time of an answer is the same.")
                .found();
    }

    /** Where stacks can't tell: most answers need a handshake, and cost little more CPU time than one. */
    private static RuleResult unseen(TrialFacts s, double each, String few) {
        OptionalFigure cost = OptionalFigure.from(s.point(), OperatingPoint::cpuPerRequest);
        if (each < MOST_SHAKE_HANDS || !s.cpuFull() || cost.isEmpty() || cost.getAsDouble() > FEW_HANDSHAKES) {
            return new RuleResult.NotObserved(few);
        }
        return new FindingBuilder(
                        ID,
                        Severity.WARNING,
                        "The CPUs are full, and most answers need a TLS handshake",
                        Say.percent(Math.min(1, each))
                                + " of the answers came on a new connection, and an answer costs "
                                + Say.seconds(cost.getAsDouble())
                                + " of CPU; a handshake alone may take 1 ms or more. How much it takes"
                                + " here was not seen: " + few + ".")
                .seen(CpuRules.cpu(s))
                .remedy(
                        "Keep connections (keep-alive), let clients resume their sessions (tickets), or OpenSSL in place of the JDK's TLS")
                .knob("tls.engine")
                .refutedBy("With kept connections the CPU time of an answer is the same.")
                .found();
    }
}
