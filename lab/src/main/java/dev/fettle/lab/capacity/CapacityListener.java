package dev.fettle.lab.capacity;

import dev.fettle.insight.capacity.CapacityResult;
import dev.fettle.insight.capacity.CapacitySearch;

/** Follows a capacity search as it goes. Called on its thread; must return quickly and not throw. */
public interface CapacityListener {

    /** Half a second of load has passed. */
    void goesOn(String what, double throughput, double p99Millis);

    /** A probe has ended and is in the journal. */
    void probed(int ordinal, CapacitySearch.Step.Offer offer, CapacityResult.Judged judged);

    /** Something the user should know. */
    void note(String message);
}
