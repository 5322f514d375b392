package dev.fettle.lab.port;

import dev.fettle.load.Window;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Watches the host and a target under one load, in stretches that are measured. */
public interface WatchPort {
    /**
     * What is to be watched.
     *
     * @param generator the CPUs that the load is sent from
     * @param own all processes of the trial; empty if not all are known
     * @param load what is offered meanwhile
     * @param partner pid of the target that should be idle meanwhile
     */
    record Order(Set<Integer> generator, List<Long> own, Load load, OptionalLong partner) {
        public Order {
            generator = Set.copyOf(generator);
            own = List.copyOf(own);
        }
    }

    /** Starts a stretch of the warm-up. */
    void begin();

    /** Starts a stretch that is measured. */
    void measure();

    /** The warm-up is over, unless it was before; a stretch that has begun continues. */
    void measuringBegins();

    /** The load has rested, and begins again: counters go on from here. */
    void gap();

    /** Reads what is read between two windows. */
    void sample();

    /** Takes a window of the load: its figures join what was watched, and a target that does not answer is examined. */
    void window(Window window);

    /** Reads a last time what was read seldom, while the load's connections are still open. */
    void last();

    /** Ends a stretch, and returns what was seen in it. */
    Aggregates end();

    /** CPU seconds that the partner's target has used so far; empty without one, or if they can't be read. */
    OptionalFigure partnerCpuSeconds();

    /** What may explain a silence: how busy others were, and what the target's threads did. */
    List<Sighting> sightings();

    /** The load is over: what is still being read, such as a thread dump, goes to the timeline. To be called once. */
    void close();

    /** What was read since this was last called, by {@link dev.fettle.model.trial.Signal#id}; the first call returns nothing. */
    Map<String, Double> latest();

    /** What was seen over time, so far. */
    Timeline timeline();

    /** Notes on how the target was watched. */
    List<String> notes();
}
