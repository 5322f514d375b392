package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Rules about failed requests, and about the clients. */
final class RequestRules {
    private RequestRules() {}

    static List<DiagnosisRule> rules() {
        Refutation moreClients = Refutation.by((_, b) -> RefutationTrial.clients(b, Expected.MORE));
        return List.of(
                errors("refused", ErrorKind.REFUSED),
                errors("connect-timeouts", ErrorKind.CONNECT_TIMEOUT).othersCanCauseIt(),
                errors("read-timeouts", ErrorKind.READ_TIMEOUT).othersCanCauseIt(),
                errors("connections-cut-off", ErrorKind.RESET, ErrorKind.CLOSED_EARLY),
                DiagnosisRule.of("server-errors", RequestRules::serverErrors),
                DiagnosisRule.of("unexpected-status", RequestRules::unexpectedStatus),
                errors("tls-failures", ErrorKind.TLS),
                errors("wrong-answers", ErrorKind.LENGTH, ErrorKind.BODY, ErrorKind.CHECK, ErrorKind.MALFORMED),
                DiagnosisRule.of("think-time", RequestRules::thinking).refutedBy(moreClients),
                DiagnosisRule.of("clients", (r, s) -> asked(r, s, Limit.CLIENTS))
                        .othersCanCauseIt()
                        .refutedBy(moreClients),
                DiagnosisRule.of("rate", (r, s) -> asked(r, s, Limit.RATE)));
    }

    private static DiagnosisRule errors(String id, ErrorKind... kinds) {
        return DiagnosisRule.of(id, (r, s) -> {
            if (s.measurement().isEmpty()) {
                return new RuleResult.NotObserved("nothing was measured");
            }
            return many(r, s.errors(kinds), s.attempts(), example(s, kinds), Optional.empty());
        });
    }

    /** A finding if too many of all are bad. */
    private static RuleResult many(RuleEntry r, long bad, long all, String first, Optional<String> seen) {
        double share = (double) bad / Math.max(1, all);
        return share <= r.bound("errors-many")
                ? new RuleResult.Healthy(bad == 0 ? "none" : Format.share(share))
                : new FindingBuilder(r, Severity.FAULT, "share", share, "first", first)
                        .seen(seen)
                        .weight(share)
                        .found();
    }

    /** The first failure of a kind in its own words; blank if there are none. */
    static String example(TrialFacts s, ErrorKind... kinds) {
        for (ErrorKind k : kinds) {
            String first = s.measurement().map(m -> m.errorExamples().get(k)).orElse(null);
            if (first != null && !first.isBlank()) {
                return first;
            }
        }
        return "";
    }

    private static RuleResult serverErrors(RuleEntry r, TrialFacts s) {
        Optional<double[]> counted = s.isObserved() ? LogRules.failed(s) : Optional.empty();
        if (counted.isPresent()) {
            long bad = Math.round(counted.get()[0]);
            // of few requests one is a large part
            return bad < r.bound("least")
                    ? new RuleResult.Healthy(bad + " of " + Math.round(counted.get()[1]))
                    : many(r, bad, Math.round(counted.get()[1]), LogRules.failedMost(s), Optional.empty());
        }
        if (s.isObserved()) {
            return new RuleResult.NotObserved(s.why(Signals.REQUESTS_FAILED));
        }
        if (s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was measured");
        }
        var statuses = s.measurement().get().statuses();
        long all = statuses.values().stream().mapToLong(Long::longValue).sum();
        long bad = from500(statuses);
        return many(r, bad, all, example(s, ErrorKind.STATUS), Optional.empty());
    }

    /** Whether the clients' own pauses are most of the time between two requests, and the CPUs are not full. */
    static boolean mostlyPauses(TrialFacts s) {
        double think = s.trial().spec().load().thinkSeconds();
        double r = s.latency().orElse(0);
        return think > 0
                && r > 0
                && think / (r + think) >= DiagnosisRule.bound("think-time", "pausing")
                && !s.cpuFull();
    }

    static long from500(Map<Integer, Long> statuses) {
        return statuses.entrySet().stream()
                .filter(e -> e.getKey() >= 500)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static RuleResult unexpectedStatus(RuleEntry r, TrialFacts s) {
        if (s.measurement().isEmpty()) {
            return new RuleResult.NotObserved("nothing was measured");
        }
        var statuses = s.measurement().get().statuses();
        long wrong = Math.max(0, s.errors(ErrorKind.STATUS) - from500(statuses));
        String first = from500(statuses) == 0 ? example(s, ErrorKind.STATUS) : "";
        return many(r, wrong, s.attempts(), first, below500(s, statuses));
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
                        .map(e -> e.getKey() + " in " + Format.share(e.getValue() / all))
                        .collect(Collectors.joining(", "));
        return listed.isEmpty() ? Optional.empty() : Optional.of("status " + listed + " of the answers");
    }

    private static RuleResult thinking(RuleEntry r, TrialFacts s) {
        double think = s.trial().spec().load().thinkSeconds();
        if (think <= 0) {
            return new RuleResult.Healthy("the clients do not pause");
        }
        if (s.latency().isEmpty()) {
            return new RuleResult.NotObserved(s.noAnswers());
        }
        double latency = s.latency().getAsDouble();
        double share = think / (latency + think);
        if (!mostlyPauses(s)) {
            return new RuleResult.Healthy("they wait for the server for " + Format.share(1 - share) + " of their time");
        }
        int clients = s.trial().spec().load().clients();
        return new FindingBuilder(
                        r,
                        Severity.LIMIT,
                        "think",
                        think,
                        "r",
                        latency,
                        "clients",
                        Integer.toString(clients),
                        "cycle",
                        latency + think,
                        "x",
                        clients / (latency + think))
                .weight(share)
                .found();
    }

    private static RuleResult asked(RuleEntry r, TrialFacts s, Limit limit) {
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
        return new FindingBuilder(
                        r,
                        Severity.LIMIT,
                        "explained",
                        x.get().sentences().getFirst(),
                        "refuted",
                        x.get().refutedBy())
                .seen("CPU " + Format.share(s.cpu().getAsDouble()))
                .found();
    }
}
