package dev.fettle.watch.jvm;

import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.watch.host.OwnCpu;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Looks at the threads of a JVM that can be attached to but answers no call of management, as one that takes no serialised objects does: by a
 * command of {@code jcmd}, on a thread of its own.
 */
final class AttachedThreads implements SignalSource {
    private static final int BOTH_SIDES = 2;

    private static final String ACTIVE = "active = ";

    private final ThreadMoments moments;
    private Optional<CompletableFuture<ThreadsSeen>> underWay = Optional.empty();

    AttachedThreads(long pid) {
        var dumped = new DumpedThreads(
                arguments -> AttachSocket.jcmd(pid, "Thread.dump_to_file " + String.join(" ", arguments)),
                () -> DumpedThreads.atRest(() -> activeCarriers(pid), DumpedThreads.carriers(pid)),
                true);
        // how much CPU time it takes there is not known: to write the file about as much as to read it here
        this.moments = new ThreadMoments(
                () -> {
                    List<SeenThread> all = dumped.look();
                    return all.isEmpty() ? printed(pid) : all;
                },
                () -> printed(pid),
                () -> BOTH_SIDES * OwnCpu.nanos());
    }

    /** Platform threads, and the virtual ones that are on a carrier. */
    private static List<SeenThread> printed(long pid) {
        try {
            return DumpReader.seen(AttachSocket.jcmd(pid, "Thread.print"));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Carriers that run a virtual thread, of Java 24 and later; 0 where the JVM does not say. */
    private static int activeCarriers(long pid) {
        try {
            String text = AttachSocket.jcmd(pid, "Thread.vthread_scheduler");
            int at = text.indexOf(ACTIVE);
            int end = at < 0 ? -1 : text.indexOf(',', at);
            return end < 0 ? 0 : Integer.parseInt(text.substring(at + ACTIVE.length(), end));
        } catch (IOException | NumberFormatException e) {
            return 0; // an older one, which does not crash
        }
    }

    @Override
    public void sample(Sink sink) {
        underWay.filter(CompletableFuture::isDone).ifPresent(f -> {
            sink.threads(f.join(), 0);
            WaitTally.tell(sink, WaitTally.KINDS_OF_ALL, moments.running());
            underWay = Optional.empty();
        });
        if (underWay.isEmpty() && moments.isDue(System.nanoTime())) {
            var look = new CompletableFuture<ThreadsSeen>();
            underWay = Optional.of(look);
            Thread.ofPlatform().daemon().name("fettle-ask-jvm").start(() -> {
                moments.read(System.nanoTime());
                look.complete(moments.seen());
            });
        }
    }

    @Override
    public void measuringBegins() {
        moments.measuringBegins();
    }
}
