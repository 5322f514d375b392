package dev.fettle.watch.host;

import dev.fettle.watch.signal.LookRate;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Memory, files, device I/O, faults and switches of one process. */
final class ProcessSignals implements SignalSource {
    private static final String OTHERS = "may only be read of a process of the same user";

    /** Of switches: each thread's are in a file of its own. */
    private static final double LONGEST_PAUSE_SECONDS = 30;

    private final Proc proc;
    private final long pid;
    private final LongSupplier clock;
    private final LookRate switches = new LookRate("reading the switches of each thread", LONGEST_PAUSE_SECONDS);
    private final OptionalLong fileLimit;
    private Map<Long, long[]> switchesOf = new HashMap<>();
    private final long[] switched = new long[2];

    ProcessSignals(Proc proc, long pid, LongSupplier clock) {
        this.proc = proc;
        this.pid = pid;
        this.clock = clock;
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
        switches(sink);
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

    private void switches(Sink sink) {
        long begin = clock.getAsLong();
        if (!switches.due(begin)) {
            return;
        }
        long cpu = OwnCpu.nanos();
        boolean first = switchesOf.isEmpty();
        var now = new HashMap<Long, long[]>();
        try (var folders = Files.newDirectoryStream(proc.root().resolve(pid + "/task"))) {
            for (Path folder : folders) {
                String id = folder.getFileName().toString();
                String text = proc.text(pid + "/task/" + id + "/status").orElse("");
                long[] of = {after(text, "\nvoluntary_ctxt_switches:"), after(text, "\nnonvoluntary_ctxt_switches:")};
                if (of[0] < 0 || of[1] < 0) {
                    continue;
                }
                long[] before = switchesOf.getOrDefault(Long.valueOf(id), first ? of : new long[2]);
                for (int i = 0; i < 2; i++) {
                    switched[i] += Math.max(0, of[i] - before[i]);
                }
                now.put(Long.valueOf(id), of);
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            return; // it is gone
        }
        switchesOf = now;
        sink.value("ctxt.voluntary", switched[0]);
        sink.value("ctxt.involuntary", switched[1]);
        switches.lookedFromOutside(begin, clock.getAsLong(), OwnCpu.nanos() - cpu);
    }

    private static long after(String text, String key) {
        int at = text.indexOf(key);
        if (at < 0) {
            return -1;
        }
        int end = text.indexOf('\n', at + key.length());
        return Long.parseLong(
                text.substring(at + key.length(), end < 0 ? text.length() : end).trim());
    }
}
