package dev.fettle.watch.jfr;

import dev.fettle.model.trial.Profile;
import dev.fettle.watch.jvm.NoAnswerException;
import dev.fettle.watch.jvm.OwnRecordings;
import dev.fettle.watch.jvm.RunningJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.management.jfr.ConfigurationInfo;
import jdk.management.jfr.FlightRecorderMXBean;
import jdk.management.jfr.RecordingInfo;

/**
 * A recording by the flight recorder of another JVM, made through its MBean. Recordings of others are left alone.
 * Closing this removes it; the JVM goes on.
 */
public final class FlightRecording implements AutoCloseable {
    /** Most bytes that the JVM keeps on its disk; beyond that it drops the oldest part. */
    private static final long MOST_BYTES = 128L << 20;

    /** The first recording in a JVM loads a thousand classes there, and the JVM may be busy. */
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** Then it stops by itself, whatever happens to Fettle. */
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Says of another event with which settings it is recorded. */
    private static final String SETTING = "jdk.ActiveSetting";

    private static final String BLOCK_BYTES = "1000000";

    /** Of what is recorded: of the methods and the peers of a program, others need not know. */
    static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private final FlightRecorderMXBean recorder;
    private final RunningJvm jvm;
    private final Set<Profile.Kind> kinds;
    private final long id;

    /** The events that it asked for. */
    private final Set<String> events;

    private final List<String> others;
    private boolean open = true;
    private boolean endedItself;
    private boolean gone;

    private FlightRecording(
            RunningJvm jvm,
            FlightRecorderMXBean recorder,
            Set<Profile.Kind> kinds,
            long id,
            Set<String> events,
            List<String> others) {
        this.jvm = jvm;
        this.recorder = recorder;
        this.kinds = kinds;
        this.id = id;
        this.events = events;
        this.others = others;
    }

    /**
     * Starts one.
     *
     * @param kinds what to profile; may be empty
     * @param predefined name of the JVM's own settings to add Fettle's to, {@code profile}; empty for Fettle's alone
     * @throws IOException if the JVM has no flight recorder, or does not answer
     */
    public static FlightRecording start(RunningJvm jvm, Set<Profile.Kind> kinds, Optional<String> predefined)
            throws IOException {
        var givenUp = new AtomicBoolean();
        try {
            return asked(jvm, () -> begin(jvm, kinds, predefined, givenUp));
        } catch (NoAnswerException e) {
            givenUp.set(true);
            throw e;
        }
    }

    /** @param givenUp whether nobody waits for it any more: a call into a JVM that hangs goes on when the JVM does */
    private static FlightRecording begin(
            RunningJvm jvm, Set<Profile.Kind> kinds, Optional<String> predefined, AtomicBoolean givenUp)
            throws IOException {
        FlightRecorderMXBean recorder = jvm.recorder();
        List<String> others = recorder.getRecordings().stream()
                .filter(r -> r.getState().equals("RUNNING"))
                .map(r -> r.getName())
                .toList();
        var settings = new TreeMap<String, String>();
        if (predefined.isPresent()) {
            settings.putAll(predefined(recorder, predefined.get()));
        }
        settings.putAll(RecordingSettings.of(kinds, jvm.feature()));
        long id = recorder.newRecording();
        try {
            recorder.setRecordingOptions(
                    id,
                    Map.of(
                            "name",
                            OwnRecordings.name(),
                            "disk",
                            "true",
                            "maxSize",
                            Long.toString(MOST_BYTES),
                            "duration",
                            LONGEST.toSeconds() + " s",
                            "dumpOnExit",
                            "false"));
            recorder.setRecordingSettings(id, settings);
            recorder.startRecording(id);
            if (givenUp.get()) {
                throw new IllegalStateException("it began too late");
            }
        } catch (RuntimeException e) {
            recorder.closeRecording(id);
            throw e;
        }
        return new FlightRecording(jvm, recorder, Set.copyOf(kinds), id, RecordingSettings.recorded(settings), others);
    }

