package dev.fettle.insight.judge;

import dev.fettle.insight.gate.GateInput;
import dev.fettle.insight.gate.LostSyns;
import dev.fettle.insight.gate.ValidityGate;
import dev.fettle.insight.judge.Judgement.Finding;
import dev.fettle.insight.judge.Judgement.Outcome;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Clients;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Verdict;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Judges published figures. The rules are those of the {@link ValidityGate}, as far as the figures are given, and some
 * that only published figures need: that they agree with each other, and that the percentiles are possible.
 */
public final class Judge {
    /** Of rate, time and number of responses, any two give the third. This tolerance allows for rounding by tools. */
    private static final double ARITHMETIC = 0.03;

    private static final double PERCENTILES = 0.05;
    /** Below this share of their time, the clients did something other than wait; as in the gate. */
    private static final double LITTLE_AT_LEAST = Bounds.value("little-at-least");

    private static final double LITTLE_AT_MOST = Bounds.value("little-at-most");
    /** From this share of attempts without an answer on, it may be these that the clients waited for. */
    private static final double LOST_SHARE = 0.001;
    /** JMeter's summariser prints whole seconds. */
    private static final double JMETER_SECONDS = 0.5;

    private static final double SLOW_CONNECT_SECONDS = 0.9;
    /**
     * Default number of local ports: {@code net.ipv4.ip_local_port_range} is 32768 to 60999; a closed connection's port
     * rests for 60 s (TIME_WAIT).
     */
    private static final double PORTS = 28_232;

    private static final double CONNECT_SHARE = 0.2;
    /** Requests per second at which ab, which has a single thread, has less than 100 µs for each. */
    private static final double AB_IS_BUSY = 10_000;

    private final Published p;
    private final List<Finding> refusals = new ArrayList<>();
    private final List<Finding> cautions = new ArrayList<>();
    private final List<String> checked = new ArrayList<>();

    private Judge(Published figures) {
        this.p = figures;
    }

    /** Judges published figures. */
    public static Judgement of(Published figures) {
        return new Judge(figures).judgement();
    }

    private Judgement judgement() {
        thinkTime();
        Verdict gate = ValidityGate.judge(gateInput());
        gate.reasons().forEach(r -> refuse(r.rule(), r.message()));
        gate.advisories().stream()
                .filter(a -> refusals.stream().noneMatch(r -> r.rule().equals(a.rule())))
                .forEach(a -> cautions.add(new Finding(a.rule(), a.message())));
        deadline();
        sizes();
        lengths();
        little();
        arithmetic();
        percentiles();
        refusedConnects();
        connects();
        ports();
        generator();
        Outcome outcome =
                !refusals.isEmpty() ? Outcome.REFUSED : checked.isEmpty() ? Outcome.TOO_FEW : Outcome.NOT_REFUTED;
        return new Judgement(p, outcome, refusals, cautions, checked, MissingFigure.of(p));
    }

    private void refuse(String rule, String message) {
        if (refusals.stream().noneMatch(r -> r.rule().equals(rule))) {
            refusals.add(new Finding(rule, message));
        }
    }

    private OptionalDouble get(Figure figure) {
        return p.get(figure);
    }

