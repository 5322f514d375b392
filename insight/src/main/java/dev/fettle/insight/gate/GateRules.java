package dev.fettle.insight.gate;

import dev.fettle.insight.words.KnobValues;
import dev.fettle.insight.words.Say;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** The rules and their bounds. Sources: laws as cited; bounds from the audit of the founding documents (B-37, B-53 to B-58). */
public final class GateRules {
    /** Wrong answers above this share: something else than the page was measured. */
    static final double WRONG_SHARE = 0.001;

    /** Failed attempts above this share: too little is left to judge. */
    static final double FAILED_SHARE = 0.5;

    /** Little's law N = X·(R+Z), Little 1961, doi 10.1287/opre.9.3.383: what rounding and reporting may spoil. */
    static final double LITTLE_AT_MOST = 1.02;

    static final double LITTLE_AT_LEAST = 0.9;

    /** Clients busy for a smaller part of their cycle than this measure their own think time. */
    static final double BUSY_SHARE = 0.2;

    /**
     * The smallest response on a persistent connection that has a body or could have one: {@code HTTP/1.1 200}, space, CRLF
     * (15 bytes), {@code Content-Length: 0} CRLF (19), CRLF (2); RFC 9112, 4 and 6.3.
     */
    static final double SMALLEST_RESPONSE = 36;

    /** The same without Content-Length, for 204 and 304. */
    static final double SMALLEST_HEAD = 17;

    /** Connects of 900 ms or more lost a SYN (first retransmission after 1 s, RFC 6298) when they are this share. */
    static final double SLOW_CONNECTS = 0.01;

    /** Connects matter to the figures when there is at least this many of them per response. */
    static final double CONNECTS_PER_ANSWER = 0.01;

    public static final double GENERATOR_CPU = 0.85;
    public static final double SEND_LAG_MILLIS = 1;
    /** Of all CPUs, where each side's own are not known; see {@link Steal#MOST}. */
    public static final double STEAL = 0.03;

    /** Other processes on the CPUs of server and generator; a machine at rest has 1 to 3 %. */
    public static final double FOREIGN_CPU = 0.1;

    /** Relative change of throughput per minute. */
    static final double SLOPE = 0.02;

    static final List<GateRule> ALL = List.of(
            new GateRule("nothing-measured", "There must be valid responses.", false, GateRules::nothing),
            new GateRule(
                    "wrong-answers",
                    "At most 0.1 % of the responses may be other than what was asked for.",
                    false,
                    GateRules::wrongAnswers),
            new GateRule(
                    "mostly-failed", "At least half of the attempts must succeed.", false, GateRules::mostlyFailed),
            new GateRule(
                    GateAdvice.THINK_TIME,
                    "Clients must spend at least a fifth of their time waiting for the server.",
                    false,
                    GateRules::thinkTime),
            new GateRule(
                    "littles-law", "Requests in flight X·(R+Z) must equal the clients N.", false, GateRules::little),
            new GateRule(
                    "response-size",
                    "A response can't be smaller than the smallest HTTP/1.1 response.",
                    false,
                    GateRules::size),
            new GateRule(
                    "connect-queue",
                    "Fewer than 1 % of the connects may take 900 ms or more.",
                    false,
                    GateRules::connectQueue),
            new GateRule("not-effective", "What was set must be what is read back.", false, GateRules::notEffective),
            new GateRule("generator-limit", "The generator must not be what is full.", false, GateRules::generator),
            new GateRule(
                    "send-lag", "Requests must leave on time: p99 of the lag at most 1 ms.", true, GateRules::sendLag),
            new GateRule(
                    GateAdvice.NOT_STEADY,
                    "Published throughput must not drift by more than 2 % a minute.",
                    false,
                    GateRules::steady),
            new GateRule(
                    "disturbed",
                    "At most 5 % of the time of either side's CPUs may be stolen, at most 10 % used by others.",
                    true,
                    GateRules::disturbed));

    private GateRules() {}

    private static Optional<String> nothing(GateInput in) {
        return in.valid().isPresent() && in.valid().getAsDouble() <= 0
                ? Optional.of("0 valid responses"
                        + in.failed().stream()
                                .mapToObj(f -> " and " + Say.number(f) + " failed attempts")
                                .findFirst()
                                .orElse("")
                        + ": nothing was measured")
                : Optional.empty();
    }

