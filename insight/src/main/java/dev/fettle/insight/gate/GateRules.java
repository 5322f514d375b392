package dev.fettle.insight.gate;

import dev.fettle.insight.gate.GateInput.Figure;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.insight.words.Say;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The rules and their bounds. Laws are cited where used; docs/methodology.md says where the bounds come from.
 */
public final class GateRules {
    /** Above this share of wrong answers, something other than the page was measured. */
    static final double WRONG_SHARE = 0.001;

    /** Above this share of attempts that failed for want of something on the generator's host, it was the limit. */
    public static final double OWN_SHARE = 0.001;

    /** Above this share of failed attempts, too little is left to judge. */
    static final double FAILED_SHARE = 0.5;

    /** Little's law N = X·(R+Z), Little 1961, doi 10.1287/opre.9.3.383: allows for rounding in reported figures. */
    static final double LITTLE_AT_MOST = 1.02;

    static final double LITTLE_AT_LEAST = 0.9;

    /** Clients that wait for the server for less of their cycle than this measure their own think time. */
    static final double BUSY_SHARE = 0.2;

    /**
     * The smallest response, in bytes, on a persistent connection that has or could have a body: {@code HTTP/1.1 200}, space,
     * CRLF (15 bytes), {@code Content-Length: 0} CRLF (19), CRLF (2); RFC 9112, 4 and 6.3.
     */
    static final double SMALLEST_RESPONSE = 36;

    /** The same without Content-Length, for 204, 304, HEAD and bodies that end with the connection. */
    static final double SMALLEST_HEAD = 17;

    /** Connects per response from which they affect the figures. */
    static final double CONNECTS_PER_ANSWER = 0.01;

    public static final double GENERATOR_CPU = 0.85;
    public static final double SEND_LAG_MILLIS = 1;

    /** A lag below this share of an SLO's latency can't affect whether an answer meets it. */
    private static final double LAG_SHARE = 0.05;

    /** Share of all CPUs' time, used where the CPUs of each side are not known; see {@link Steal#MOST}. */
    public static final double STEAL = 0.03;

    /** Share that other processes use of the server's and generator's CPUs; an idle machine has 1 to 3 %. */
    public static final double FOREIGN_CPU = 0.1;

    /** Relative change of throughput per minute. */
    static final double SLOPE = 0.02;

    public static final String NOTHING_MEASURED = "nothing-measured";
    public static final String WRONG_ANSWERS = "wrong-answers";
    public static final String MOSTLY_FAILED = "mostly-failed";
    public static final String DISTURBED = "disturbed";
    public static final String NOT_EFFECTIVE = "not-effective";

    /** Of a trial whose search for the capacity did not find it. */
    public static final String NO_CAPACITY = "no-capacity";

    public static final String GENERATOR_LIMIT = "generator-limit";
    public static final String SEND_LAG = "send-lag";

    /** Rules that void a spike's trial. Late and failed answers don't: they are what a spike is meant to show. */
    static final Set<String> OF_A_SPIKE = Set.of(NOTHING_MEASURED, NOT_EFFECTIVE, GENERATOR_LIMIT, SEND_LAG, DISTURBED);

