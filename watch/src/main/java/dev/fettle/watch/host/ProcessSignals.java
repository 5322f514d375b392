package dev.fettle.watch.host;

import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Memory, files, device I/O and faults of one process. */
final class ProcessSignals implements SignalSource {
    private static final String OTHERS = "may only be read of a process of the same user";

    private final Proc proc;
    private final long pid;
    private final OptionalLong fileLimit;

    ProcessSignals(Proc proc, long pid) {
        this.proc = proc;
        this.pid = pid;
        this.fileLimit = proc.softLimit(Long.toString(pid), "Max open files");
    }

    @Override
    public void sample(Sink sink) {
        String status = proc.text(pid + "/status").orElse("");
        if (status.isEmpty()) {
            return; // it is gone
        }
        put(sink, Signals.MEMORY_RSS, Fields.after(status, "\nVmRSS:"), 1024);
        put(sink, Signals.SWAP_USED, Fields.after(status, "\nVmSwap:"), 1024);
        proc.text(pid + "/stat").ifPresent(t -> {
            sink.value(Signals.FAULTS_MAJOR, Proc.field(t, 9));
            sink.value(Signals.THREADS_TOTAL, Proc.field(t, 17));
        });
        io(sink);
        files(sink);
    }

    private static void put(Sink sink, String id, OptionalLong value, long unit) {
        if (value.isEmpty()) {
            sink.notObserved(id, "the kernel does not report it");
        } else {
            sink.value(id, (double) value.getAsLong() * unit);
        }
    }

    private void io(Sink sink) {
        Optional<String> io = proc.text(pid + "/io");
        if (io.isEmpty()) {
            sink.notObserved(Signals.DISK_READ, "/proc/" + pid + "/io " + OTHERS);
            sink.notObserved(Signals.DISK_WRITE, "/proc/" + pid + "/io " + OTHERS);
            return;
        }
        put(sink, Signals.DISK_READ, Fields.after(io.get(), "\nread_bytes:"), 1);
        put(sink, Signals.DISK_WRITE, Fields.after(io.get(), "\nwrite_bytes:"), 1);
    }

    private void files(Sink sink) {
        Path folder = proc.root().resolve(pid + "/fd");
        fileLimit.ifPresent(l -> sink.value(Signals.FDS_LIMIT, l));
        try {
            long counted = Files.size(folder); // kernel 6.2 and later count them
            if (counted == 0) {
                try (Stream<Path> all = Files.list(folder)) {
                    counted = all.count();
                }
            }
            sink.value(Signals.FDS_OPEN, counted);
        } catch (IOException e) {
            sink.notObserved(Signals.FDS_OPEN, "/proc/" + pid + "/fd " + OTHERS);
        }
    }
}