    private GateInput gateInput() {
        GateInput in = GateInput.published();
        for (var e : Map.of(
                        Figure.CLIENTS, GateInput.Figure.CLIENTS,
                        Figure.THROUGHPUT, GateInput.Figure.THROUGHPUT,
                        Figure.MEAN, GateInput.Figure.MEAN_SECONDS,
                        Figure.THINK, GateInput.Figure.THINK_SECONDS,
                        Figure.RESPONSES, GateInput.Figure.ANSWERS,
                        Figure.WRONG, GateInput.Figure.WRONG,
                        Figure.FAILED, GateInput.Figure.FAILED,
                        Figure.SECONDS, GateInput.Figure.MEASURED_SECONDS)
                .entrySet()) {
            boolean counts = e.getKey() != Figure.CLIENTS || p.clients() != Clients.OPEN;
            OptionalDouble v = counts ? get(e.getKey()) : OptionalDouble.empty();
            in = v.isPresent() ? in.with(e.getValue(), v.getAsDouble()) : in;
        }
        // all tools time an error page as they do any answer; JMeter times what was never answered, too
        OptionalDouble timed = get(p.tool().equals("JMeter") ? Figure.FAILED : Figure.WRONG);
        in = timed.isPresent() ? in.with(GateInput.Figure.FAILED_TIMED, timed.getAsDouble()) : in;
        in = p.clients() == Clients.AT_MOST ? in.with(GateInput.Figure.CLIENTS_AT_MOST, 1) : in;
        if (get(Figure.RESPONSES).isPresent() && get(Figure.FAILED).isPresent()) {
            double responses = get(Figure.RESPONSES).getAsDouble();
            // what was never answered is not among the responses
            double bad = get(Figure.FAILED).getAsDouble() - get(Figure.LOST).orElse(0);
            double valid = responses - Math.clamp(bad, 0, Math.max(0, responses));
            // with wrong answers alone "wrong-answers" says more than "nothing was measured"
            in = valid > 0 || get(Figure.WRONG).orElse(0) <= 0 ? in.with(GateInput.Figure.VALID, valid) : in;
        }
        in = in.with(GateInput.Figure.MEAN_BELOW_SECONDS, meanBelow())
                .with(GateInput.Figure.MEAN_ABOVE_SECONDS, p.meanAbove());
        OptionalDouble bytes = bytesPerAnswer();
        if (bytes.isPresent()) {
            in = in.with(GateInput.Figure.BYTES_PER_ANSWER, bytes.getAsDouble());
        }
        OptionalDouble slow = slowConnects();
        return slow.isPresent() ? in.with(GateInput.Figure.SLOW_CONNECT_SHARE, slow.getAsDouble()) : in;
    }

    /** Times at which programs give up waiting, in seconds. */
    private static final double[] DEADLINES = {5, 10, 15, 20, 30, 45, 60, 75, 90, 100, 120, 180, 300};

    private static final double ON_TIME_SECONDS = 0.05;
    private static final double ON_TIME = 0.005;

    /** An answer that always comes, or ends, after the same round time ends by a time-out: work takes now more and now less. */
    private void deadline() {
        double first = get(Figure.MIN).orElse(0);
        double last = get(Figure.MAX).orElse(Double.POSITIVE_INFINITY);
        for (double d : DEADLINES) {
            double late = Math.max(ON_TIME_SECONDS, ON_TIME * d);
            if (first >= d - ON_TIME_SECONDS / 10 && last <= d + late) {
                double begun = get(Figure.FIRST_BYTE).orElse(Double.POSITIVE_INFINITY);
                refuse(
                        "deadline",
                        "each answer ended after " + Format.seconds(d) + ", none sooner than "
                                + Format.seconds(first)
                                + " and none later than " + Format.seconds(last)
                                + (begun < d / 2
                                        ? ", and its first byte came after " + Format.seconds(begun)
                                                + ": a time-out ends it, as where a client waits for the connection to close that the server keeps"
                                                + " open (HTTP/1.0, keep-alive)"
                                        : ": that is a time-out, not work")
                                + "; no throughput and no latency of the server can be read from it");
            }
        }
    }

    /** Connections of a generator at a limit of its open files: so many less than that carry requests. */
    private static final double[] OPEN_FILES = {256, 1024, 2048, 4096, 8192, 10_240, 65_536};

    private static final double OTHER_FILES = 32;

