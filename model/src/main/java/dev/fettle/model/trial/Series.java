package dev.fettle.model.trial;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.fettle.model.text.OptionalFigure;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * One figure over time. A point that was not observed is NaN, null in JSON. Values are kept with five significant digits, so
 * that a journal stays small.
 */
public final class Series {
    private static final int DIGITS = 5;
    private static final int LARGEST_POWER = 22;

    /** Above this a double is not exact for whole numbers; no counter gets that far. */
    private static final double LARGEST_WHOLE = 1e15;

    private final double[] values;

    private Series(double[] values) {
        this.values = values;
    }

    /** A series of values; the array is copied. */
    public static Series of(double... values) {
        return new Series(DoubleStream.of(values).map(Series::rounded).toArray());
    }

    @JsonCreator
    static Series of(List<@Nullable Double> values) {
        return of(values.stream().mapToDouble(v -> v == null ? Double.NaN : v).toArray());
    }

    private static double rounded(double v) {
        if (!Double.isFinite(v) || v == 0) {
            return v == 0 ? 0 : Double.NaN;
        }
        int shift = DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(v)));
        // powers of ten up to 22 are exact
        if (Math.abs(shift) > LARGEST_POWER) {
            return v;
        }
        double power = Math.pow(10, Math.abs(shift));
        return shift >= 0 ? Math.rint(v * power) / power : Math.rint(v / power) * power;
    }

    /** Whole numbers without a decimal point: they are most of the values. */
    @JsonValue
    List<@Nullable Number> json() {
        return DoubleStream.of(values).<@Nullable Number>mapToObj(Series::json).toList();
    }

    private static @Nullable Number json(double v) {
        if (Double.isNaN(v)) {
            return null;
        }
        if (v == Math.rint(v) && Math.abs(v) < LARGEST_WHOLE) {
            return (long) v;
        }
        return v;
    }

    /** Number of points. */
    public int size() {
        return values.length;
    }

    /** A point; NaN if it was not observed. */
    public double at(int i) {
        return values[i];
    }

    /** The observed points from one index (inclusive) to another (exclusive), in order. */
    public DoubleStream observed(int from, int to) {
        return Arrays.stream(values, Math.clamp(from, 0, values.length), Math.clamp(to, 0, values.length))
                .filter(v -> !Double.isNaN(v));
    }

    /** All observed points. */
    public DoubleStream observed() {
        return observed(0, values.length);
    }

    /** The last observed point. */
    public OptionalFigure last() {
        return OptionalFigure.of(observed().reduce((a, b) -> b));
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof Series s && Arrays.equals(values, s.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return json().toString();
    }
}
