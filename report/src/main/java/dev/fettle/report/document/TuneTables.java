package dev.fettle.report.document;

import dev.fettle.insight.TradeOff;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Candidate;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.Optional;
import java.util.function.Function;

/** The tables of a tune. */
public final class TuneTables {
    private final TuneConclusion found;
    private final Setting hold;
    private final ObjectiveColumn judged;

    public TuneTables(RunReport run, TuneConclusion found) {
        this.found = found;
        this.hold = run.plan().hold();
        this.judged = ObjectiveColumn.of(run);
    }

    /** The duel, pair by pair. */
    public Table duel() {
        String other = found.shown() ? "winner" : "candidate";
        Optional<String> own = judged.heading();
        return Table.of(found.pairs())
                .figure("pair", p -> Value.count(p.block() + 1L))
                .figure(own.map(h -> "default " + h), p -> Value.of(judged, OptionalFigure.of(p.baselineFigure())))
                .figure(own.map(h -> other + " " + h), p -> Value.of(judged, OptionalFigure.of(p.winnerFigure())))
                .figure("default /s", p -> Value.number(p.baseline()))
                .json("baselineThroughputPerSecond")
                .figure(other + " /s", p -> Value.number(p.winner()))
                .json("winnerThroughputPerSecond")
                .figure("change", p -> Value.change(judged.ratio(p)))
                .json("ratio")
                .figure("default p99", p -> Value.time(p.baselineP99()))
                .json("baselineP99Millis")
                .figure(other + " p99", p -> Value.time(p.winnerP99()))
                .json("winnerP99Millis")
                .build();
    }

    /** Every setting tried, best first. */
    public Table candidates() {
        return Table.of(found.candidates())
                .words("setting", c -> Wording.setting(c.setting(), hold))
                .words("from", Candidate::origin)
                .figure(judged.heading(), c -> Value.of(judged, c.figure()))
                .figure(
                        "throughput /s",
                        c -> c.trials() > 0
                                ? Value.number(c.throughput().estimate())
                                : Value.words(judged.throughputAtBest(c)))
                .figure(
                        "95 % interval",
                        Where.NOT_IN_TERMINALS,
                        tried(c -> Value.bounds(Wording.rate(c.throughput(), c.trials())), Value.EMPTY))
                .figure("p99", c -> c.trials() > 0 ? Value.time(c.p99()) : Value.words(judged.p99AtBest(c)))
                .json("p99Millis")
                .known("errors", tried(c -> Value.share(c.errorShare()), Value.NONE))
                .json("errorShare")
                .known("trials", c -> Value.count(c.trials()))
                .json("trials")
                .known("void", c -> Value.count(c.voids()))
                .json("voids")
                .remarks("remark", Where.EVERYWHERE, this::remark)
                .tone(c -> won(c.setting())
                        ? Tone.STRONG
                        : c.trials() == 0 || c.problem().isPresent() ? Tone.QUIET : Tone.PLAIN)
                .sortable();
    }

    private static Function<Candidate, Value> tried(Function<Candidate, Value> figure, Value otherwise) {
        return c -> c.trials() > 0 ? figure.apply(c) : otherwise;
    }

    private boolean won(Setting setting) {
        return found.shown() && setting.equals(found.winner());
    }

    private String remark(Candidate c) {
        return Wording.problem(c)
                .or(c::otherAnswers)
                .orElse(!c.meetsLimits() && c.trials() > 0 ? "breaks a limit" : won(c.setting()) ? "◂ winner" : "");
    }

    /** Two metrics of each setting within the limits, or only of those that no other beats in both. */
    public Table tradeOff(TradeOff t, boolean front) {
        var one = new ObjectiveColumn(t.metric());
        var other = new ObjectiveColumn(t.against());
        return Table.of(front ? t.front() : t.points())
                .words("setting", p -> Wording.setting(p.setting(), hold))
                .figure(t.metric().words(), p -> new Value(one.whole(p.figure()), p.figure()))
                .figure(t.against().words(), p -> new Value(other.whole(p.against()), p.against()))
                .known("trials", p -> Value.count(p.trials()))
                .words("on the front", Where.NOT_IN_TERMINALS, p -> p.onFront() ? "yes" : "")
                .remarks("remark", Where.IN_TERMINALS, p -> won(p.setting()) ? "◂ winner" : "")
                .build();
    }
}