    private void refusedConnects() {
        double failed = get(Figure.CONNECT_ERRORS).orElse(0);
        if (failed <= 0) {
            return;
        }
        OptionalDouble there = connected();
        String said = Format.whole(failed) + (failed == 1 ? " connect failed" : " connects failed");
        if (there.isPresent()) {
            double n = there.getAsDouble();
            OptionalDouble files = java.util.Arrays.stream(OPEN_FILES)
                    .filter(l -> n <= l
                            && n >= l - OTHER_FILES
                            && get(Figure.CLIENTS).orElse(0) >= l - OTHER_FILES)
                    .findFirst();
            cautions.removeIf(c -> c.rule().equals("littles-law"));
            refusals.removeIf(c -> c.rule().equals("littles-law"));
            refuse(
                    "littles-law",
                    said + ", and " + Format.number(get(Figure.THROUGHPUT).getAsDouble()) + "/s × " + mean()
                            + " is "
                            + Format.count(n) + " requests in flight: only some " + Format.whole(Math.rint(n))
                            + " of "
                            + clients()
                            + " connections were there"
                            + (files.isPresent()
                                    ? ", as many as a generator has that may open " + Format.whole(files.getAsDouble())
                                            + " files: raise its ulimit -n"
                                    : "; the generator's open files (ulimit -n), the server's limit of connections, or its accept queue"
                                            + " kept out the others")
                            + "; this is not the load that it is said to be");
        } else {
            boolean sound = refusals.isEmpty() && get(Figure.WRONG).orElse(0) <= 0;
            cautions.add(new Finding(
                    "connect-errors",
                    said + (sound ? ", and the other answers look sound" : "")
                            + ": the server was started after the load, or was restarted; or connections were refused (accept queue,"
                            + " open files, ports): the load was not there all the time"));
        }
    }

    /**
     * How many connections carried requests, where that is clearly fewer than there should be, and as many connects failed as are
     * missing.
     */
    private OptionalDouble connected() {
        if (cycle().isEmpty() || !p.has(Figure.MEAN) || p.clients() != Clients.STEADY) {
            return OptionalDouble.empty();
        }
        double flight = get(Figure.THROUGHPUT).getAsDouble()
                * (get(Figure.MEAN).getAsDouble()
                        + p.meanAbove()
                        + get(Figure.THINK).orElse(0));
        double all = get(Figure.CLIENTS).orElse(0);
        boolean kept = get(Figure.CONNECT_ERRORS).orElse(0) >= LITTLE_AT_LEAST * (all - flight);
        return flight < LITTLE_AT_LEAST * all && kept ? OptionalDouble.of(flight) : OptionalDouble.empty();
    }

    private void sizes() {
        if (bytesPerAnswer().isPresent()
                && refusals.stream().noneMatch(r -> r.rule().equals("response-size"))) {
            checked.add("bytes a response (" + Format.number(bytesPerAnswer().getAsDouble()) + ")");
        }
    }

    /** ab calls an answer failed whose length is not the first one's; pages with a time or a token in them have that. */
    private void lengths() {
        double other = get(Figure.OTHER_LENGTH).orElse(0);
        if (other > 0) {
            cautions.add(new Finding(
                    "lengths",
                    Format.whole(other) + (other == 1 ? " answer has" : " answers have")
                            + " another length than the first: ab counts that as failed, but a page may differ from one answer"
                            + " to the next; whether some are error pages, only their status and content show"));
        }
    }

    private OptionalDouble bytesPerAnswer() {
        OptionalDouble responses = get(Figure.RESPONSES);
        OptionalDouble rate = get(Figure.THROUGHPUT);
        if (get(Figure.BYTES).isPresent() && responses.orElse(0) > 0) {
            return OptionalDouble.of(get(Figure.BYTES).getAsDouble() / responses.getAsDouble());
        }
        return get(Figure.BYTES_PER_SECOND).isPresent() && rate.orElse(0) > 0
                ? OptionalDouble.of(get(Figure.BYTES_PER_SECOND).getAsDouble() / rate.getAsDouble())
                : OptionalDouble.empty();
    }

    /**
     * A lower bound on the share of requests whose connect took 900 ms or more: those that took that much longer than any
     * answer did once connected. The kernel sends a SYN again after 1 s (RFC 6298).
     */
    private OptionalDouble slowConnects() {
        return get(Figure.CONNECT_MAX).orElse(0) < SLOW_CONNECT_SECONDS
                ? OptionalDouble.empty()
                : p.percentiles().entrySet().stream()
                        .filter(e -> connecting(e.getValue()) >= SLOW_CONNECT_SECONDS)
                        .mapToDouble(e -> 1 - e.getKey() / 100)
                        .max();
    }