    private static Optional<String> wrongAnswers(GateInput in) {
        if (in.wrong().isEmpty() || in.answers().isEmpty() || in.answers().getAsDouble() <= 0) {
            return Optional.empty();
        }
        double wrong = in.wrong().getAsDouble();
        double share = wrong / in.answers().getAsDouble();
        return share > WRONG_SHARE
                ? Optional.of(Say.number(wrong) + " of "
                        + Say.number(in.answers().getAsDouble()) + " responses (" + Say.percent(share)
                        + ") were not the expected answer, at most 0.1 % may be: errors were measured, not the page")
                : Optional.empty();
    }

    private static Optional<String> mostlyFailed(GateInput in) {
        if (in.failed().isEmpty() || in.valid().isEmpty() || in.valid().getAsDouble() <= 0) {
            return Optional.empty();
        }
        double attempts = in.failed().getAsDouble() + in.valid().getAsDouble();
        double share = in.failed().getAsDouble() / attempts;
        return share > FAILED_SHARE
                ? Optional.of(
                        Say.percent(share) + " of " + Say.number(attempts)
                                + " attempts failed, at most 50 % may: almost nothing succeeded, and the latency of the rest is not typical")
                : Optional.empty();
    }

    private static Optional<String> thinkTime(GateInput in) {
        double z = in.thinkSeconds().orElse(0);
        // who measured each connection's time asked for the think time: then it is only said, see GateAdvice
        if (z <= 0 || in.meanSeconds().isEmpty() || in.occupiedShare().isPresent()) {
            return Optional.empty();
        }
        double r = in.meanSeconds().getAsDouble();
        double busy = r / (r + z);
        if (busy >= BUSY_SHARE) {
            return Optional.empty();
        }
        String flight = in.throughput().isPresent()
                ? ", " + Say.number(in.throughput().getAsDouble() * r) + " requests in flight"
                : "";
        return Optional.of("a client waits " + Say.seconds(r) + " for the server and thinks " + Say.seconds(z) + " ("
                + Say.percent(busy) + " busy, at least 20 % wanted" + flight
                + "): the think time set the throughput, not the server");
    }

    private static Optional<String> little(GateInput in) {
        if (in.clients().isEmpty() || in.clients().getAsDouble() <= 0) {
            return Optional.empty();
        }
        double n = in.clients().getAsDouble();
        if (in.occupiedShare().isPresent()) {
            return occupied(in, in.occupiedShare().getAsDouble());
        }
        if (in.throughput().isEmpty()
                || in.meanSeconds().isEmpty()
                || in.meanSeconds().getAsDouble() <= 0) {
            return Optional.empty();
        }
        double cycle = in.meanSeconds().getAsDouble() + in.thinkSeconds().orElse(0);
        double share = in.throughput().getAsDouble() * cycle / n;
        if (share > LITTLE_AT_MOST + in.edge()) {
            return Optional.of(Say.number(in.throughput().getAsDouble()) + "/s × " + Say.seconds(cycle) + " is "
                    + Say.number(share * n)
                    + " requests in flight from " + Say.number(n) + " clients (" + Say.ratio(share)
                    + ", at most 1.02): Little's law allows " + Say.number(n / cycle)
                    + "/s, so the figures contradict each other");
        }
        return share < LITTLE_AT_LEAST - in.edge() && fewFailed(in) ? Optional.of(idle(share)) : Optional.empty();
    }

    /** Where the time of each connection was measured, it is exact, without means or edges; but for the think time of its clients. */
    private static Optional<String> occupied(GateInput in, double share) {
        double edge = in.thinkSeconds().orElse(0) > 0 ? in.edge() : 0;
        if (share > LITTLE_AT_MOST + edge) {
            return Optional.of("connections were occupied for " + Say.percent(share)
                    + " of the time there was (at most 102 %): Little's law is"
                    + " broken, so the measurement contradicts itself");
        }
        return share < LITTLE_AT_LEAST - edge && fewFailed(in) ? Optional.of(idle(share)) : Optional.empty();
    }

    private static String idle(double share) {
        return "requests account for " + Say.percent(share)
                + " of the clients' time (at least 90 % wanted, Little's law) although"
                + " hardly any failed: clients were idle or still starting, so this is not the load that was asked for";
    }

    /** Only known failures are few. */
    private static boolean fewFailed(GateInput in) {
        if (in.failed().isEmpty() || in.valid().isEmpty()) {
            return false;
        }
        double attempts = in.failed().getAsDouble() + in.valid().getAsDouble();
        return attempts > 0 && in.failed().getAsDouble() / attempts <= WRONG_SHARE;
    }

