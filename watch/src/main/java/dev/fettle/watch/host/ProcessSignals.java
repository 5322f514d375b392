package dev.fettle.watch.host;

import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
        Map<String, Long> status = Fields.colon(proc.text(pid + "/status").orElse(""));
        if (status.isEmpty()) {
            return; // it is gone
        }
        put(sink, "memory.rss", status.get("VmRSS"), 1024);
        put(sink, "swap.used", status.get("VmSwap"), 1024);
        proc.text(pid + "/stat")
                .map(t -> t.substring(t.lastIndexOf(')') + 2).split(" "))
                .ifPresent(f -> sink.value("faults.major", Long.parseLong(f[9])));
        io(sink);
        files(sink);
    }

    private static void put(Sink sink, String id, @org.jspecify.annotations.Nullable Long value, long unit) {
        if (value == null) {
            sink.notObserved(id, "the kernel does not tell");
        } else {
            sink.value(id, (double) value * unit);
        }
    }

    private void io(Sink sink) {
        Optional<String> io = proc.text(pid + "/io");
        if (io.isEmpty()) {
            sink.notObserved("disk.read", "/proc/" + pid + "/io " + OTHERS);
            sink.notObserved("disk.write", "/proc/" + pid + "/io " + OTHERS);
            return;
        }
        Map<String, Long> of = Fields.colon(io.get());
        put(sink, "disk.read", of.get("read_bytes"), 1);
        put(sink, "disk.write", of.get("write_bytes"), 1);
    }

    private void files(Sink sink) {
        Path folder = proc.root().resolve(pid + "/fd");
        fileLimit.ifPresent(l -> sink.value("fds.limit", l));
        try {
            long counted = Files.size(folder); // kernel 6.2 and later count them
            if (counted == 0) {
                try (Stream<Path> all = Files.list(folder)) {
                    counted = all.count();
                }
            }
            sink.value("fds.open", counted);
        } catch (IOException e) {
            sink.notObserved("fds.open", "/proc/" + pid + "/fd " + OTHERS);
        }
    }
}
