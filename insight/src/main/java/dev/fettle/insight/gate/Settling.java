package dev.fettle.insight.gate;

import dev.fettle.model.trial.Measurement.Window;
import java.util.List;

/**
 * Whether a server that was warm has settled on a setting that it got while it ran. It asks less than {@link SteadyState}: such a
 * trial only ranks settings, and what is slower than this shows as the JVM's drift.
 */
public final class Settling {
    /** The first window has the connects, and what was left of the setting before. */
    private static final int LEAST = 3;

    /** Of the throughput of two neighbouring windows of half a second. */
    private static final double TOLERANCE = 0.1;

    private Settling() {}

    /** Judges windows of equal length, in order, since the setting was changed. */
    public static boolean settled(List<Window> windows) {
        if (windows.size() < LEAST) {
            return false;
        }
        double before = windows.get(windows.size() - 2).throughput();
        double last = windows.getLast().throughput();
        return last > 0 && Math.abs(last - before) <= TOLERANCE * Math.max(last, before);
    }
}
