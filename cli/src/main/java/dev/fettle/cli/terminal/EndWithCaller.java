package dev.fettle.cli.terminal;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Ends this process as a TERM signal would, soon after its caller has ended, even if that was killed. */
public final class EndWithCaller {
    /** The system property with the caller's process id; without it, nothing is done. */
    public static final String CALLER = "dev.fettle.caller";

    /** As the JVM ends after a TERM signal. */
    public static final int TERMINATED = 143;

    private EndWithCaller() {}

    /** Begins to wait for that. */
    public static void watch() {
        Optional.ofNullable(Long.getLong(CALLER))
                .ifPresent(caller -> ProcessHandle.of(caller)
                        .map(ProcessHandle::onExit)
                        .orElse(CompletableFuture.completedFuture(null))
                        .thenRunAsync(() -> System.exit(TERMINATED), EndWithCaller::inThread));
    }

    private static void inThread(Runnable end) {
        Thread.ofPlatform().daemon().name("fettle-caller").start(end);
    }
}
