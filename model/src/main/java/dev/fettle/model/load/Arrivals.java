package dev.fettle.model.load;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;
import java.util.List;

/** When requests (iterations of a scenario) are due. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Arrivals.Closed.class, name = "closed"),
    @JsonSubTypes.Type(value = Arrivals.Open.class, name = "open")
})
public sealed interface Arrivals {

    /** The closed model: a client's next request is due after the answer to the last one and a think time (0 to 1 h). */
    record Closed(Duration think) implements Arrivals {
        /** Without think time. */
        public static final Closed BACK_TO_BACK = new Closed(Duration.ZERO);
    }

    /**
     * The open model: requests are due on a schedule, whatever the server does.
     *
     * @param stages one or more, in sequence; the last one's final rate continues
     * @param poisson whether arrivals are independent (exponential gaps) instead of evenly spaced
     * @param seed of that randomness
     */
    record Open(List<Stage> stages, boolean poisson, long seed) implements Arrivals {
        public Open {
            stages = List.copyOf(stages);
        }

        /** A constant rate, evenly spaced. */
        public static Open constant(double perSecond) {
            return new Open(List.of(new Stage(perSecond, perSecond, Duration.ofDays(7), 1)), false, 1);
        }
    }

    /**
     * A period with a constant or linearly changing rate.
     *
     * @param from arrivals per second at its start, 0 to 10,000,000
     * @param to arrivals per second at its end
     * @param length over 0
     * @param burst how many arrive at once, 1 or more; the rate counts each
     */
    record Stage(double from, double to, Duration length, int burst) {}
}