    static final List<GateRule> ALL = List.of(
            new GateRule(NOTHING_MEASURED, "no valid response", false, GateRules::nothing),
            new GateRule(
                    WRONG_ANSWERS,
                    "more than " + Say.share(WRONG_SHARE)
                            + " of the responses are not what was expected: status, length, body, framing, a check of a"
                            + " scenario",
                    false,
                    GateRules::wrongAnswers),
            new GateRule(MOSTLY_FAILED, "more than half of the attempts failed", false, GateRules::mostlyFailed),
            new GateRule(
                    GateAdvice.THINK_TIME,
                    "for published figures only: clients wait for the server less than a fifth of their time. In a trial this"
                            + " is an advisory",
                    false,
                    GateRules::thinkTime),
            new GateRule(
                    "littles-law",
                    "requests in flight differ from the number of clients: ratio above 1.02, or below 0.9 while hardly anything"
                            + " failed;"
                            + " a trial may miss them by clients / responses, for requests that straddle the ends",
                    false,
                    GateRules::little),
            new GateRule(
                    "response-size",
                    "fewer bytes per response than the smallest HTTP/1.1 response (36; 17 where none has to say its length: 204, 304, HEAD, connections that close)",
                    false,
                    GateRules::size),
            new GateRule(
                    GateAdvice.CONNECT_QUEUE,
                    "at least " + Say.share(LostSyns.SHARE)
                            + " of the connects took 900 ms or more: SYNs were lost and sent again. Over TLS or HTTP/2, where"
                            + " the time of a connect includes more than TCP's, only if the kernel counted as many SYNs sent"
                            + " again; not judged for WebSockets, where opening one is the application's work. If the target's"
                            + " own accept queue was seen full, that is what this setting does, and only an advisory",
                    false,
                    GateRules::connectQueue),
            new GateRule(NOT_EFFECTIVE, "the value read back is not the value set", false, GateRules::notEffective),
            new GateRule(
                    GENERATOR_LIMIT,
                    "a generator thread used more than " + Say.share(GENERATOR_CPU) + " of its core, or more than "
                            + Say.share(OWN_SHARE) + " of the attempts failed on the"
                            + " generator's own host (no descriptor, no port)",
                    false,
                    GateRules::generator),
            new GateRule(
                    SEND_LAG,
                    "requests left more than 1 ms late at p99; in a spike, where an answer is only good or not, also more than"
                            + " " + Say.share(LAG_SHARE) + " of the SLO's shortest latency",
                    true,
                    GateRules::sendLag),
            new GateRule(
                    GateAdvice.NOT_STEADY,
                    "for published figures only: throughput drifts by more than " + Say.share(SLOPE)
                            + " a minute. In a trial this is an advisory",
                    false,
                    GateRules::steady),
            new GateRule(
                    DISTURBED,
                    "more than " + Say.share(Steal.MOST)
                            + " of the time of the target's own CPUs, or of the generator's, was stolen ("
                            + Say.share(STEAL) + " of all CPUs,"
                            + " where the two are not known separately), or other processes used more than "
                            + Say.share(FOREIGN_CPU) + " of the CPUs",
                    true,
                    GateRules::disturbed));

    private GateRules() {}

    /**
     * The largest send lag at p99 where only the share of answers within an SLO is judged, in milliseconds. The lag is part
     * of each latency, which counts from when a request was due, so what matters is its share of the SLO's bound.
     */
    public static double sendLagMillis(Slo slo) {
        return Math.max(SEND_LAG_MILLIS, LAG_SHARE * slo.shortestLatency().orElse(0) / 1e6);
    }

    private static Optional<String> nothing(GateInput in) {
        return in.get(Figure.VALID).isPresent() && in.get(Figure.VALID).getAsDouble() <= 0
                ? Optional.of("0 valid responses"
                        + in.get(Figure.FAILED).stream()
                                .mapToObj(f -> " and " + counted(f, "failed attempt"))
                                .findFirst()
                                .orElse("")
                        + ": nothing was measured")
                : Optional.empty();
    }

    private static Optional<String> wrongAnswers(GateInput in) {
        if (in.get(Figure.WRONG).isEmpty()
                || in.get(Figure.ANSWERS).isEmpty()
                || in.get(Figure.ANSWERS).getAsDouble() <= 0) {
            return Optional.empty();
        }
        double wrong = in.get(Figure.WRONG).getAsDouble();
        double share = wrong / in.get(Figure.ANSWERS).getAsDouble();
        return share > WRONG_SHARE
                ? Optional.of(Say.whole(wrong) + " of "
                        + counted(in.get(Figure.ANSWERS).getAsDouble(), "response") + " (" + Say.percent(share)
                        + (Math.round(wrong) == 1 ? ") was" : ") were")
                        + " not the expected answer, at most " + Say.share(WRONG_SHARE)
                        + " may be: errors were measured, not the page")
                : Optional.empty();
    }

