package dev.fettle.report.document;

import dev.fettle.insight.stats.Interval;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * What a cell of a table says.
 *
 * @param text for people, with its unit
 * @param figure what it is sorted by, in the unit of its column; NaN: words, or a figure that is not known
 * @param tone how it stands out from the rest of its row
 * @param link where more of it is said; empty if nowhere
 */
public record Value(String text, double figure, Tone tone, String link) {
    /** A figure with its text, in a plain tone. */
    public Value(String text, double figure) {
        this(text, figure, Tone.PLAIN, "");
    }

    /** Words of which more is said elsewhere. */
    public static Value link(String text, String to) {
        return new Value(text, Double.NaN, Tone.PLAIN, to);
    }

    /** Nothing to say. */
    public static final Value EMPTY = words("");
    /** A figure that was not observed. */
    public static final Value NONE = words(Format.NONE);

    /** Words. */
    public static Value words(String text) {
        return new Value(text, Double.NaN);
    }

    /** Words in a tone. */
    public static Value words(String text, Tone tone) {
        return new Value(text, Double.NaN, tone, "");
    }

    /** A name of a setting, a command, a rule. */
    public static Value code(String text) {
        return words(text, Tone.CODE);
    }

    /** A figure; a dash if it is not known. */
    public static Value of(OptionalFigure figure, DoubleFunction<String> text) {
        return figure.isPresent() ? new Value(text.apply(figure.getAsDouble()), figure.getAsDouble()) : NONE;
    }

    /** A figure of the objective's metric; a dash if it is not known. */
    public static Value of(ObjectiveColumn judged, OptionalFigure figure) {
        return new Value(judged.text(figure), judged.value(figure));
    }

    /** A plain number. */
    public static Value number(double figure) {
        return new Value(Format.number(figure), figure);
    }

    /** A plain number; a dash if it is not known. */
    public static Value number(OptionalFigure figure) {
        return of(figure, Format::number);
    }

    /** A whole number. */
    public static Value count(long figure) {
        return new Value(Format.whole(figure), figure);
    }

    /** Per second, with its unit. */
    public static Value rate(double perSecond) {
        return new Value(Format.rate(perSecond), perSecond);
    }

    /** The bounds of an interval: {@code [3,420, 3,522]}. */
    public static Value bounds(Interval interval) {
        return new Value(NumberText.bounds(interval).strip(), interval.low());
    }

    /** A time in nanoseconds. */
    public static Value time(double nanos) {
        return new Value(Format.time(nanos), nanos);
    }

    /** A time. */
    public static Value time(Duration time) {
        return new Value(Format.time(time), time.toNanos());
    }

    /** A share, 0 to 1. */
    public static Value share(double share) {
        return new Value(Format.share(share), share);
    }

    /** A share, 0 to 1; a dash if it is not known. */
    public static Value share(OptionalFigure share) {
        return of(share, Format::share);
    }

    /** A ratio as a change. */
    public static Value change(double ratio) {
        return new Value(NumberText.change(ratio), ratio);
    }

    /** A ratio as a change, with how well it is known. */
    public static Value change(Interval ratio, List<Double> each) {
        return new Value(NumberText.change(ratio, each), ratio.estimate());
    }

    /** Whether there is nothing to say. */
    public boolean isMissing() {
        return text.isEmpty() || text.equals(Format.NONE);
    }
}
