package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.util.Optional;

/**
 * A helper that stops this process for a moment, again and again, as a debugger or a frozen container does; or all Java programs from which it
 * descends as well, as when the whole machine is paused. It ends when this process has ended.
 */
final class Stopped implements Fault {
    private static final String LOOP =
            "while kill -STOP %1$s; do sleep 0.4; kill -CONT %1$s; sleep 1.3; done 2>/dev/null";

    Stopped(boolean all) throws IOException {
        var pids = new StringBuilder();
        Optional<ProcessHandle> at = Optional.of(ProcessHandle.current());
        while (at.isPresent()) {
            if (pids.isEmpty() || all && at.get().info().command().orElse("").endsWith("/java")) {
                pids.append(' ').append(at.get().pid());
            }
            at = at.get().parent();
        }
        new ProcessBuilder(
                        "sh",
                        "-c",
                        String.format("sleep 1; " + LOOP, pids.toString().strip()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Override
    public void spoil(Visit visit) {
        // it is the helper that does it
    }
}