    private static Optional<String> mostlyFailed(GateInput in) {
        if (in.get(Figure.FAILED).isEmpty()
                || in.get(Figure.VALID).isEmpty()
                || in.get(Figure.VALID).getAsDouble() <= 0) {
            return Optional.empty();
        }
        double attempts =
                in.get(Figure.FAILED).getAsDouble() + in.get(Figure.VALID).getAsDouble();
        double share = in.get(Figure.FAILED).getAsDouble() / attempts;
        return share > FAILED_SHARE
                ? Optional.of(Say.percent(share) + " of " + counted(attempts, "attempt") + " failed, at most "
                        + Say.share(FAILED_SHARE)
                        + " may: the latency of the rest is not typical")
                : Optional.empty();
    }

    private static Optional<String> thinkTime(GateInput in) {
        double z = in.get(Figure.THINK_SECONDS).orElse(0);
        // where each connection's time was measured, the think time was asked for: only an advisory, see GateAdvice
        if (z <= 0
                || in.get(Figure.MEAN_SECONDS).isEmpty()
                || in.get(Figure.OCCUPIED_SHARE).isPresent()) {
            return Optional.empty();
        }
        double r = in.get(Figure.MEAN_SECONDS).getAsDouble();
        double busy = r / (r + z);
        double most = r + in.get(Figure.MEAN_ABOVE_SECONDS).orElse(0);
        if (most / (most + z) >= BUSY_SHARE) {
            return Optional.empty();
        }
        String flight = in.get(Figure.THROUGHPUT).isPresent()
                ? ", " + Say.number(in.get(Figure.THROUGHPUT).getAsDouble() * r) + " requests in flight"
                : "";
        return Optional.of("a client waits " + Say.seconds(r) + " for the server and thinks " + Say.seconds(z) + " ("
                + Say.percent(busy) + " busy, at least " + Say.share(BUSY_SHARE) + " wanted" + flight
                + "): the think time set the throughput, not the server");
    }

    private static Optional<String> little(GateInput in) {
        if (in.get(Figure.CLIENTS).isEmpty() || in.get(Figure.CLIENTS).getAsDouble() <= 0) {
            return Optional.empty();
        }
        double n = in.get(Figure.CLIENTS).getAsDouble();
        if (in.get(Figure.OCCUPIED_SHARE).isPresent()) {
            return occupied(in, in.get(Figure.OCCUPIED_SHARE).getAsDouble());
        }
        if (in.get(Figure.THROUGHPUT).isEmpty()
                || in.get(Figure.MEAN_SECONDS).isEmpty()
                || in.get(Figure.MEAN_SECONDS).getAsDouble() <= 0) {
            return Optional.empty();
        }
        double cycle = in.get(Figure.MEAN_SECONDS).getAsDouble()
                + in.get(Figure.THINK_SECONDS).orElse(0);
        double cycles = in.get(Figure.THROUGHPUT).getAsDouble() / n;
        double share = cycles * cycle;
        double least = cycles * (cycle - in.get(Figure.MEAN_BELOW_SECONDS).orElse(0));
        double most = cycles * (cycle + in.get(Figure.MEAN_ABOVE_SECONDS).orElse(0));
        if (least > LITTLE_AT_MOST + in.get(Figure.EDGE).orElse(0)) {
            return Optional.of(
                    Say.number(in.get(Figure.THROUGHPUT).getAsDouble()) + "/s × " + Say.seconds(cycle) + " is "
                            + Say.number(share * n)
                            + " requests in flight from " + counted(n, "client") + " (" + Say.ratio(share)
                            + ", at most 1.02): Little's law allows " + Say.number(n / cycle)
                            + "/s, so the figures contradict each other");
        }
        return most < LITTLE_AT_LEAST - in.get(Figure.EDGE).orElse(0)
                        && in.get(Figure.CLIENTS_AT_MOST).isEmpty()
                        && fewFailed(in)
                ? Optional.of(idle(share))
                : Optional.empty();
    }

