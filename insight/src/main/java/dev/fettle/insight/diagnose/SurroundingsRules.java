package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Rules about what surrounds the JVM: the way to its services, its files and disks, its memory on them, and a host or a process that stands still. */
final class SurroundingsRules {
    private static final double SECONDS_AN_HOUR = 3600;

    private SurroundingsRules() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("swapping", SurroundingsRules::swaps),
                DiagnosisRule.of("far-peer", SurroundingsRules::far),
                DiagnosisRule.of("lossy-peer", SurroundingsRules::lossy),
                DiagnosisRule.of("process-stopped", SurroundingsRules::stopped),
                DiagnosisRule.of("host-stalls", SurroundingsRules::stalls).othersCanCauseIt(),
                DiagnosisRule.of("log-volume", SurroundingsRules::log),
                DiagnosisRule.of("disk-nearly-full", SurroundingsRules::disk));
    }

    /** Memory that is not where the process needs it: on the swap device, or to be read from a file again. */
    private static RuleResult swaps(RuleEntry r, TrialFacts s) {
        OptionalFigure swapped = s.max(Signals.SWAP_USED);
        OptionalFigure faults = s.mean(Signals.FAULTS_MAJOR);
        if (swapped.isEmpty() && faults.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.SWAP_USED));
        }
        boolean heap = s.last(Signals.HEAP_MAX).isPresent();
        double all = s.last(heap ? Signals.HEAP_MAX : Signals.MEMORY_RSS).orElse(0);
        double felt = r.bound("felt");
        boolean much = all > 0
                && swapped.orElse(0) > r.bound("swapped") * all
                && faults.orElse(r.bound("touched")) >= r.bound("touched")
                && s.mean(Signals.PRESSURE_MEMORY).orElse(felt) >= felt;
        String figure =
                r.text("figure", "bytes", swapped, "rate", faults, "both", swapped.isPresent() && faults.isPresent());
        boolean many = faults.orElse(0) > r.bound("faults")
                && (s.mean(Signals.PRESSURE_MEMORY).orElse(felt) >= felt
                        || s.mean(Signals.PRESSURE_IO).orElse(felt) >= felt);
        if (!much && !many) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "bytes",
                        swapped.orElse(0),
                        "share",
                        swapped.orElse(0) / all,
                        "of",
                        heap ? "its largest heap" : "what it has in RAM",
                        "rate",
                        faults.orElse(0))
                .as(much ? "" : "read")
                .seen(figure)
                .seen(r.text("first", "bytes", s.before(Signals.SWAP_USED)))
                .seen(r.text("waited", "share", s.mean(Signals.PRESSURE_MEMORY)))
                .found();
    }

    private static RuleResult far(RuleEntry r, TrialFacts s) {
        OptionalFigure trips = s.mean(Signals.SOCKETS_TRIPS);
        OptionalFigure waits = s.mean(Signals.WAIT_SOCKET);
        Optional<Sighting> peer = s.sightings(Sighting.PEER_ROUND_TRIP).stream().findFirst();
        if (trips.isEmpty() || waits.isEmpty()) {
            return new RuleResult.NotObserved(s.why(trips.isEmpty() ? Signals.SOCKETS_TRIPS : Signals.WAIT_SOCKET));
        }
        double trip = peer.map(Sighting::count).orElse(0.0) / 1e3;
        String figure = "the longest way takes " + Format.seconds(trip);
        double share = waits.getAsDouble() > 0 ? Math.min(1, trips.getAsDouble() / waits.getAsDouble()) : 0;
        if (peer.isEmpty()
                || trip < r.bound("far")
                || share < r.bound("of-waits")
                || s.shareOfHolding(Signals.WAIT_SOCKET).orElse(0) < Thresholds.MOST_OF_A_REQUEST) {
            return new RuleResult.Healthy(figure);
        }
        double per = s.answered() > 0 ? s.sum(Signals.SOCKETS_SENT).orElse(0) / s.answered() : 1;
        double n = Math.max(1, Math.round(per));
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "peer",
                        peer.get().what(),
                        "n",
                        n,
                        "trip",
                        trip,
                        "per",
                        per,
                        "share",
                        share,
                        "several",
                        n > 1)
                .seen(figure)
                .share(share * WaitRules.waitForBackend(s))
                .found();
    }

    private static RuleResult lossy(RuleEntry r, TrialFacts s) {
        OptionalFigure again = s.sum(Signals.SOCKETS_SENT_AGAIN);
        OptionalFigure sent = s.sum(Signals.SOCKETS_SENT);
        if (again.isEmpty() || sent.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.SOCKETS_SENT_AGAIN));
        }
        double lost = again.getAsDouble();
        double share = lost > 0 ? lost / Math.max(lost, sent.getAsDouble()) : 0;
        Optional<String> peer = s.sighting(Sighting.PEER_SENT_AGAIN);
        // nothing is lost on the way to oneself: whoever is there did not take it in time
        boolean onThisHost =
                peer.filter(p -> p.startsWith("127.") || p.startsWith("[::1]")).isPresent();
        if (onThisHost || lost < r.bound("least") || share < r.bound("lost")) {
            return new RuleResult.Healthy(
                    Format.whole(lost) + " of " + Format.whole(sent.getAsDouble()) + " segments were sent again");
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "peer",
                        peer.orElse("services"),
                        "again",
                        lost,
                        "sent",
                        sent,
                        "share",
                        share)
                .weight(share)
                .found();
    }

    private static OptionalFigure tail(TrialFacts s) {
        return OptionalFigure.of(s.measurement().stream()
                .mapToDouble(m -> m.latency().p999() / 1e9)
                .filter(t -> t > 0)
                .findFirst());
    }

    private static RuleResult stopped(RuleEntry r, TrialFacts s) {
        OptionalFigure share = s.mean(Signals.PROCESS_STOPPED);
        if (share.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.PROCESS_STOPPED));
        }
        if (share.getAsDouble() < r.bound("stopped")) {
            return new RuleResult.Healthy(Format.share(share.getAsDouble()) + " of the samples");
        }
        return new FindingBuilder(r, Severity.WARNING, "share", share, "tail", tail(s))
                .weight(share.getAsDouble())
                .found();
    }

    private static RuleResult stalls(RuleEntry r, TrialFacts s) {
        double[] late = s.values(Signals.HOST_STALL);
        OptionalFigure longest = s.max(Signals.HOST_STALL);
        if (longest.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.HOST_STALL));
        }
        double seconds = longest.getAsDouble() / 1e3;
        double least = r.bound(s.isObserved() ? "alone" : "least");
        OptionalFigure busy = s.aboutPeak(Signals.HOST_STALL, Signals.HOST_BUSY);
        String figure = "a timer was late by up to " + Format.seconds(seconds);
        if (seconds < least
                || seconds < r.bound("of-the-tail") * tail(s).orElse(0)
                || busy.orElse(1) >= r.bound("free")) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "longest",
                        seconds,
                        "n",
                        (double) Arrays.stream(late)
                                .filter(x -> x >= 1e3 * least)
                                .count(),
                        "tail",
                        tail(s),
                        "busy",
                        busy)
                .weight(Math.min(1, seconds))
                .found();
    }

    /** In how long it is full, in words; empty if the files do not grow. */
    private static Optional<String> fullIn(TrialFacts s) {
        double rate = s.meanOrNone(Signals.FILES_GROWN);
        OptionalFigure free = s.last(Signals.DISK_FREE);
        if (rate <= 0 || free.isEmpty()) {
            return Optional.empty();
        }
        double seconds = free.getAsDouble() / rate;
        return Optional.of(
                seconds < 2 * SECONDS_AN_HOUR
                        ? FigureText.count((int) Math.max(1, seconds / 60), "minute")
                        : FigureText.count((int) (seconds / SECONDS_AN_HOUR), "hour"));
    }

    private static RuleResult log(RuleEntry r, TrialFacts s) {
        OptionalFigure rate = s.mean(Signals.FILES_GROWN);
        if (rate.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.FILES_GROWN));
        }
        if (s.answered() <= 0) {
            return new RuleResult.NotObserved(s.noAnswers());
        }
        double each = rate.getAsDouble() * s.seconds() / s.answered();
        if (rate.getAsDouble() < r.bound("rate") || each < r.bound("each")) {
            return new RuleResult.Healthy(Format.bytes(rate.getAsDouble()) + " a second");
        }
        List<Sighting> files = s.sightings(Sighting.FILE_GREW);
        double all = files.stream().mapToDouble(Sighting::count).sum();
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "each",
                        each,
                        "rate",
                        rate,
                        "file",
                        files.stream().findFirst().map(Sighting::what),
                        "of",
                        files.isEmpty() || all <= 0
                                ? OptionalFigure.empty()
                                : OptionalFigure.of(files.getFirst().count() / all),
                        "free",
                        s.last(Signals.DISK_FREE),
                        "hours",
                        fullIn(s))
                .weight(Math.min(1, rate.getAsDouble() / (100 << 20)))
                .found();
    }

    private static RuleResult disk(RuleEntry r, TrialFacts s) {
        OptionalFigure free = s.last(Signals.DISK_FREE);
        OptionalFigure size = s.last(Signals.DISK_SIZE);
        if (free.isEmpty() || size.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.DISK_FREE));
        }
        double left = free.getAsDouble();
        double rate = s.meanOrNone(Signals.FILES_GROWN);
        boolean soon = rate >= DiagnosisRule.bound("log-volume", "rate") && left / rate <= r.bound("soon");
        if (left >= r.bound("least") || left >= r.bound("free") * size.getAsDouble() && !soon) {
            return new RuleResult.Healthy(Format.bytes(left) + " free");
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "left",
                        free,
                        "size",
                        size,
                        "where",
                        s.sighting(Sighting.DISK_FULL).orElse("its files"),
                        "hours",
                        soon ? fullIn(s) : Optional.empty())
                .weight(1 - left / size.getAsDouble())
                .found();
    }
}
