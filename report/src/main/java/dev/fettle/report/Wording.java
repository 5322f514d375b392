package dev.fettle.report;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.text.Units;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Wording shared by all reports. */
public final class Wording {
    /** Seconds of a window, the resolution of a spike's recovery. */
    private static final double WINDOW = 0.5;
    /** With fewer values an interval says nothing. */
    private static final int FEWEST = 3;

    private Wording() {}

    /** One line that can't move the cursor or change colours: control characters become spaces. */
    public static String clean(String text) {
        return OneLine.of(text);
    }

    /** The conditions of the trials, to follow "5 interleaved pairs". */
    public static String where(Plan plan) {
        return plan.target()
                .running()
                .map(r -> " in one JVM, " + r.label() + ", which ran throughout")
                .orElse(" on fresh JVMs");
    }

    /** What the figures of a duel's ratio rest on: {@code 95 % interval from 5 interleaved pairs on fresh JVMs}. */
    public static String basis(RunReport run, TuneConclusion t, Interval ratio) {
        String pairs = plural(t.pairs().size(), "interleaved pair") + where(run.plan());
        return tooWide(ratio)
                .map(w -> pairs + ": " + w)
                .orElseGet(() -> NumberText.level(ratio) + " interval from " + pairs);
    }

    /** Why a duel's ratio has no bounds next to it: {@code their 95 % interval is too wide to show anything}; empty if it has. */
    public static Optional<String> tooWide(Interval ratio) {
        if (RatioWords.tells(ratio) || RatioWords.oneSided(ratio)) {
            return Optional.empty();
        }
        return Optional.of(
                ratio.bounded()
                        ? "their " + NumberText.level(ratio) + " interval is too wide to show anything"
                        : "one pair has no interval");
    }

    /** A rate without the bounds that tell nothing of it: those of fewer than three trials which reach down to zero. */
    public static Interval rate(Interval perSecond, int trials) {
        return trials < FEWEST && perSecond.low() <= 0 ? Interval.unbounded(perSecond.estimate()) : perSecond;
    }

    /** How requests come: {@code closed, clients think for 500 ms}, {@code open, 400/s, Poisson}. */
    public static String pace(Arrivals arrivals) {
        return switch (arrivals) {
            case Arrivals.Closed(var think) ->
                think.isZero() ? "closed" : "closed, clients think for " + Units.text(think);
            case Arrivals.Open open ->
                "open, "
                        + open.stages().stream()
                                .map(s -> stage(s, open.stages().size() > 1))
                                .collect(Collectors.joining(", "))
                        + (open.poisson() ? ", Poisson" : "");
        };
    }

    private static String stage(Arrivals.Stage s, boolean several) {
        return (s.from() == s.to() ? "" : Format.number(s.from()) + " to ")
                + Format.rate(s.to())
                + (several ? " for " + Units.text(s.length()) : "")
                + (s.burst() > 1 ? " in bursts of " + s.burst() : "");
    }

    /** The metric that a comparison compares. */
    public static String metric(CompareConclusion found) {
        return found.spike().isPresent()
                ? "good answers in the spike"
                : found.metric().words();
    }

    /**
     * The title of what is known about the default's limit. It is why the default was slower only where the winner changed just that, and
     * the run shows it.
     */
    public static String ofDefault(TuneConclusion found, Explanation why) {
        boolean shown = found.result() == TuneConclusion.Result.IMPROVED
                && why.limit() == Explanation.Limit.THREADS
                && why.support() == Explanation.Support.SHOWN
                && !found.winner()
                        .get(OperatingPoint.THREADS)
                        .equals(found.baseline().get(OperatingPoint.THREADS));
        return shown ? "Why the default was slower" : "What limits the default";
    }

    /** Seconds until the SLO was met again, with the number of trials in which it was not. */
    public static String recovery(CompareConclusion.SpikeResult s, double watched) {
        String never = s.recovered() == s.trials()
                ? ""
                : "not within " + Format.seconds(watched) + " in " + (s.trials() - s.recovered()) + " of " + s.trials();
        return s.recovered() == 0
                ? never
                : time(Math.max(0, s.recovery().estimate()))
                        + bounds(s.recovery(), s.recovered(), 0, watched)
                        + (never.isEmpty() ? "" : "; " + never);
    }

    /**
     * By how many seconds the first of two recovered later; a dash if that was not seen.
     *
     * @param watched how long was waited at most, seconds
     */
    public static String recovery(CompareConclusion.Contrast x, double watched) {
        return x.recovery()
                .map(r -> (Math.abs(r.estimate()) < WINDOW / 10
                                ? "the same"
                                : (r.estimate() > 0 ? "+" : "") + time(r.estimate()))
                        + bounds(r, x.pairs(), -watched, watched))
                .orElse(Format.NONE);
    }

