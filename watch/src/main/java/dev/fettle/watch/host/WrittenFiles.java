package dev.fettle.watch.host;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The files that a process has open for writing: by how much they grow, and how full their file systems are. Opens none of them. */
final class WrittenFiles implements SignalSource {
    /** Most open files looked at; of a process with more the rest is left out. */
    private static final int MOST_FILES = 20_000;

    /** Most of those that are written. */
    private static final int MOST_WRITTEN = 200;

    private static final int MOST_TOLD = 8;
    private static final String OTHERS = "its open files may only be read of a process of the same user";

    private final Proc proc;
    private final long pid;

    /** Sizes at the last look, by path. */
    private Map<String, Long> sizes = Map.of();

    private final Map<String, Double> grew = new HashMap<>();
    private boolean looked;
    private double grown;

    WrittenFiles(Proc proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    @Override
    public void sample(Sink sink) {
        var now = new HashMap<String, Long>();
        var places = new HashMap<String, File>();
        int seen = 0;
        try (var files = Files.newDirectoryStream(proc.root().resolve(pid + "/fd"))) {
            for (Path file : files) {
                if (++seen > MOST_FILES || now.size() >= MOST_WRITTEN) {
                    break;
                }
                String target = ListenOwner.target(file);
                if (isOrdinary(target) && isWritten(file.getFileName().toString())) {
                    now.put(target, file.toFile().length());
                    places.put(target, file.toFile());
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            sink.notObserved(Signals.FILES_GROWN, OTHERS);
            sink.notObserved(Signals.DISK_FREE, OTHERS);
            return;
        }
        growth(now);
        sink.value(Signals.FILES_GROWN, grown);
        grew.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(MOST_TOLD)
                .forEach(e -> sink.sighting(new Sighting(Sighting.FILE_GREW, e.getKey(), e.getValue())));
        places.put("its working directory", proc.root().resolve(pid + "/cwd").toFile());
        space(sink, places);
    }

    @Override
    public void measuringBegins() {
        grew.clear();
    }

    /** A file, and nothing of the kernel's or in memory, nor what it writes for Fettle. */
    static boolean isOrdinary(String target) {
        return target.startsWith("/")
                && !target.startsWith("/dev/")
                && !target.startsWith("/proc/")
                && !target.startsWith("/sys/")
                && !target.startsWith("/memfd:")
                && !target.contains("/fettle-threads")
                && !target.endsWith(" (deleted)");
    }

    /** Whether its flags, an octal number, have O_WRONLY or O_RDWR. */
    private boolean isWritten(String descriptor) {
        String info = proc.text(pid + "/fdinfo/" + descriptor).orElse("");
        int at = info.indexOf("flags:");
        if (at < 0) {
            return false;
        }
        String flags = info.substring(at + 6, Fields.end(info, at + 6)).strip();
        return !flags.isEmpty() && (flags.charAt(flags.length() - 1) & 3) != 0;
    }

    /** A file that was opened since the last look has grown by all that is in it; one that got smaller was begun anew. */
    private void growth(Map<String, Long> now) {
        now.forEach((path, size) -> {
            long before = sizes.getOrDefault(path, looked ? 0 : size);
            double more = size >= before ? size - before : size;
            grown += more;
            if (more > 0) {
                grew.merge(path, more, Double::sum);
            }
        });
        sizes = now;
        looked = true;
    }

    /** Of the fullest. */
    private static void space(Sink sink, Map<String, File> places) {
        long free = -1;
        long size = -1;
        String where = "";
        for (var e : places.entrySet()) {
            long all = e.getValue().getTotalSpace();
            long left = e.getValue().getUsableSpace();
            if (all > 0 && (size < 0 || (double) left / all < (double) free / size)) {
                free = left;
                size = all;
                where = e.getKey();
            }
        }
        if (size > 0) {
            sink.value(Signals.DISK_FREE, free);
            sink.value(Signals.DISK_SIZE, size);
            String folder = Objects.requireNonNullElse(new File(where).getParent(), where);
            sink.sighting(new Sighting(Sighting.DISK_FULL, folder, 1 - (double) free / size));
        } else {
            sink.notObserved(Signals.DISK_FREE, OTHERS);
        }
    }
}
