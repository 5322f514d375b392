package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Explainer;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules about failed requests, and about the clients. */
final class RequestRules {
    static final String REFUSED = "refused";
    static final String CONNECT_TIMEOUTS = "connect-timeouts";
    static final String READ_TIMEOUTS = "read-timeouts";
    static final String CUT_OFF = "connections-cut-off";
    static final String SERVER_ERRORS = "server-errors";
    static final String STATUS = "unexpected-status";
    static final String TLS = "tls-failures";
    static final String WRONG = "wrong-answers";
    static final String THINKING = "think-time";
    static final String CLIENTS = "clients";
    static final String RATE = "rate";

    /** What ends a server, or keeps it from taking connections at all. */
    private static final List<String> DOWN = List.of(
            FailureRules.HEAP_EXHAUSTED,
            FailureRules.THREADS_LIMIT,
            FailureRules.DIED,
            FailureRules.DEADLOCK,
            FailureRules.HUNG,
            FailureRules.FDS);

    /** Whatever keeps a server from answering in time makes requests fail, too. */
    private static final List<String> HELD_UP = Stream.of(
                    DOWN,
                    List.of(SwapRule.ID),
                    ConnectionRules.KEEP_WAITING,
                    List.of(ConnectionRules.PINNED, ConnectionRules.BEFORE_WORKERS, ConnectionRules.ACCEPT_QUEUE))
            .flatMap(List::stream)
            .toList();

    /** A handshake fails where nobody makes it, or where there is no descriptor for it; a server that is slow makes it late. */
    private static final List<String> NO_HANDSHAKE = List.of(FailureRules.DEADLOCK, FailureRules.FDS);

    /** Share of a client's time that it pauses, from which on it sets the throughput. */
    private static final double PAUSING = 0.8;

    private RequestRules() {}

    static List<Rule> rules() {
        return List.of(
                errors(
                        REFUSED,
                        DOWN,
                        "refused connects",
                        "nobody listened on the port",
                        "Nobody listens on the port for some of the time",
                        "See whether the process restarts, or a firewall or balancer refuses; a larger backlog does not help",
                        "The process was up and listening all the time.",
                        ErrorKind.REFUSED),
                errors(
                                CONNECT_TIMEOUTS,
                                HELD_UP,
                                "connects that time out",
                                "never were connected: their SYNs got no answer",
                                "Connections are not accepted in time",
                                "If nothing on the server is full, look for a firewall that drops; else cure what is full first",
                                "ss -ltn shows an empty queue while connects time out.",
                                ErrorKind.CONNECT_TIMEOUT)
                        .shownBy(Signals.LOAD_ERRORS, Signals.ACCEPT_QUEUE),
                errors(
                                READ_TIMEOUTS,
                                HELD_UP,
                                "answers that come too late",
                                "were connected and got no complete answer in time",
                                "Answers do not come in time",
                                "Take a thread dump while it lasts: the workers' stacks say what they wait for",
                                "The access log shows short times for the same requests.",
                                ErrorKind.READ_TIMEOUT)
                        .shownBy(Signals.LOAD_ERRORS, Signals.LOAD_P99),
                errors(
                        CUT_OFF,
                        HELD_UP,
                        "connections that are cut off",
                        "were cut off by the server before their answer was complete",
                        "The server cuts connections off",
                        "Look at its log, its limits of connections, and its time-outs",
                        "A capture shows that the resets come from between.",
                        ErrorKind.RESET,
                        ErrorKind.CLOSED_EARLY),
                new Rule(
                                SERVER_ERRORS,
                                Stage.ERRORS,
                                "answers of status 500 and above",
                                "more than " + Say.share(Thresholds.ERRORS_MANY) + " of the answers",
                                List.of(FailureRules.DEADLOCK, FailureRules.FDS, FailureRules.CLOSE_WAIT, PoolRule.ID),
                                RequestRules::serverErrors)
                        .shownBy(Signals.LOAD_ERRORS, Signals.LOAD_RATE),
                new Rule(
                                STATUS,
                                Stage.ERRORS,
                                "answers of another status than the plan wants, below 500",
                                "more than " + Say.share(Thresholds.ERRORS_MANY) + " of the attempts",
                                List.of(),
                                RequestRules::unexpectedStatus)
                        .shownBy(Signals.LOAD_ERRORS, Signals.LOAD_RATE),
                errors(
                        TLS,
                        NO_HANDSHAKE,
                        "TLS that fails",
                        "failed in their TLS handshake, or at a broken TLS record",
                        "TLS fails",
                        "See whether the port speaks TLS, whether the certificate is one that the client trusts (--cacert), and whether"
                                + " the two have a version and a cipher in common",
                        "openssl s_client connects to the same port as often as it is tried.",
                        ErrorKind.TLS),
                errors(
                        WRONG,
                        List.of(),
                        "answers of another length or text than the plan wants",
                        "got an answer that breaks the protocol, or of another length or text than the plan wants",
                        "The answers are not the page",
                        "See whether the plan asks for the right page and its answer is stable; figures of an error page say"
                                + " nothing",
                        "One request by hand gives the right page.",
                        ErrorKind.LENGTH,
                        ErrorKind.BODY,
                        ErrorKind.CHECK,
                        ErrorKind.MALFORMED),
                new Rule(
                                THINKING,
                                Stage.ASKED,
                                "clients that pause",
                                "they pause for " + Say.share(PAUSING)
                                        + " of their time or more, and the CPUs are not full",
                                List.of(),
                                RequestRules::thinking)
                        .shownBy(Signals.LOAD_INFLIGHT, Signals.CPU_TOTAL),
                new Rule(
                                CLIENTS,
                                Stage.ASKED,
                                "clients that are all being served",
                                Say.share(OperatingPoint.ALL_SERVED)
                                        + " of them pause or have a worker, and nothing is full",
                                List.of(
                                        WaitRules.LOCK,
                                        WaitRules.LOG_LOCK,
                                        PoolRule.ID,
                                        WaitRules.FILE,
                                        WaitRules.SLEEP,
                                        WaitRules.BACKEND,
                                        OtherWaitRule.ID,
                                        CpuRules.CPU_FULL,
                                        HotThreadRule.ID,
                                        CpuRules.THROTTLED,
                                        FailureRules.DEADLOCK),
                                s -> asked(
                                        s, CLIENTS, Limit.CLIENTS, "The clients ask for no more", "load.connections"))
                        .shownBy(Signals.WORKERS_BUSY, Signals.CPU_TOTAL),
                new Rule(
                        RATE,
                        Stage.ASKED,
                        "a rate that is served",
                        Say.share(Explainer.KEPT_UP) + " of what was offered (an open load)",
                        List.of(WaitRules.BACKEND, OtherWaitRule.ID),
                        s -> asked(
                                s, RATE, Limit.RATE, "The server keeps up with the rate offered", Signals.LOAD_RATE)));
    }

