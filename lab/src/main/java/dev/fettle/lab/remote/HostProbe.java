package dev.fettle.lab.remote;

import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Looks at another machine over ssh. It copies nothing there, and changes nothing. */
public final class HostProbe {
    private static final int ROUND_TRIPS = 20;
    private static final int BANDWIDTH_BYTES = 16 << 20;
    private static final int MOST_PRINTED = 16 << 20;
    private static final int LONGEST_ANSWER = 64;
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private final Ssh ssh;
    private final Clock clock;
    private final Path home;

    /** @param home Fettle's folder, where the script that finds a JDK is */
    public HostProbe(Ssh ssh, Clock clock, Path home) {
        this.ssh = ssh;
        this.clock = clock;
        this.home = home;
    }

    /**
     * What it is like.
     *
     * @throws LabException if it can't be reached or does not answer
     */
    public HostFacts facts() throws LabException, InterruptedException {
        String script;
        try {
            script = Files.readString(home.resolve("dist/jdk.sh")) + "\n" + HostPack.resource("probe.sh");
        } catch (IOException e) {
            throw new LabException("Fettle's own files can't be read: " + e.getMessage(), e);
        }
        String printed = ask("exec sh", script);
        try {
            return HostFacts.read(printed);
        } catch (IllegalArgumentException e) {
            throw new LabException(ssh.to() + ": " + e.getMessage(), e);
        }
    }

    private String ask(String command, String input) throws LabException, InterruptedException {
        Process process = ssh.start(command, List.of());
        try {
            var said = Ssh.said(process.getErrorStream(), MOST_PRINTED);
            var printed = Ssh.said(process.getInputStream(), MOST_PRINTED);
            try (OutputStream to = process.getOutputStream()) {
                to.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // it has ended, and says why
            }
            if (!process.waitFor(AT_MOST.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new LabException(ssh.to() + " has not answered within " + AT_MOST.toSeconds() + " s");
            }
            if (process.exitValue() == Ssh.UNREACHED) {
                throw ssh.unreached(said.join());
            }
            String all = printed.join();
            if (all.isBlank()) {
                String why = Ssh.last(said.join(), "");
                throw new LabException(ssh.to() + " did not answer" + (why.isEmpty() ? "" : ": " + why));
            }
            return all;
        } finally {
            process.destroy();
        }
    }

    /** What is said to and fro over one connection. */
    private interface Talk<T> {
        T with(OutputStream ask, InputStream answers) throws IOException;
    }

    /** Talks with a script, for at most {@link #AT_MOST}; when it stops answering, that is the end of its answers. */
    private <T> T talk(String script, Talk<T> talk) throws LabException, IOException {
        Process process = ssh.start(script, List.of());
        Ssh.said(process.getErrorStream(), 0);
        var bound = CompletableFuture.runAsync(
                process::destroy, CompletableFuture.delayedExecutor(AT_MOST.toSeconds(), TimeUnit.SECONDS));
        try (OutputStream ask = process.getOutputStream();
                InputStream answers = process.getInputStream()) {
            return talk.with(ask, answers);
        } finally {
            bound.cancel(false);
            process.destroy();
        }
    }

    /**
     * How its clock differs from this one's, from the shortest of twenty round trips; empty if it tells no time in nanoseconds.
     *
     * @throws LabException if it can't be reached
     */
    public Optional<HostFacts.ClockOffset> clock() throws LabException {
        var trips = new ArrayList<HostFacts.ClockOffset>();
        try {
            talk(
                    "while read -r x; do date +%s%N; done",
                    (ask, answers) -> {
                        for (int i = 0; i < ROUND_TRIPS; i++) {
                            trips.add(trip(ask, answers));
                        }
                        return trips;
                    });
        } catch (IOException | NumberFormatException e) {
            // those that were made count
        }
        return trips.stream().min(Comparator.comparing(HostFacts.ClockOffset::roundTrip));
    }

    private HostFacts.ClockOffset trip(OutputStream ask, InputStream answers) throws IOException {
        var before = clock.instant();
        long begin = clock.nanos();
        ask.write('\n');
        ask.flush();
        long there = Long.parseLong(line(answers));
        Duration trip = clock.since(begin);
        if (there <= 0) {
            throw new NumberFormatException("no time: " + there);
        }
        Duration half = trip.dividedBy(2);
        Duration here =
                Duration.ofSeconds(before.getEpochSecond(), before.getNano()).plus(half);
        return new HostFacts.ClockOffset(Duration.ofNanos(there).minus(here), half, trip);
    }

    /** A short line: one that answers may never end it. */
    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n' && line.length() < LONGEST_ANSWER; b = in.read()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    /**
     * Bytes a second from there to here, through ssh: its cipher may be what limits it.
     *
     * @throws LabException if it can't be reached
     */
    public OptionalDouble bandwidth() throws LabException {
        try {
            return talk("head -c " + BANDWIDTH_BYTES + " /dev/urandom", (ask, in) -> {
                ask.close();
                byte[] buffer = new byte[1 << 16];
                long got = in.read(buffer); // until then it connects
                long begin = clock.nanos();
                long first = got;
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    got += n;
                }
                double seconds = clock.since(begin).toNanos() / 1e9;
                return got == BANDWIDTH_BYTES && seconds > 0
                        ? OptionalDouble.of((got - first) / seconds)
                        : OptionalDouble.empty();
            });
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }
}