    /**
     * Little's law from the measured time of each connection: exact, without means or edge effects, except for clients' think
     * time.
     */
    private static Optional<String> occupied(GateInput in, double share) {
        double edge =
                in.get(Figure.THINK_SECONDS).orElse(0) > 0 ? in.get(Figure.EDGE).orElse(0) : 0;
        if (share > LITTLE_AT_MOST + edge) {
            return Optional.of("connections were occupied for " + Say.percent(share)
                    + " of the time there was (at most " + Say.share(LITTLE_AT_MOST) + "): Little's law is"
                    + " broken, so the measurement contradicts itself");
        }
        return share < LITTLE_AT_LEAST - edge && fewFailed(in) ? Optional.of(idle(share)) : Optional.empty();
    }

    private static String idle(double share) {
        return "requests account for " + Say.percent(share)
                + " of the clients' time (at least " + Say.share(LITTLE_AT_LEAST) + " wanted, Little's law) although"
                + " hardly any failed: clients were idle or still starting, so this is not the load that was asked for";
    }

    /** Whether failures are known and few. */
    private static boolean fewFailed(GateInput in) {
        if (in.get(Figure.FAILED).isEmpty() || in.get(Figure.VALID).isEmpty()) {
            return false;
        }
        double attempts =
                in.get(Figure.FAILED).getAsDouble() + in.get(Figure.VALID).getAsDouble();
        return attempts > 0 && in.get(Figure.FAILED).getAsDouble() / attempts <= WRONG_SHARE;
    }

    private static Optional<String> size(GateInput in) {
        double least = in.headOnly() ? SMALLEST_HEAD : SMALLEST_RESPONSE;
        return in.get(Figure.BYTES_PER_ANSWER).isPresent()
                        && in.get(Figure.BYTES_PER_ANSWER).getAsDouble() < least
                ? Optional.of(Say.whole(in.get(Figure.BYTES_PER_ANSWER).getAsDouble())
                        + " bytes a response, the smallest HTTP response has " + (int) least
                        + ": bytes or responses were counted wrongly")
                : Optional.empty();
    }

    /** What the target's own queue does is part of what it does under this setting; {@link GateAdvice} says so. */
    private static Optional<String> connectQueue(GateInput in) {
        return in.get(Figure.OWN_QUEUE_FULL).isPresent()
                ? Optional.empty()
                : slowConnects(in)
                        .map(share -> share
                                + ": SYNs were lost and sent again, as when an accept queue is full, so the latency is not the"
                                + " application's; raise the backlog and net.core.somaxconn, or use keep-alive");
    }

    /** Says how many connects were slow, if they were too many and not only a few in all. */
    static Optional<String> slowConnects(GateInput in) {
        double share = in.get(Figure.SLOW_CONNECT_SHARE).orElse(0);
        boolean few = in.get(Figure.CONNECTS).isPresent()
                && in.get(Figure.ANSWERS).isPresent()
                && in.get(Figure.CONNECTS).getAsDouble()
                        < CONNECTS_PER_ANSWER * in.get(Figure.ANSWERS).getAsDouble();
        return share < LostSyns.SHARE || few
                ? Optional.empty()
                : Optional.of("at least " + Say.percent(share) + " of the connects took 900 ms or more (bound "
                        + Say.share(LostSyns.SHARE) + ")");
    }

    private static Optional<String> notEffective(GateInput in) {
        Set<String> wrong = ignored(in.setting(), in.effective());
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(wrong.stream()
                                .map(knob -> knob + " was set to "
                                        + in.setting().get(knob).orElseThrow() + " but is "
                                        + in.effective().get(knob))
                                .collect(Collectors.joining("; "))
                        + ": the setting did not take effect, so another one was measured");
    }

    /** The knobs of a setting that have another value in force. */
    public static Set<String> ignored(Setting setting, Map<String, String> effective) {
        var ignored = new TreeSet<String>();
        setting.values().forEach((knob, set) -> {
            String read = effective.get(knob);
            if (read != null && !KnobValues.same(set, read)) {
                ignored.add(knob);
            }
        });
        return ignored;
    }

