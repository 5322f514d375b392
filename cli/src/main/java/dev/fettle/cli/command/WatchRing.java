package dev.fettle.cli.command;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.run.MetricsOut;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.lab.journal.RecordingRing;
import dev.fettle.lab.journal.WatchRecording;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.LiveWatch;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.Units;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A watch that goes on as a service: pieces of a recording, of which the oldest are deleted. Each piece is watched anew, so that what it says of
 * locks and methods is of its own time.
 *
 * @param keep what ended longer ago is deleted
 * @param most bytes of all pieces
 */
record WatchRing(Path folder, Duration keep, long most) {
    private static final Duration USUAL = Duration.ofHours(24);
    private static final Duration SHORTEST = Duration.ofMinutes(10);
    private static final long USUAL_ROOM = 1L << 30;
    private static final long LEAST_ROOM = 10L << 20;

    /** How long to wait for a process that ended to come back. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** A watch that ended earlier than this before its time was interrupted. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    /** Starts to watch what is asked for. */
    interface Opener {
        LiveWatch open();
    }

    /** Starts to let others have the figures of a process, in words, as far as that is wanted. */
    interface Metrics {
        MetricsOut open(String about) throws LabException;
    }

    /**
     * What --record, --keep and --max ask for; empty for a recording in one file.
     *
     * @throws dev.fettle.cli.terminal.CliException if they do not fit together
     */
    static Optional<WatchRing> of(@Nullable Path record, @Nullable Duration keep, @Nullable String most) {
        if (keep == null && most == null) {
            if (record != null && Files.isDirectory(record)) {
                throw Parse.usage(
                        "--record " + record + " is a folder: --keep 24h or --max 1GB records into it for ever,"
                                + " and deletes what is older");
            }
            return Optional.empty();
        }
        if (record == null) {
            throw Parse.usage("--keep and --max are for --record DIR");
        }
        if (Files.exists(record) && !Files.isDirectory(record)) {
            throw Parse.usage("--record " + record + " is a file: --keep and --max need a folder");
        }
        Duration time = keep == null ? USUAL : keep;
        if (time.compareTo(SHORTEST) < 0) {
            throw Parse.usage("--keep " + Format.time(time) + " is too short: at least " + Format.time(SHORTEST));
        }
        return Optional.of(new WatchRing(record, time, most == null ? USUAL_ROOM : room(most)));
    }

    private static long room(String most) {
        try {
            long bytes = Units.size(most);
            if (bytes >= LEAST_ROOM) {
                return bytes;
            }
            throw Parse.usage("--max " + most + " is too little: at least " + Format.bytes(LEAST_ROOM));
        } catch (IllegalArgumentException e) {
            throw Parse.usage("--max " + most + " is no size: 1GB or 500MB would be right");
        }
    }

    /**
     * Records until the time is over, the user ends it, or the process has ended.
     *
     * @param allowed whether a process may be asked for a dump: once for the names of its threads, however many pieces there are
     * @param again whether to wait for another process after this one has ended, as where the port is named and not the process
     */
    int record(Screen screen, Opener opener, DumpAllowance allowed, boolean again, Duration time, Metrics serving)
            throws LabException {
        RecordingRing ring = RecordingRing.open(folder, keep, most);
        Instant end = Instant.now().plus(time);
        LiveWatch first = opener.open();
        String about = first.about();
        if (first.isMine()) {
            screen.say(allowed.words(about, false));
        }
        screen.say("Recording " + about + " into " + folder + ": pieces of " + Format.time(ring.piece()) + ", kept for "
                + Format.time(keep) + " or up to " + Format.bytes(most));
        try (MetricsOut metrics = serving.open(about)) {
            Optional<LiveWatch> next = Optional.of(first);
            while (Instant.now().isBefore(end)) {
                Instant from = Instant.now();
                Duration left = Duration.between(from, end);
                Duration piece = left.compareTo(ring.piece()) < 0 ? left : ring.piece();
                boolean ended = true;
                boolean[] full = {false};
                next = next.isPresent() ? next : tried(opener);
                if (next.isPresent()) {
                    try (LiveWatch watch = next.get();
                            WatchRecording recording = ring.begin(watch.about(), from)) {
                        ended = watch.run(piece, point -> {
                            recording.add(point);
                            metrics.add(point);
                            full[0] = ring.isFull();
                            return !full[0];
                        });
                    }
                    next = Optional.empty();
                }
                if (ended && !again) {
                    throw new CliException(ExitCodes.FAILED, about + " has ended");
                }
                if (ended) {
                    screen.say("The process has ended; waiting for the next one");
                    next = another(opener, end);
                    if (next.isEmpty()) {
                        return ExitCodes.OK;
                    }
                } else if (!full[0] && Duration.between(from, Instant.now()).compareTo(piece.minus(SLACK)) < 0) {
                    return ExitCodes.OK; // the user ended it
                }
            }
        }
        return ExitCodes.OK;
    }

    /** Empty if there is no such process. */
    private static Optional<LiveWatch> tried(Opener opener) {
        try {
            return Optional.of(opener.open());
        } catch (CliException e) {
            return Optional.empty();
        }
    }

    /** The next process; empty if the user ended it, or the time is over. */
    private static Optional<LiveWatch> another(Opener opener, Instant end) {
        while (Instant.now().isBefore(end)) {
            try {
                Thread.sleep(AGAIN);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
            Optional<LiveWatch> next = tried(opener);
            if (next.isPresent()) {
                return next;
            }
        }
        return Optional.empty();
    }
}
