package dev.fettle.lab.measure;

import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.watch.HostWatch;
import java.util.Optional;

/**
 * The windows of one load, of a trial, a probe or a bench: each is put on the watch's timeline as it is taken, and shown to who
 * keeps the threads of a target that hangs.
 */
record LoadWindows(LoadRun run, HostWatch watch, Optional<DumpKeeper> dumps) {
    /** What happened since the last one. */
    Window next() {
        Window window = run.takeWindow();
        LoadSignals.put(watch.recorder(), window);
        dumps.ifPresent(d -> d.window(window));
        return window;
    }

    /** Puts what the keeper of threads has on the timeline, at the end. */
    void end() {
        dumps.ifPresent(d -> d.tell(watch.recorder()));
    }
}