    /** How much of a latency was connecting at least: what it exceeds the longest time to an answer once connected by. */
    private double connecting(double latency) {
        return Math.max(0, latency - get(Figure.PROCESSING_MAX).orElse(Double.POSITIVE_INFINITY));
    }

    /**
     * Refuses a percentile as the application's latency if a SYN was lost and more than a fifth of it is surely connecting, for 1 % of the
     * requests or more.
     */
    private void slowPercentile() {
        p.percentiles().entrySet().stream()
                .filter(e -> 1 - e.getKey() / 100 >= LostSyns.SHARE
                        && connecting(e.getValue()) > CONNECT_SHARE * e.getValue())
                .reduce((a, b) -> b)
                .ifPresent(e -> refuse(
                        "connect-queue",
                        "at least " + Format.share(1 - e.getKey() / 100) + " of the connects took "
                                + Format.seconds(connecting(e.getValue())) + " or more ("
                                + name(e.getKey()) + " is " + Format.seconds(e.getValue())
                                + ", and no answer took more than "
                                + Format.seconds(get(Figure.PROCESSING_MAX).orElse(0))
                                + " once connected), and the longest "
                                + Format.seconds(get(Figure.CONNECT_MAX).orElse(0))
                                + ": a SYN is sent again after 1 s, so at least one was lost, and this latency is not the"
                                + " application's; keep-alive saves the connects, a longer accept queue helps only where the"
                                + " clients can fill it"));
    }

    /** {@code p99.9}. */
    private static String name(double percentile) {
        return "p" + BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString();
    }

    /** Siege pauses between requests unless told not to (-b), and nobody publishes that. */
    private void thinkTime() {
        boolean siege = p.tool().equals("siege");
        if (!siege || p.has(Figure.THINK) || cycle().isEmpty() || !p.has(Figure.MEAN)) {
            return;
        }
        double r = get(Figure.MEAN).getAsDouble();
        double all = cycle().getAsDouble();
        if (r + p.meanAbove() < all / 5) {
            refuse(
                    "think-time",
                    clients() + " clients at "
                            + Format.number(get(Figure.THROUGHPUT).getAsDouble()) + "/s are one request every "
                            + Format.seconds(all) + " for each, of which " + mean()
                            + " is the answer: siege pauses between requests"
                            + " unless it runs with -b (older versions for up to 1 s), so the pause set the throughput, not the server");
        }
    }

    private String clients() {
        return Format.whole(get(Figure.CLIENTS).orElse(0));
    }

    private String mean() {
        return (p.rounded() ? "at most " : "") + Format.seconds(get(Figure.MEAN).orElse(0));
    }

    /**
     * By how much the measured mean may be below the published one. To what it measured, wrk adds answers that it thinks it
     * missed while it waited ({@code stats_correct}), all of them slow, so its mean is only an upper bound.
     */
    private double meanBelow() {
        return p.tool().equals("wrk") ? get(Figure.MEAN).orElse(0) : p.meanBelow();
    }

    /** The time a client has per request, pauses included. */
    private OptionalDouble cycle() {
        return get(Figure.CLIENTS).isPresent() && get(Figure.THROUGHPUT).orElse(0) > 0 && p.clients() != Clients.OPEN
                ? OptionalDouble.of(get(Figure.CLIENTS).getAsDouble()
                        / get(Figure.THROUGHPUT).getAsDouble())
                : OptionalDouble.empty();
    }