    private static Optional<String> size(GateInput in) {
        double least = in.headOnly() ? SMALLEST_HEAD : SMALLEST_RESPONSE;
        return in.bytesPerAnswer().isPresent() && in.bytesPerAnswer().getAsDouble() < least
                ? Optional.of(
                        String.format(Locale.ROOT, "%.0f", in.bytesPerAnswer().getAsDouble())
                                + " bytes a response, the smallest HTTP response has " + (int) least
                                + ": bytes or responses were counted wrongly")
                : Optional.empty();
    }

    private static Optional<String> connectQueue(GateInput in) {
        if (in.slowConnectShare().isEmpty() || in.slowConnectShare().getAsDouble() < SLOW_CONNECTS) {
            return Optional.empty();
        }
        boolean few = in.connects().isPresent()
                && in.answers().isPresent()
                && in.connects().getAsDouble()
                        < CONNECTS_PER_ANSWER * in.answers().getAsDouble();
        return few
                ? Optional.empty()
                : Optional.of("at least " + Say.percent(in.slowConnectShare().getAsDouble())
                        + " of the connects took 900 ms or more (bound 1 %): SYNs were retransmitted because the accept queue was full,"
                        + " so the latency is the queue's, not the application's; raise the backlog and net.core.somaxconn, or use"
                        + " keep-alive");
    }

    private static Optional<String> notEffective(GateInput in) {
        var wrong = new TreeSet<String>();
        in.setting().values().forEach((knob, set) -> {
            String read = in.effective().get(knob);
            if (read != null && !KnobValues.same(set, read)) {
                wrong.add(knob + " was set to " + set + " but is " + read);
            }
        });
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        String.join("; ", wrong) + ": the setting did not take effect, so another one was measured");
    }

    private static Optional<String> generator(GateInput in) {
        double attempts = in.failed().orElse(0) + in.valid().orElse(0);
        if (attempts > 0 && in.own().orElse(0) / attempts > WRONG_SHARE) {
            return Optional.of(Say.number(in.own().getAsDouble()) + " of " + Say.number(attempts)
                    + " attempts (at most 0.1 %) failed on the generator's own host, which had no file descriptor or local"
                    + " port left: they say nothing about the server");
        }
        return above(in.generatorCpuShare(), GENERATOR_CPU)
                ? Optional.of("a generator thread used "
                        + Say.percent(in.generatorCpuShare().getAsDouble())
                        + " of its core (bound 85 %): the generator was the limit, not the server")
                : Optional.empty();
    }

    private static Optional<String> sendLag(GateInput in) {
        return above(in.sendLagP99Millis(), SEND_LAG_MILLIS)
                ? Optional.of("1 % of the requests left "
                        + Say.seconds(in.sendLagP99Millis().getAsDouble() / 1e3)
                        + " late or later (bound 1 ms): the generator was late, so its latencies are not the server's")
                : Optional.empty();
    }

    private static Optional<String> disturbed(GateInput in) {
        if (in.serverSteal().isPresent() || in.generatorSteal().isPresent()) {
            double server = in.serverSteal().map(Steal::share).orElse(0.0);
            double generator = in.generatorSteal().orElse(0);
            if (Math.max(server, generator) > Steal.MOST) {
                return Optional.of(stolen(
                        Math.max(server, generator),
                        server >= generator ? "the target's CPUs" : "the generator's CPUs",
                        Steal.MOST));
            }
        } else if (above(in.steal(), STEAL)) {
            return Optional.of(stolen(in.steal().getAsDouble(), "the CPUs", STEAL));
        }
        return above(in.foreignCpu(), FOREIGN_CPU)
                ? Optional.of(
                        "other processes used " + Say.percent(in.foreignCpu().getAsDouble())
                                + " of the CPUs that server and generator run on (bound 10 %): stop them, or measure when they rest")
                : Optional.empty();
    }

    private static String stolen(double share, String whose, double bound) {
        return Say.percent(share) + " of the time of " + whose + " was stolen by the hypervisor (bound "
                + Say.percent(bound) + "): somebody else's load disturbed the trial";
    }

    /**
     * Of figures that somebody published. A trial's own drift does not make it void: to leave out what drifts is to choose by the
     * result, see {@link GateAdvice#NOT_STEADY}.
     */
    private static Optional<String> steady(GateInput in) {
        double slope = in.slopePerMinute().orElse(0);
        return Math.abs(slope) > SLOPE
                ? Optional.of("throughput " + (slope > 0 ? "rose" : "fell") + " by " + Say.percent(Math.abs(slope))
                        + " a minute, at most 2 % may be: the target was not steady")
                : Optional.empty();
    }

    private static boolean above(OptionalDouble figure, double bound) {
        return figure.isPresent() && figure.getAsDouble() > bound;
    }
}