    private static Optional<String> generator(GateInput in) {
        double attempts = in.get(Figure.FAILED).orElse(0) + in.get(Figure.VALID).orElse(0);
        if (attempts > 0 && in.get(Figure.OWN).orElse(0) / attempts > OWN_SHARE) {
            return Optional.of(Say.whole(in.get(Figure.OWN).getAsDouble()) + " of " + counted(attempts, "attempt")
                    + " (at most " + Say.share(OWN_SHARE)
                    + ") failed on the generator's own host, which had no file descriptor or local"
                    + " port left: they say nothing about the server");
        }
        return above(in.get(Figure.GENERATOR_CPU_SHARE), GENERATOR_CPU)
                ? Optional.of("a generator thread used "
                        + Say.percent(in.get(Figure.GENERATOR_CPU_SHARE).getAsDouble())
                        + " of its core (bound " + Say.share(GENERATOR_CPU)
                        + "): the generator was the limit, not the server; on a machine with more CPUs give it"
                        + " more threads (load.threads, -t)")
                : Optional.empty();
    }

    private static Optional<String> sendLag(GateInput in) {
        double most = in.get(Figure.SEND_LAG_BOUND_MILLIS).orElse(SEND_LAG_MILLIS);
        return above(in.get(Figure.SEND_LAG_P99_MILLIS), most)
                ? Optional.of("1 % of the requests left "
                        + Say.seconds(in.get(Figure.SEND_LAG_P99_MILLIS).getAsDouble() / 1e3)
                        + " late or later (bound " + Say.seconds(most / 1e3)
                        + "): the generator was late, so its latencies are not the server's")
                : Optional.empty();
    }

    private static Optional<String> disturbed(GateInput in) {
        if (in.serverSteal().isPresent() || in.get(Figure.GENERATOR_STEAL).isPresent()) {
            double server = in.serverSteal().map(Steal::share).orElse(0.0);
            double generator = in.get(Figure.GENERATOR_STEAL).orElse(0);
            if (Math.max(server, generator) > Steal.MOST) {
                return Optional.of(stolen(
                        Math.max(server, generator),
                        server >= generator ? "the target's CPUs" : "the generator's CPUs",
                        Steal.MOST));
            }
        } else if (above(in.get(Figure.STEAL), STEAL)) {
            return Optional.of(stolen(in.get(Figure.STEAL).getAsDouble(), "the CPUs", STEAL));
        }
        return above(in.get(Figure.FOREIGN_CPU), FOREIGN_CPU)
                ? Optional.of("other processes used "
                        + Say.percent(in.get(Figure.FOREIGN_CPU).getAsDouble())
                        + " of the CPUs that server and generator run on (bound " + Say.share(FOREIGN_CPU)
                        + "): stop them, or measure when they are idle")
                : Optional.empty();
    }

    private static String stolen(double share, String whose, double bound) {
        return Say.percent(share) + " of the time of " + whose + " was stolen by the hypervisor (bound "
                + Say.percent(bound) + "): somebody else's load disturbed the trial";
    }

    /**
     * For published figures. Drift does not void a trial of our own: leaving out what drifts would be selecting by the result,
     * see {@link GateAdvice#NOT_STEADY}.
     */
    private static Optional<String> steady(GateInput in) {
        double slope = in.get(Figure.SLOPE_PER_MINUTE).orElse(0);
        return Math.abs(slope) > SLOPE
                ? Optional.of("throughput " + (slope > 0 ? "rose" : "fell") + " by " + Say.percent(Math.abs(slope))
                        + " a minute, at most " + Say.share(SLOPE) + " may be: the target was not steady")
                : Optional.empty();
    }

    /** {@code 44,150 responses}, {@code 1 client}. */
    private static String counted(double n, String noun) {
        return Say.whole(n) + " " + noun + (Math.round(n) == 1 ? "" : "s");
    }

    private static boolean above(OptionalFigure figure, double bound) {
        return figure.isPresent() && figure.getAsDouble() > bound;
    }
}