    private void little() {
        if (cycle().isEmpty() || !p.has(Figure.MEAN) || get(Figure.CLIENTS).orElse(0) <= 0) {
            return;
        }
        double busy = get(Figure.MEAN).getAsDouble() + get(Figure.THINK).orElse(0);
        double share = busy / cycle().getAsDouble();
        double least = (busy - meanBelow()) / cycle().getAsDouble();
        double most = (busy + p.meanAbove()) / cycle().getAsDouble();
        boolean said = refusals.stream()
                .anyMatch(r -> r.rule().equals("littles-law") || r.rule().equals("think-time"));
        if (said) {
            return;
        }
        boolean bound = meanBelow() >= get(Figure.MEAN).getAsDouble();
        String text = (bound ? "at most " : "") + Format.ratio(share);
        if (p.clients() == Clients.AT_MOST && most < LITTLE_AT_LEAST) {
            checked.add("Little's law (" + text
                    + " requests in flight for each client, not all of whom were there all the time)");
            return;
        }
        if (most >= LITTLE_AT_LEAST) {
            boolean fits = bound || share >= LITTLE_AT_LEAST && share <= LITTLE_AT_MOST;
            checked.add("Little's law ("
                    + (fits ? text : "between " + Format.ratio(least) + " and " + Format.ratio(most))
                    + " requests in flight for each client" + (fits ? ")" : ", as the mean is rounded)"));
            return;
        }
        double flight = share * get(Figure.CLIENTS).getAsDouble();
        cautions.add(new Finding(
                "littles-law",
                Format.number(get(Figure.THROUGHPUT).getAsDouble()) + "/s × " + mean() + " is "
                        + Format.count(flight)
                        + " requests in flight, of "
                        + clients() + " clients (" + text
                        + ", at least 0.9 wanted): the others were idle, still starting, thinking, or waited for answers that"
                        + " never came; this is not the load that it is said to be"));
        // of what failed otherwise than by its status, nobody says how long it took
        double lost = Math.max(
                get(Figure.LOST).orElse(0),
                get(Figure.FAILED).orElse(0) - get(Figure.WRONG).orElse(0));
        boolean waited = lost > LOST_SHARE * (get(Figure.RESPONSES).orElse(0) + lost);
        if (!waited && (p.rounded() || most < 0.5)) {
            refuse(
                    "littles-law",
                    "the clients waited for answers during " + (bound ? "at most " : "") + Format.share(share)
                            + " of their time: whatever they did in the rest of it, the server did not decide the throughput");
            cautions.removeLast();
        }
    }

    private void arithmetic() {
        var all = Set.of(Figure.RESPONSES, Figure.SECONDS, Figure.THROUGHPUT);
        // where one was calculated from the others, they agree whatever was measured
        if (!all.stream().allMatch(p::has) || all.stream().anyMatch(p.derived()::contains)) {
            return;
        }
        double rate = get(Figure.RESPONSES).getAsDouble() / get(Figure.SECONDS).getAsDouble();
        double reported = get(Figure.THROUGHPUT).getAsDouble();
        double seconds = get(Figure.SECONDS).getAsDouble();
        boolean rounded = p.tool().equals("JMeter")
                && Math.abs(get(Figure.RESPONSES).getAsDouble() / reported - seconds)
                        <= JMETER_SECONDS + ARITHMETIC * seconds;
        if (Math.abs(rate - reported) > ARITHMETIC * reported + 1 && !rounded) {
            refuse(
                    "arithmetic",
                    Format.number(get(Figure.RESPONSES).getAsDouble()) + " responses in "
                            + Format.seconds(get(Figure.SECONDS).getAsDouble()) + " are " + Format.number(rate)
                            + "/s, not "
                            + Format.number(reported) + "/s");
        } else {
            checked.add("responses = rate × time");
        }
    }

    private void percentiles() {
        double before = get(Figure.MIN).orElse(0);
        double beforeQ = 0;
        String name = p.has(Figure.MIN) ? "the minimum" : "";
        for (var e : p.percentiles().entrySet()) {
            String here = name(e.getKey());
            if (e.getValue() < before * (1 - 1e-9)) {
                refuse(
                        "percentiles",
                        here + " is " + Format.seconds(e.getValue()) + ", less than " + name + ", "
                                + Format.seconds(before));
            }
            before = e.getValue();
            beforeQ = e.getKey();
            name = here;
        }
        if (p.has(Figure.MAX) && get(Figure.MAX).getAsDouble() < before * (1 - 1e-9)) {
            refuse(
                    "percentiles",
                    "the longest is " + Format.seconds(get(Figure.MAX).getAsDouble()) + ", less than " + name + ", "
                            + Format.seconds(before));
        }
        meanWithin(beforeQ);
    }