    /** A time in seconds, no finer than the windows in which it was seen. */
    private static String time(double seconds) {
        return Format.seconds(Math.round(seconds * 10) / 10.0);
    }

    /**
     * {@code  [0 ms, 1.20 s]}, within what is possible; empty for fewer than three values, and if both bounds are equal.
     */
    private static String bounds(Interval i, int values, double least, double most) {
        if (!i.bounded() || values < FEWEST) {
            return "";
        }
        String low = time(Math.max(least, i.low()));
        String high = time(Math.min(most, i.high()));
        return low.equals(high) ? "" : " [" + low + ", " + high + "]";
    }

    /** How many columns of a terminal it takes. */
    public static int length(String text) {
        return TerminalColumns.of(text);
    }

    /** The text, or its beginning and an ellipsis. */
    public static String cut(String text, int width) {
        if (length(text) <= width) {
            return text;
        }
        return width <= 1 ? "…" : TerminalColumns.first(text, width - 1) + "…";
    }

    /** Wraps text into lines of at most {@code width}; a longer word gets its own line. */
    public static List<String> wrap(String text, int width) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (String word : clean(text).strip().split("\\s+", -1)) {
            if (!line.isEmpty() && length(line.toString()) + 1 + length(word) > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** A setting without the knobs held in every trial. */
    public static Setting beyond(Setting setting, Setting hold) {
        var rest = new TreeMap<>(setting.values());
        hold.values().forEach((knob, value) -> rest.remove(knob, value));
        return new Setting(rest);
    }

    /** {@code threads.max=50}, or {@code default}. */
    public static String setting(Setting setting, Setting hold) {
        return beyond(setting, hold).toString();
    }

    /** ", HTTP/2, TLS, 8 streams each"; nothing for HTTP/1.1 in plain text, one request at a time. */
    public static String wire(Wire wire) {
        String many = wire.inFlight() == 1
                ? ""
                : ", " + wire.inFlight()
                        + switch (wire.protocol()) {
                            case HTTP_1_1 -> " requests in flight on each";
                            case HTTP_2 -> " streams each";
                            case WEB_SOCKET_TEXT, WEB_SOCKET_BINARY -> " messages in flight on each";
                        };
        String spoken = switch (wire.protocol()) {
            case HTTP_1_1 -> "";
            case HTTP_2 -> ", HTTP/2";
            case WEB_SOCKET_TEXT, WEB_SOCKET_BINARY -> ", WebSocket";
        };
        return spoken + (wire.tls().isPresent() ? ", TLS" : "") + many;
    }

    /** Grid values without their prefix: {@code threads.max=6 keep-alive=false}. */
    public static String point(Map<String, String> point) {
        return point.entrySet().stream()
                .map(e -> dimension(e.getKey()) + "=" + e.getValue())
                .collect(Collectors.joining(" "));
    }

    /** {@code  at threads.max=6}, to follow what was seen there; nothing without a grid. */
    public static String at(Map<String, String> point) {
        return point.isEmpty() ? "" : " at " + point(point);
    }

    /** Whether a comparison of that many pairs shows a difference. */
    public static String shown(boolean difference, int pairs) {
        return pairs == 0 ? "not compared" : difference ? "difference shown" : "no difference shown";
    }

    /** A dimension's display name: {@code load.connections} is {@code connections}. */
    public static String dimension(String name) {
        return name.startsWith("load.") ? name.substring("load.".length()) : name;
    }

    /** A trial's grid point, variant or setting. */
    public static String trial(TrialSpec spec, Setting hold) {
        String what = switch (spec.phase()) {
            case SWEEP -> spec.point().isEmpty() ? setting(spec.setting(), hold) : point(spec.point());
            case COMPARE, GATE, EXPLAIN -> variant(spec.variant(), spec.point());
            default -> setting(spec.setting(), hold);
        };
        return what.isBlank() ? setting(spec.setting(), hold) : what;
    }

    /** A variant and its condition. */
    static String variant(String name, Map<String, String> point) {
        return name + (point.isEmpty() ? "" : " · " + point(point));
    }

    /** A trial's phase: {@code baseline}, {@code search}, {@code duel 2}. */
    public static String phase(TrialSpec spec) {
        return switch (spec.phase()) {
            case DUEL -> "duel " + (spec.block() + 1);
            case GATE -> "pair " + (spec.block() + 1);
            case EXPLAIN -> "why " + (spec.block() + 1);
            case COMPARE -> "block " + (spec.block() + 1);
            default -> spec.phase().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }

    /** {@code did not start}. */
    static String failure(TrialOutcome.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** {@code read timeout 12, reset 3}; empty without errors. */
    public static String errors(Map<ErrorKind, Long> errors) {
        return errors.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .map(e -> e.getKey().text() + " " + Format.whole(e.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** {@code valid}, {@code void}, {@code failed} or {@code ended early}; {@code came up} of a start without load. */
    public static String verdict(TrialOutcome o) {
        if (o.cameUp()) {
            return "came up";
        }
        if (o.valid()) {
            return "valid";
        }
        return EarlyStopping.is(o) ? "ended early" : o.measurement().isPresent() ? "void" : "failed";
    }

    /** Why a setting that was tried has no figure, if so. */
    public static Optional<String> problem(TuneConclusion.Candidate c) {
        return c.atBest().isPresent() ? Optional.of("ended early: surely worse") : c.problem();
    }

    /** {@code 2 void}, {@code 2 void, 3 ended early}. */
    public static String voids(RunReport run) {
        return run.voids().size() + " void"
                + (run.early().isEmpty() ? "" : ", " + run.early().size() + " ended early");
    }

    /** The reasons why a trial is void: {@code littles-law: …}. */
    public static List<String> reasons(TrialOutcome o) {
        var all = new ArrayList<String>();
        o.failure().ifPresent(f -> all.add(failure(f.kind()) + ": " + f.message()));
        o.verdict().reasons().stream()
                .filter(r ->
                        o.failure().map(f -> !r.message().equals(f.message())).orElse(true))
                .forEach(r -> all.add(r.rule() + ": " + r.message()));
        return all;
    }

    /** The ids of the rules a void trial broke, or how it failed. */
    public static List<String> rules(TrialOutcome o) {
        return o.failure()
                .map(f -> List.of(failure(f.kind())))
                .orElseGet(() -> o.verdict().reasons().stream()
                        .map(r -> r.rule())
                        .distinct()
                        .toList());
    }

    /** The ids of a trial's advisories. */
    public static List<String> advisories(TrialOutcome o) {
        return o.verdict().advisories().stream()
                .map(Verdict.Advisory::rule)
                .distinct()
                .toList();
    }

    /** An open load's backlog: {@code of 8,000 requests due 812 never sent}. */
    public static Optional<String> lost(Measurement m) {
        return m.detail().offered().filter(_ -> m.lost() > 0).map(o -> {
            var parts = new ArrayList<String>();
            if (o.unsent() > 0) {
                parts.add(Format.whole(o.unsent()) + " never sent");
            }
            if (m.unanswered() > 0) {
                parts.add(Format.whole(m.unanswered()) + (m.unanswered() == o.unanswered() ? " piled up" : " stuck")
                        + " in the server");
            }
            return "of " + Format.whole(o.due()) + " requests due " + String.join(", ", parts);
        });
    }

    /** {@code a tomcat}, {@code an undertow}. */
    public static String one(String noun) {
        return (!noun.isEmpty() && "aeiou".indexOf(Character.toLowerCase(noun.charAt(0))) >= 0 ? "an " : "a ") + noun;
    }

    /** {@code 1 trial}, {@code 4 trials}. */
    public static String plural(long n, String one) {
        return Format.whole(n) + " " + one + (n == 1 ? "" : "s");
    }

    /** The smallest difference that would have been shown, if none was. */
    public static String leastShown(Contrast x) {
        return x.differenceShown() || x.leastShown().isEmpty()
                ? ""
                : NumberText.change(x.leastShown().getAsDouble());
    }

    /** Good answers per second in a spike, with bounds from three trials on; no bound is below zero. */
    public static Interval goodput(CompareConclusion.SpikeResult s) {
        Interval i = s.goodput();
        return s.trials() < FEWEST ? Interval.unbounded(i.estimate()) : i.within(0, Double.POSITIVE_INFINITY);
    }

    private static String signed(double nanos) {
        String size = Format.time(Math.abs(nanos));
        return size.startsWith("<") ? "0" : (nanos >= 0 ? "+" : "-") + size; // "+< 0.001" can't be read
    }

    /** What a layer adds, microseconds, with its interval: {@code +12.3 µs (8.10 µs to 16.5 µs)}. */
    public static String added(Optional<Interval> i) {
        return i.map(x -> signed(x.estimate() * 1e3)
                        + (x.bounded()
                                ? " (" + Format.time(x.low() * 1e3) + " to " + Format.time(x.high() * 1e3) + ")"
                                : ""))
                .orElse("not observed");
    }
}