    private static RecordingInfo info(FlightRecorderMXBean recorder, long id) {
        return recorder.getRecordings().stream()
                .filter(r -> r.getId() == id)
                .findFirst()
                .orElseThrow();
    }

    /**
     * The JVM's own settings of that name. They are read from its file: of the map of settings that the bean has, too, a remote caller gets
     * one entry.
     */
    private static Map<String, String> predefined(FlightRecorderMXBean recorder, String name) {
        ConfigurationInfo found = recorder.getConfigurations().stream()
                .filter(c -> c.getName().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("the JVM has no settings '" + name + "' to record with"));
        try {
            return Configuration.create(new StringReader(found.getContents())).getSettings();
        } catch (IOException | ParseException e) {
            throw new IllegalArgumentException("the JVM's settings '" + name + "' can't be read: " + e.getMessage(), e);
        }
    }

    private static <T> T asked(RunningJvm jvm, Callable<T> call) throws IOException {
        return jvm.ask(BOUND, call);
    }

    /** The kinds that it profiles. */
    public Set<Profile.Kind> kinds() {
        return kinds;
    }

    /** Names of other recordings that ran when it began: they have its events, too, since a JVM records one set of events for all. */
    public List<String> others() {
        return others;
    }

    /**
     * Stops it and fetches what it recorded. Of the events that only recordings of others asked for, none is kept: with the usual settings they
     * hold the process's environment and properties.
     *
     * @param file overwritten
     * @throws IOException if the JVM does not answer, or the file can't be written
     */
    public void stopTo(Path file) throws IOException {
        Path all = file.resolveSibling(file.getFileName() + ".all");
        try {
            asked(jvm, () -> {
                endedItself = !info(recorder, id).getState().equals("RUNNING");
                if (!endedItself) {
                    recorder.stopRecording(id);
                }
                fetch(all);
                return all;
            });
            keepOwn(all, file);
        } finally {
            Files.deleteIfExists(all);
        }
        close();
    }

    private void fetch(Path to) throws IOException {
        long stream = recorder.openStream(id, Map.of("blockSize", BLOCK_BYTES));
        make(to);
        try (OutputStream out = Files.newOutputStream(to)) {
            long left = 2 * MOST_BYTES; // a JVM drops old parts only when it begins another
            for (byte[] block = recorder.readStream(stream); block != null; block = recorder.readStream(stream)) {
                left -= block.length;
                if (left < 0) {
                    throw new IOException("its recording does not end where it should");
                }
                out.write(block);
            }
        } finally {
            recorder.closeStream(stream);
        }
    }

    private static void make(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
    }

    private void keepOwn(Path all, Path own) throws IOException {
        make(own);
        try (var recorded = new RecordingFile(all)) {
            Map<Long, String> types = recorded.readEventTypes().stream()
                    .collect(Collectors.toMap(EventType::getId, EventType::getName, (a, _) -> a));
            recorded.write(own, e -> isOwn(e, types));
        } catch (RuntimeException e) {
            Files.deleteIfExists(own);
            throw new IOException("its recording can't be read", e);
        }
    }

    private boolean isOwn(RecordedEvent e, Map<Long, String> types) {
        String type = e.getEventType().getName();
        return type.equals(SETTING) ? events.contains(types.getOrDefault(e.getLong("id"), "")) : events.contains(type);
    }

    /** Whether it had stopped by itself when it was to be stopped, since it had run for its longest time. */
    public boolean endedItself() {
        return endedItself;
    }

    /** Whether it was closed and the JVM said so. */
    public boolean isGone() {
        return gone;
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        try {
            asked(jvm, () -> {
                recorder.closeRecording(id);
                return id;
            });
            gone = true;
        } catch (IOException e) {
            return; // the JVM has ended, and its recordings with it; in one that hangs, it ends by itself
        }
    }
}