    private static Rule errors(
            String id,
            List<String> symptomOf,
            String what,
            String did,
            String title,
            String remedy,
            String refutedBy,
            ErrorKind... kinds) {
        return new Rule(
                id,
                Stage.ERRORS,
                what,
                "more than " + Say.share(Thresholds.ERRORS_MANY) + " of the attempts",
                symptomOf,
                s -> {
                    if (s.measurement().isEmpty()) {
                        return new RuleResult.NotObserved("nothing was measured");
                    }
                    double share = (double) s.errors(kinds) / Math.max(1, s.attempts());
                    if (share <= Thresholds.ERRORS_MANY) {
                        return new RuleResult.Healthy(s.errors(kinds) == 0 ? "none" : Say.percent(share));
                    }
                    var d = new FindingBuilder(
                                    id,
                                    Severity.FAULT,
                                    title,
                                    Say.percent(share) + " of the attempts " + did + example(s, kinds) + ".")
                            .weight(share)
                            .remedy(remedy)
                            .refutedBy(refutedBy);
                    return d.found();
                });
    }

    /** The first failure of a kind in its own words, as an aside; blank if there are none. */
    static String example(TrialFacts s, ErrorKind... kinds) {
        for (ErrorKind k : kinds) {
            String first = s.measurement().map(m -> m.errorExamples().get(k)).orElse(null);
            if (first != null && !first.isBlank()) {
                return " (the first: " + first + ")";
            }
        }
        return "";
    }

    private static RuleResult serverErrors(TrialFacts s) {
        if (s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was measured");
        }
        var statuses = s.measurement().get().statuses();
        long all = statuses.values().stream().mapToLong(Long::longValue).sum();
        long bad = from500(statuses);
        double share = (double) bad / Math.max(1, all);
        if (share <= Thresholds.ERRORS_MANY) {
            return new RuleResult.Healthy(bad == 0 ? "none" : Say.percent(share));
        }
        return new FindingBuilder(
                        SERVER_ERRORS,
                        Severity.FAULT,
                        "The application answers with errors",
                        Say.percent(share) + " of the answers have a status of 500 or above"
                                + example(s, ErrorKind.STATUS) + ": they cost work and are worth nothing.")
                .weight(share)
                .remedy("Its log says why; until then no figure of this run is one of the page")
                .refutedBy("The same requests one at a time give the same errors: then load is not the cause.")
                .found();
    }

