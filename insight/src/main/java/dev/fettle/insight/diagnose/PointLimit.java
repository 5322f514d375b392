package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Explanation.Support;
import dev.fettle.insight.explain.AcceptQueue;
import dev.fettle.insight.explain.CpuCaveats;
import dev.fettle.insight.explain.FasterTrials;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.PoolContrast;
import dev.fettle.insight.explain.PoolContrast.Decision;
import dev.fettle.insight.explain.PoolNotes;
import dev.fettle.insight.explain.PoolWords;
import dev.fettle.insight.explain.RaisedInRun;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What is full at a trial's operating point, in sentences with figures, with the claim tested against the other trials of its run: stated
 * where they support it, withdrawn where they refute it, and "consistent with" where nothing tested it. One trial can't prove its cause:
 * if all threads are busy, throughput equals pool size over holding time by definition (see {@link PoolContrast}).
 *
 * <p>What there has to be more of to test a limit, its title and what would refute it are in the entry of its rule ({@link Limit#rule}).
 *
 * @param asked the resource that is full, as the trial and the other pool sizes show it
 * @param tried the run's trials with more of that
 * @param faster another setting under which the same clients got more
 */
record PointLimit(
        TrialOutcome trial,
        List<TrialOutcome> run,
        OperatingPoint c,
        Measurement m,
        Optional<PoolContrast> pool,
        AcceptQueue queue,
        Limit asked,
        Optional<RaisedInRun> tried,
        Optional<FasterTrials> faster) {
    /** An open load counts as served if throughput is at least this share of the offered rate. */
    private static final double KEPT_UP = Bounds.value("kept-up");

    private static final String NOT_WATCHED =
            " that was not watched (a lock, a pool behind the application, one busy thread, the network).";

    /**
     * What limits a trial; empty if it has no measurement.
     *
     * @param run the trials of its run, search and duel; void ones are ignored
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput; 0 for one of its own
     */
    static Optional<PointLimit> of(TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        Optional<OperatingPoint> point = OperatingPoint.of(trial);
        if (trial.measurement().isEmpty() || point.isEmpty()) {
            return Optional.empty();
        }
        Measurement m = trial.measurement().get();
        Optional<PoolContrast> pool = PoolContrast.of(trial, run, moved);
        AcceptQueue queue = AcceptQueue.of(trial);
        Limit first = limit(point.get(), pool, queue, m);
        Optional<RaisedInRun> asked = raised(first, trial, run, moved);
        Optional<FasterTrials> faster = first == Limit.CLIENTS && !is(asked, RaisedInRun.Decision.MORE)
                ? FasterTrials.of(trial, run, moved)
                : Optional.empty();
        Optional<RaisedInRun> own = faster.isEmpty()
                ? Optional.empty()
                : raised(Limit.BEHIND_THREADS, trial, run, moved).filter(t -> t.decided() == RaisedInRun.Decision.MORE);
        Limit shown = faster.isEmpty() ? first : own.isPresent() ? Limit.BEHIND_THREADS : Limit.UNKNOWN;
        return Optional.of(new PointLimit(trial, run, point.get(), m, pool, queue, shown, own.or(() -> asked), faster));
    }

    /** The run's trials with more of what a limit is about, as its rule has it; of no known limit, with more clients. */
    private static Optional<RaisedInRun> raised(
            Limit limit, TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        return Optional.ofNullable(entry(limit == Limit.UNKNOWN ? Limit.CLIENTS : limit)
                        .texts()
                        .get("raised"))
                .flatMap(what -> RaisedInRun.of(what, trial, run, moved));
    }

    private static RuleEntry entry(Limit limit) {
        return DiagnosisRule.entry(limit.rule());
    }

    private static boolean is(Optional<RaisedInRun> tried, RaisedInRun.Decision how) {
        return tried.filter(t -> t.decided() == how).isPresent();
    }

    private boolean gave(RaisedInRun.Decision how) {
        return is(tried, how);
    }

    private static Limit limit(OperatingPoint c, Optional<PoolContrast> pool, AcceptQueue queue, Measurement m) {
        if (c.cpuFull()) {
            return Limit.CPU;
        }
        boolean served = c.everyClientServed();
        if ((c.threadsFull() || served) && c.offered().isEmpty() && PoolContrast.decided(pool) == Decision.SAME) {
            return Limit.BEHIND_THREADS;
        }
        if (c.threadsFull() && !served) {
            return Limit.THREADS;
        }
        if (queue.limits()) {
            return Limit.ACCEPT_QUEUE;
        }
        if (c.offered().isPresent()) {
            // requests that were never sent, or piled up, were not taken: it kept up with less
            return c.throughput() >= KEPT_UP * c.offered().getAsDouble() && m.lost() == 0 ? Limit.RATE : Limit.UNKNOWN;
        }
        return served && c.utilisation().isPresent() ? Limit.CLIENTS : Limit.UNKNOWN;
    }

    /** The resource that is full, as far as the run does not refute it. */
    Limit limit() {
        return asked == Limit.CLIENTS && gave(RaisedInRun.Decision.SAME) ? Limit.UNKNOWN : asked;
    }

    /** The limit with the figures it rests on, and what the run shows of it. */
    Explanation explanation() {
        Limit limit = limit();
        var sentences = new ArrayList<String>();
        sentences.add(faster.map(FasterTrials::sentence).orElseGet(() -> verdict(limit)));
        tried.map(RaisedInRun::sentence).ifPresent(sentences::add);
        PoolNotes.mistaken(trial).ifPresent(sentences::add);
        if (limit != Limit.CPU) {
            cpu(c).ifPresent(sentences::add);
        }
        if (limit != Limit.THREADS && limit != Limit.BEHIND_THREADS) {
            threads(c).ifPresent(sentences::add);
        }
        if (limit != Limit.ACCEPT_QUEUE) {
            queue.aside().ifPresent(sentences::add);
        }
        if (c.cpuCeiling().isPresent()) {
            Optional.of(CpuCaveats.of(trial, run)).filter(s -> !s.isEmpty()).ifPresent(sentences::add);
        }
        little(c, m).ifPresent(sentences::add);
        if (m.errorShare() > Thresholds.ERRORS) {
            sentences.add(Format.share(m.errorShare()) + " of the requests failed or were not taken (" + kinds(m)
                    + "); what failed after it had cost work counts above as well.");
        }
        boolean decided = tried.isPresent() && !gave(RaisedInRun.Decision.OPEN);
        String refutedBy = decided ? "" : refutedBy(limit);
        return new Explanation(
                c.throughput(),
                c.holding(),
                c.busy(),
                c.usable(),
                c.cpuPerRequest(),
                c.utilisation(),
                c.cpuCeiling(),
                c.threadCeiling(),
                limit,
                sentences,
                refutedBy,
                support(limit),
                new Explanation.Brief(title(limit), List.of(sentences.getFirst()), refutedBy, Optional.empty()));
    }

    private static String title(Limit limit) {
        if (limit == Limit.UNKNOWN) {
            return "What limits it was not seen";
        }
        RuleEntry entry = entry(limit);
        return entry.text(entry.has("point-title") ? "point-title" : "title");
    }

    private Support support(Limit limit) {
        if (limit != Limit.UNKNOWN && gave(RaisedInRun.Decision.MORE)) {
            return Support.SHOWN;
        }
        boolean shown = switch (limit) {
            case BEHIND_THREADS, RATE -> true;
            case THREADS ->
                PoolContrast.decided(pool) == Decision.LARGER_GAVE_MORE
                        || PoolContrast.decided(pool) == Decision.SMALLER_GAVE_LESS;
            case ACCEPT_QUEUE -> queue.own() && !gave(RaisedInRun.Decision.SAME);
            // CPU use is measured; what else it waited for is not, and no other load was tried
            case CPU, CLIENTS, UNKNOWN -> false;
        };
        return shown ? Support.SHOWN : Support.CONSISTENT;
    }

    private String verdict(Limit limit) {
        return switch (limit) {
            case THREADS -> PoolWords.full(c, pool);
            case BEHIND_THREADS -> PoolWords.behind(c, pool.orElseThrow());
            case CPU -> {
                // more CPUs could help: the run has not tried them in vain, and no thread is full by itself
                boolean more = !gave(RaisedInRun.Decision.SAME) && !CpuCaveats.oneThreadIsFull(trial);
                yield entry(limit)
                        .text(
                                "point",
                                "use",
                                c.utilisation().orElse(0),
                                "cpus",
                                c.cpus(),
                                "each",
                                c.cpuPerRequest(),
                                "whole",
                                c.byQuota() ? Format.number(c.allowed()) : Integer.toString(c.cores()),
                                "most",
                                c.cpuPerRequest().map(s -> c.allowed() / s),
                                "quota",
                                c.byQuota() && more,
                                "more",
                                !c.byQuota() && more);
            }
            case CLIENTS ->
                entry(limit)
                        .text(
                                "point",
                                "busy",
                                Format.count(Math.min(c.busy().orElse(0), c.atOnce())),
                                "n",
                                c.atOnce(),
                                "clients",
                                Integer.toString(c.atOnce()),
                                "full",
                                c.threadsFull(),
                                "hold",
                                c.holding().orElse(0),
                                "think",
                                c.think() > 0 ? OptionalFigure.of(c.think()) : OptionalFigure.empty(),
                                "most",
                                c.clientCeiling().orElse(0),
                                "more",
                                gave(RaisedInRun.Decision.MORE));
            case RATE ->
                entry(limit)
                        .text(
                                "point",
                                "offered",
                                c.offered().orElse(0),
                                "not-full",
                                notFull(c),
                                "tried",
                                tried.isPresent());
            case ACCEPT_QUEUE -> queue.verdict(c);
            case UNKNOWN -> unknown(c);
        };
    }

    /** What of a server that keeps up is not full, as far as it was looked at. */
    private static String notFull(OperatingPoint c) {
        boolean cpu = c.utilisation().isPresent();
        return c.poolSeen()
                ? cpu ? ", and neither its threads nor its CPU are full" : ", and its threads are not all busy"
                : cpu ? ", and its CPU is not full" : "";
    }

    private static String unknown(OperatingPoint c) {
        boolean cpu = c.utilisation().isPresent();
        if (!cpu && !c.poolSeen()) {
            return c.busy().isEmpty()
                    ? "The target could not be looked into, so what limits it is not known."
                    : "The CPU was not observed, nor how many threads there are, so what limits it is not known.";
        }
        if (!c.poolSeen() && c.busy().isPresent()) {
            return "The CPU is not full, and the number of threads is not bounded, or not known: what limits it is something"
                    + NOT_WATCHED;
        }
        if (!c.poolSeen()) {
            return "The CPU is not full, and no pool of worker threads was seen: what limits it may be such a pool, or something"
                    + NOT_WATCHED;
        }
        String threads =
                c.threadsFull() ? "All threads are busy, and no client waits for one" : "The threads are not all busy";
        if (!cpu) {
            return threads + ", and the CPU was not observed: what limits it may be the CPU, or something"
                    + NOT_WATCHED;
        }
        return (c.threadsFull() ? threads + ", and the CPU is not full" : "Neither the threads nor the CPU are full")
                + ": what limits it is something" + NOT_WATCHED;
    }

    private static Optional<String> cpu(OperatingPoint c) {
        if (c.otherWork() && c.utilisation().isPresent()) {
            return Optional.of(
                    "The CPU is " + Format.share(c.utilisation().getAsDouble()) + " used, for all that it does.");
        }
        if (c.utilisation().isEmpty()
                || c.cpuPerRequest().isEmpty()
                || c.cpuCeiling().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("The CPU is " + Format.share(c.utilisation().getAsDouble()) + " used: "
                + Format.seconds(c.cpuPerRequest().getAsDouble())
                + " of CPU a request would allow "
                + Format.number(c.cpuCeiling().getAsDouble()) + "/s on " + c.cpus()
                + ".");
    }

    private static Optional<String> threads(OperatingPoint c) {
        if (c.busy().isEmpty() || (c.holding().isEmpty() && !c.otherWork())) {
            return Optional.empty();
        }
        String of = c.usable().isPresent()
                ? " of " + FigureText.count((int) c.usable().getAsDouble(), "worker thread")
                : " threads";
        return Optional.of(Format.count(c.busy().getAsDouble()) + of + " are busy on average; "
                + (c.otherWork()
                        ? OperatingPoint.OTHER_WORK + ", so what a request holds and costs is not known."
                        : "a request holds its thread for "
                                + Format.seconds(c.holding().orElse(0)) + "."));
    }

    private static Optional<String> little(OperatingPoint c, Measurement m) {
        if (m.latency().count() == 0 || c.clients() == 0 || c.throughput() <= 0) {
            return Optional.empty();
        }
        double seconds = m.elapsed().toNanos() / 1e9;
        // exact where occupied time is known; the mean latency covers only requests that ended in the phase. With think
        // time the connection is occupied by the pause as well
        double flight = m.occupied() > 0 && seconds > 0 && c.think() == 0
                ? m.occupied() / seconds
                : c.throughput() * m.latency().mean() / 1e9;
        double r = flight / c.throughput();
        String waiting = "";
        if (c.holding().isPresent() && r > 1.2 * c.holding().getAsDouble() && m.errorShare() <= Thresholds.ERRORS) {
            waiting =
                    ", of which " + Format.seconds(r - c.holding().getAsDouble()) + " is spent outside a worker thread";
        }
        if (c.think() > 0) {
            return Optional.of("Little's law: " + Format.number(c.throughput()) + "/s × (" + Format.seconds(r) + " + "
                    + Format.seconds(c.think()) + " of thinking) = "
                    + Format.count(flight + c.throughput() * c.think())
                    + " of "
                    + FigureText.count(c.clients(), "client") + "; " + Format.count(flight)
                    + " requests are in flight" + waiting
                    + ".");
        }
        return Optional.of("Little's law: " + Format.number(c.throughput()) + "/s × " + Format.seconds(r) + " = "
                + Format.count(flight) + " requests in flight "
                + (c.offered().isPresent() ? "of at most " + c.clients() : "for " + c.clients() + " clients")
                + waiting
                + ".");
    }

    private static String kinds(Measurement m) {
        var kinds = new ArrayList<String>();
        m.errors().forEach((kind, n) -> {
            if (n > 0) {
                kinds.add(kind.text() + " " + n);
            }
        });
        m.detail().offered().ifPresent(o -> {
            if (o.unsent() > 0) {
                kinds.add("never sent " + o.unsent());
            }
        });
        if (m.unanswered() > 0) {
            kinds.add("left unanswered " + m.unanswered());
        }
        return String.join(", ", kinds);
    }

    private String refutedBy(Limit limit) {
        if (limit == Limit.UNKNOWN) {
            return "Doubling load.connections raises throughput in proportion: then the clients were the limit.";
        }
        return limit == Limit.THREADS && PoolContrast.decided(pool) == Decision.LARGER_GAVE_MORE
                ? ""
                : entry(limit)
                        .text(
                                "point-refuted",
                                "twice",
                                (int) (2 * (c.usable().orElse(0) + c.leased()) - c.leased()),
                                "quota",
                                c.byQuota());
    }
}
