package dev.fettle.lab.measure;

import dev.fettle.lab.port.WatchPort;
import dev.fettle.load.Window;
import java.util.Map;

/**
 * A window of a load, as it is taken, for whoever follows. Only to be read, and at once.
 *
 * @param watch what was watched meanwhile
 */
public record LiveWindow(Window window, WatchPort watch) {
    /** What was read since this was last asked, by {@link dev.fettle.model.trial.Signal#id}. */
    public Map<String, Double> figures() {
        return watch.latest();
    }
}