    /** Whether the clients' own pauses are most of the time between two requests, and the CPUs are not full. */
    static boolean mostlyPauses(TrialFacts s) {
        double think = s.trial().spec().load().thinkSeconds();
        double r = s.latency().orElse(0);
        return think > 0 && r > 0 && think / (r + think) >= PAUSING && !s.cpuFull();
    }

    private static long from500(Map<Integer, Long> statuses) {
        return statuses.entrySet().stream()
                .filter(e -> e.getKey() >= 500)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static RuleResult unexpectedStatus(TrialFacts s) {
        if (s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was measured");
        }
        var statuses = s.measurement().get().statuses();
        long wrong = Math.max(0, s.errors(ErrorKind.STATUS) - from500(statuses));
        double share = (double) wrong / Math.max(1, s.attempts());
        if (share <= Thresholds.ERRORS_MANY) {
            return new RuleResult.Healthy(wrong == 0 ? "none" : Say.percent(share));
        }
        return new FindingBuilder(
                        STATUS,
                        Severity.FAULT,
                        "Answers have another status than the plan wants",
                        Say.percent(share) + " of the attempts got a status below 500 that the plan does not want"
                                + (from500(statuses) == 0 ? example(s, ErrorKind.STATUS) : "") + ".")
                .seen(below500(s, statuses))
                .weight(share)
                .remedy(
                        "429: a limit of requests, here or in front of it; 401 and 403: what the requests lack; 404: the path; 3xx:"
                                + " ask for the page that it leads to. If the status is right, say so in the plan (expect.status)")
                .refutedBy("The same requests one at a time get the same status: then load is not the cause.")
                .found();
    }

    /** The statuses below 500 and their shares of the answers, without the one that each request wants, if it is the same for all. */
    private static Optional<String> below500(TrialFacts s, Map<Integer, Long> statuses) {
        var load = s.trial().spec().load();
        double all = statuses.values().stream().mapToLong(Long::longValue).sum();
        String listed = new TreeMap<>(statuses)
                .entrySet().stream()
                        .filter(e -> e.getKey() < 500)
                        .filter(e -> load.scenario().isPresent()
                                || e.getKey() != load.expect().status())
                        .map(e -> e.getKey() + " in " + Say.percent(e.getValue() / all))
                        .collect(Collectors.joining(", "));
        return listed.isEmpty() ? Optional.empty() : Optional.of("status " + listed + " of the answers");
    }

    private static RuleResult thinking(TrialFacts s) {
        double think = s.trial().spec().load().thinkSeconds();
        if (think <= 0) {
            return new RuleResult.Healthy("the clients do not pause");
        }
        if (s.latency().isEmpty()) {
            return new RuleResult.NotObserved(s.noAnswers());
        }
        double r = s.latency().getAsDouble();
        double share = think / (r + think);
        if (!mostlyPauses(s)) {
            return new RuleResult.Healthy("they wait for the server for " + Say.percent(1 - share) + " of their time");
        }
        int clients = s.trial().spec().load().clients();
        return new FindingBuilder(
                        THINKING,
                        Severity.LIMIT,
                        "The clients' own pauses are the limit",
                        "The clients pause for " + Say.seconds(think) + " and wait for the server for " + Say.seconds(r)
                                + ": " + clients + " / " + Say.seconds(r + think) + " = "
                                + Say.number(clients / (r + think))
                                + " requests/s is all that they can ask for, whatever the server does.")
                .weight(share)
                .remedy("To find the server's limit: no pause (load.think: 0s), more clients, or an open load")
                .refutedBy("With twice the clients, throughput does not double.")
                .found();
    }

    private static RuleResult asked(TrialFacts s, String id, Limit limit, String title, String knob) {
        Optional<Explanation> x = s.explained();
        if (x.isEmpty() || s.cpu().isEmpty()) {
            return new RuleResult.NotObserved("the target could not be looked into");
        }
        if (x.get().limit() != limit) {
            return new RuleResult.Healthy("not so");
        }
        // a rate that is served is served all the same
        if (limit == Limit.CLIENTS && s.crowded()) {
            return new RuleResult.NotObserved(s.whyCrowded());
        }
        return new FindingBuilder(id, Severity.LIMIT, title, x.get().sentences().getFirst())
                .seen("CPU " + Say.percent(s.cpu().getAsDouble()))
                .remedy("To find the server's limit, ask for more (" + knob + ")")
                .refutedBy(x.get().refutedBy())
                .found();
    }
}
