package dev.fettle.lab.measure;

import dev.fettle.lab.machine.Clock;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.engine.LoadEngine;
import dev.fettle.load.engine.Rehearsal;
import dev.fettle.model.text.Format;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The result of a warm-up.
 *
 * @param time how long it took
 * @param interrupted whether it was stopped
 * @param calm whether the compilers were calm in the end
 */
public record Warmed(Duration time, boolean interrupted, boolean calm) {
    static final Warmed NOT = new Warmed(Duration.ZERO, false, false);

    String words() {
        return "warmed up for " + Format.time(time) + " on a server of its own, so that all requests are counted";
    }

    /**
     * Warms this process up on a server of its own, until its code for such a load is compiled.
     *
     * @param compiled CPU time of its compilers so far, in nanoseconds
     */
    public static Warmed rehearsed(LoadSpec spec, WarmUp warmUp, Clock clock, LongSupplier compiled) {
        if (spec.scenario().isPresent()) {
            return NOT;
        }
        long begun = clock.nanos();
        WarmUp.CompilerActivity compilers = warmUp.look(compiled).orElseThrow();
        boolean interrupted = false;
        boolean calm = false;
        try (Rehearsal rehearsal = new Rehearsal(spec, warmUp.atMost());
                LoadRun run = LoadEngine.start(rehearsal.spec())) {
            while (!calm && !run.awaitDone(warmUp.step())) {
                calm = compilers.calm();
            }
            // taking windows must be warm, too
            run.takeWindow();
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException | UncheckedIOException e) {
            return NOT; // no port or descriptor to spare for this: the load itself will report it
        }
        return new Warmed(clock.since(begun), interrupted, calm);
    }
}
