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

    /** The closed model: a client's next request is due when it has its answer and has thought for a while (0 to 1 h). */
    record Closed(Duration think) implements Arrivals {
        /** Without think time. */
        public static final Closed BACK_TO_BACK = new Closed(Duration.ZERO);
    }

    /**
     * The open model: on a schedule, whatever the server does.
     *
     * @param stages one or more; they follow each other, and the last one's final rate goes on
     * @param poisson whether arrivals are independent of each other (exponential gaps) instead of evenly spaced
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
     * A stretch of time with a rate that is constant or changes linearly.
     *
     * @param from arrivals a second at its beginning, 0 to 10,000,000
     * @param to arrivals a second at its end
     * @param length over 0
     * @param burst how many arrive at once, 1 or more; the rate counts each of them
     */
    record Stage(double from, double to, Duration length, int burst) {}
}
