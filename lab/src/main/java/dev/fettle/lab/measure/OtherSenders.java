package dev.fettle.lab.measure;

import dev.fettle.lab.port.LoadPort;

/** Other processes that send a load instead of this one. */
public interface OtherSenders extends LoadPort {
    /** Warms all of them up on servers of their own, at the same time. */
    Warmed rehearse(Order order, WarmUp warmUp);

    /** CPU time that the compilers of the busiest have used so far, in nanoseconds. */
    long compiledNanos();
}