    /** Checks that the mean lies within what the percentiles allow, which are rounded as it is. */
    private void meanWithin(double lastQ) {
        if (!p.has(Figure.MEAN) || p.rounded() || p.derived().contains(Figure.MEAN)) {
            return;
        }
        double least = 0;
        double most = 0;
        double q = 0;
        double floor = get(Figure.MIN).orElse(0);
        for (var e : p.percentiles().entrySet()) {
            least += (e.getKey() - q) / 100 * floor;
            most += (e.getKey() - q) / 100 * e.getValue();
            floor = e.getValue();
            q = e.getKey();
        }
        least += (100 - lastQ) / 100 * floor;
        most = p.has(Figure.MAX)
                ? most + (100 - lastQ) / 100 * get(Figure.MAX).getAsDouble()
                : Double.POSITIVE_INFINITY;
        double mean = get(Figure.MEAN).getAsDouble();
        boolean known = !p.percentiles().isEmpty() || p.has(Figure.MAX);
        double step = p.meanBelow() + p.meanAbove();
        if (mean + step < least * (1 - PERCENTILES)) {
            refuse(
                    "percentiles",
                    "the mean is " + Format.seconds(mean) + ", but with these percentiles it is at least "
                            + Format.seconds(least));
        } else if (mean - step > most * (1 + PERCENTILES)) {
            refuse(
                    "percentiles",
                    "the mean is " + Format.seconds(mean) + ", but with these percentiles it is at most "
                            + Format.seconds(most));
        } else if (known && refusals.stream().noneMatch(r -> r.rule().equals("percentiles"))) {
            checked.add("mean and percentiles fit");
        }
    }

    private void connects() {
        double longest = get(Figure.CONNECT_MAX).orElse(0);
        if (longest >= SLOW_CONNECT_SECONDS) {
            slowPercentile();
        }
        if (longest >= SLOW_CONNECT_SECONDS
                && refusals.stream().noneMatch(r -> r.rule().equals("connect-queue"))) {
            cautions.add(new Finding(
                    "connect-queue",
                    "the longest connect took " + Format.seconds(longest)
                            + ": the kernel sends a SYN again after 1 s, so at least one was lost, as when the accept queue is"
                            + " full"));
        }
        double share = get(Figure.CONNECT_MEAN).orElse(0) / get(Figure.MEAN).orElse(Double.POSITIVE_INFINITY);
        if (share > CONNECT_SHARE) {
            cautions.add(new Finding(
                    "connects",
                    Format.share(share) + " of the mean latency is connecting ("
                            + Format.seconds(get(Figure.CONNECT_MEAN).orElse(0)) + " of " + mean()
                            + "): this is a test of accepting connections, not of the application"));
        }
    }

    private void ports() {
        double n = get(Figure.RESPONSES).orElse(0);
        if (p.keepAlive().equals(Optional.of(false))
                && n > PORTS
                && get(Figure.SECONDS).orElse(60) < 60) {
            cautions.add(new Finding(
                    "ports",
                    "a connection for each request: " + Format.number(n) + " in "
                            + Format.seconds(get(Figure.SECONDS).orElse(0)) + ", of " + Format.number(PORTS)
                            + " ports that Linux gives by default, each of which rests for 60 s when its connection is closed"
                            + " (TIME_WAIT): ports were reused early (tcp_tw_reuse), or there were more"));
        }
    }

    private void generator() {
        double rate = get(Figure.THROUGHPUT).orElse(0);
        if (p.tool().equals("ab") && rate > AB_IS_BUSY) {
            cautions.add(new Finding(
                    "generator-limit",
                    "ab has one thread: at " + Format.number(rate) + "/s it has " + Format.seconds(1 / rate)
                            + " for each request, about what it needs itself; it may have been the limit"));
        }
    }
}
