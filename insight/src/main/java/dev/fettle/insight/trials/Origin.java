package dev.fettle.insight.trials;

/** Why a trial was asked for. */
public enum Origin {
    /** The default, by which all others are judged. */
    DEFAULT("default"),
    /** Found by an earlier run. */
    EARLIER("earlier"),
    /** Predicted from how long a request holds its thread, and from its CPU time. */
    PREDICTION("prediction"),
    /** Spread over a knob's range on a logarithmic scale. */
    LOG_SPACED("log-spaced"),
    /** Next to the best so far. */
    NEIGHBOUR("neighbour"),
    /** Between two that were tried. */
    GAP("gap"),
    /** Between what holds and what breaks a limit. */
    EDGE("edge"),
    /** Far from what was tried, in all knobs. */
    SPREAD("spread"),
    /** Where a model of the trials promises the most. */
    MODEL("model"),
    /** Where it may widen a trade-off the most. */
    FRONT("front"),
    /** As good as the best by the objective, and perhaps better next to it. */
    BESIDE("beside"),
    /** The best with another value of one knob. */
    ONE_KNOB("one knob"),
    /** The best with other values of two knobs. */
    TWO_KNOBS("two knobs"),
    /** The best with as few threads as it needs. */
    SMALLER("smaller"),
    /** The best without knobs that may do nothing. */
    SIMPLER("simpler"),
    /** The best without one knob, to see what that gives. */
    ABLATION("ablation"),
    /** The default once more, to see how far the warm JVM has moved. */
    ANCHOR("anchor"),
    /** One of the best once more. */
    RACE("race"),
    /** A doubted setting and the default once more, as a pair. */
    AGAIN("again"),
    /** A pair of the proof. */
    DUEL("duel"),
    /** A pair of a setting that has left the duel. */
    LEFT("left duel"),
    /** A pair that repeats a disturbed one. */
    REPEATED("repeated pair"),
    /** A start without load. */
    START("start"),
    SWEEP("sweep"),
    COMPARE("compare"),
    DIAGNOSE("diagnose"),
    /** A test of what a diagnosis found. */
    TEST("test");

    private final String id;

    Origin(String id) {
        this.id = id;
    }

    /** Its name in results and tables. */
    public String id() {
        return id;
    }
}
