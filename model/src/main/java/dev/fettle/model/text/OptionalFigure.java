package dev.fettle.model.text;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A figure that may be missing, and then why. It is {@link OptionalDouble} with what that lacks: {@code map}, {@code filter}, figures made of two,
 * and the reason. A figure is never zero because it could not be read.
 *
 * <p>Two missing figures are equal, whatever the reasons. In JSON it is a number, or it is left out; reasons are not written.
 */
@JsonSerialize(using = OptionalFigure.Writer.class)
@JsonDeserialize(using = OptionalFigure.Reader.class)
public final class OptionalFigure {
    private static final OptionalFigure MISSING = new OptionalFigure(OptionalDouble.empty(), "");

    private final OptionalDouble value;
    private final String why;

    private OptionalFigure(OptionalDouble value, String why) {
        this.value = value;
        this.why = why;
    }

    /** A figure that is known. */
    public static OptionalFigure of(double value) {
        return new OptionalFigure(OptionalDouble.of(value), "");
    }

    /** What a stream yields, say: its mean, which is missing if it was empty. */
    public static OptionalFigure of(OptionalDouble value) {
        return value.isPresent() ? new OptionalFigure(value, "") : MISSING;
    }

    /** A figure that is missing for no reason that is known. */
    public static OptionalFigure empty() {
        return MISSING;
    }

    /**
     * A figure that is missing.
     *
     * @param why in words that fit after "not observed:"
     */
    public static OptionalFigure missing(String why) {
        return new OptionalFigure(OptionalDouble.empty(), why);
    }

    /** The figure of something that may not be there; missing if it is not. */
    public static <T> OptionalFigure from(Optional<T> source, Function<? super T, OptionalFigure> figure) {
        return source.map(figure).orElse(MISSING);
    }

    public boolean isPresent() {
        return value.isPresent();
    }

    public boolean isEmpty() {
        return value.isEmpty();
    }

    /** Why it is missing; blank if that is not known, or if it is not missing. */
    public String why() {
        return why;
    }

    /**
     * The figure.
     *
     * @throws NoSuchElementException if it is missing
     */
    public double getAsDouble() {
        return value.orElseThrow(() -> new NoSuchElementException(why.isEmpty() ? "no figure" : "no figure: " + why));
    }

    /** The same as {@link #getAsDouble}, where it is plain to see that it can't be missing. */
    public double orElseThrow() {
        return getAsDouble();
    }

    public double orElse(double other) {
        return value.orElse(other);
    }

    public double orElseGet(DoubleSupplier other) {
        return value.orElseGet(other);
    }

    /** This one, or if it is missing another one; the reason is the other one's, then. */
    public OptionalFigure or(Supplier<OptionalFigure> other) {
        return isPresent() ? this : other.get();
    }

    /** A figure made of it. */
    public OptionalFigure map(DoubleUnaryOperator made) {
        return isPresent() ? of(made.applyAsDouble(getAsDouble())) : this;
    }

    /** Anything made of it. */
    public <T> Optional<T> mapTo(DoubleFunction<? extends T> made) {
        return isPresent() ? Optional.of(made.apply(getAsDouble())) : Optional.empty();
    }

    /** A figure made of both; missing for the reason of the first that is. */
    public OptionalFigure with(OptionalFigure other, DoubleBinaryOperator made) {
        return isEmpty() ? this : other.map(o -> made.applyAsDouble(getAsDouble(), o));
    }

    /** It, if it is so; else missing for no reason. */
    public OptionalFigure filter(DoublePredicate so) {
        return isEmpty() || so.test(getAsDouble()) ? this : MISSING;
    }

    /** Whether it is known, and so. */
    public boolean is(DoublePredicate so) {
        return isPresent() && so.test(getAsDouble());
    }

    public void ifPresent(DoubleConsumer then) {
        value.ifPresent(then);
    }

    public void ifPresentOrElse(DoubleConsumer then, Runnable otherwise) {
        value.ifPresentOrElse(then, otherwise);
    }

    /** It without the reason. */
    public OptionalDouble optional() {
        return value;
    }

    /** It alone, or nothing. */
    public DoubleStream stream() {
        return value.stream();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OptionalFigure f && value.equals(f.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** For people who debug: the figure, or why it is missing. */
    @Override
    public String toString() {
        return isPresent() ? Double.toString(getAsDouble()) : "missing" + (why.isEmpty() ? "" : ": " + why);
    }

    static final class Writer extends JsonSerializer<OptionalFigure> {
        @Override
        public boolean isEmpty(SerializerProvider provider, OptionalFigure figure) {
            return figure.isEmpty();
        }

        @Override
        public void serialize(OptionalFigure figure, JsonGenerator json, SerializerProvider provider)
                throws IOException {
            if (figure.isPresent()) {
                json.writeNumber(figure.getAsDouble());
            } else {
                json.writeNull();
            }
        }
    }

    static final class Reader extends JsonDeserializer<OptionalFigure> {
        @Override
        public OptionalFigure deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return of(json.getDoubleValue());
        }

        @Override
        public OptionalFigure getNullValue(DeserializationContext context) {
            return MISSING;
        }

        @Override
        public Object getAbsentValue(DeserializationContext context) {
            return MISSING;
        }
    }
}
