package dev.fettle.model.trial;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One setting × one load on one fresh target.
 *
 * @param phase what the trial is for
 * @param variant name shown in tables: {@code baseline}, {@code candidate}, a variant of a comparison, or empty
 * @param point the grid values that make this trial what it is, by dimension, in order; empty outside grids
 * @param block number of the block or pair the trial belongs to, from 0
 * @param target on the server that the setting chooses, if it chooses one
 * @param setting knobs, held ones included
 */
@RecordBuilder
public record TrialSpec(
        Phase phase, String variant, Map<String, String> point, int block, Target target, Setting setting, Load load)
        implements TrialSpecBuilder.With {
    public TrialSpec {
        point = Collections.unmodifiableMap(new LinkedHashMap<>(point));
        target = target.under(setting);
    }

    /** What a trial is for. */
    public enum Phase {
        /** A tune's first look at the default. */
        BASELINE,
        /** A tune's search. */
        SEARCH,
        /** A tune's replicates of the best few. */
        RACE,
        /** The target is started, read back and stopped, without load: does it start? It has no measurement, and no failure if it started. */
        START,
        /** Winner against baseline, on fresh data. */
        DUEL,
        SWEEP,
        COMPARE,
        /** One side of a gate's pair. */
        GATE,
        /** One side of a pair that is recorded once a gate has its answer: it says where a difference lies, and counts for nothing else. */
        EXPLAIN,
        /** In a capacity search: a few clients on the target that has just been warmed up. */
        WARM_UP,
        /** One client alone: how fast the target is without load. */
        IDLE,
        /** A probe that looks for a rate that meets the SLO and one that does not. */
        BRACKET,
        /** A probe that narrows the limit between them. */
        NARROW,
        /** A probe to show that a rate meets the SLO, on fresh data. */
        CONFIRM,
        /** A base load, a spike, and the base load again. */
        SPIKE,
        /** The trial that a diagnosis is made from. */
        DIAGNOSE,
        /** A running target under the traffic that it has: Fettle sends nothing, and there is no measurement. */
        OBSERVE,
        /** An experiment that could refute what a diagnosis found. */
        TEST,
        /** In a diagnosis: few clients, then more and more, on one warm target. */
        RAMP
    }
}
