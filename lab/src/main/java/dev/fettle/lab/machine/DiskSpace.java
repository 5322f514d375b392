package dev.fettle.lab.machine;

import dev.fettle.model.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is free where a run is kept: a disk that fills up costs the run its trial, and others more.
 *
 * @param least bytes without which no trial begins; one that runs is stopped when a quarter of that is left. 0: it is not checked
 * @param usable the bytes that this user may still write on the disk of a folder
 */
public record DiskSpace(long least, ToLongFunction<Path> usable) {
    /** Sets {@code least}: {@code 100m}, {@code 0}. */
    public static final String VARIABLE = "FETTLE_LEAST_FREE";

    private static final long USUAL = 512L << 20;
    private static final int MEBI = 20;

    /** That of this machine; an unreadable {@link #VARIABLE} counts as none. */
    public static DiskSpace system() {
        return new DiskSpace(least(System.getenv(VARIABLE)), DiskSpace::of);
    }

    static long least(@Nullable String text) {
        try {
            return text == null ? USUAL : Math.max(0, Units.size(text.strip()));
        } catch (IllegalArgumentException e) {
            return USUAL;
        }
    }

    private static long of(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE; // a folder that is gone is told of elsewhere
        }
    }

    /**
     * Looks before a trial.
     *
     * @throws LabException if too little is free
     */
    public void check(Path folder) throws LabException {
        long free = usable.applyAsLong(folder);
        if (free < least) {
            throw new LabException(
                    "only %d MiB are free on the disk of %s, and a trial begins with %d MiB: free some, then go on with"
                                    .formatted(free >> MEBI, folder, least >> MEBI)
                            + " fettle resume; " + VARIABLE + "=100m is another bound");
        }
    }

    /** What to say of a disk on which so little is left that a trial has to end; empty while there is more. */
    public Optional<String> full(Path folder) {
        long free = usable.applyAsLong(folder);
        return free < least / 4
                ? Optional.of("only %d MiB are left on the disk of %s".formatted(free >> MEBI, folder))
                : Optional.empty();
    }
}
