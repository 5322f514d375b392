package dev.fettle.watch.jvm;

import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.watch.host.OwnCpu;
import dev.fettle.watch.signal.SignalSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Looks at the threads of a JVM that can be attached to but answers no call of management, as one that takes no serialised objects does: by a
 * command of {@code jcmd}, on a thread of its own.
 */
final class AttachedThreads implements SignalSource {
    private static final int BOTH_SIDES = 2;

    private final ThreadMoments moments;
    private Optional<CompletableFuture<ThreadsSeen>> underWay = Optional.empty();

    AttachedThreads(long pid) {
        var dumped = new DumpedThreads(
                arguments -> AttachSocket.jcmd(pid, "Thread.dump_to_file " + String.join(" ", arguments)), true);
        // how much CPU time it takes there is not known: to write the file about as much as to read it here
        this.moments = new ThreadMoments(dumped::look, () -> BOTH_SIDES * OwnCpu.nanos());
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
