package dev.fettle.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.WorkerProbe;
import dev.fettle.watch.signal.SignalSource;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostWatchTest {
    @TempDir
    Path root;

    private void file(String name, String text) throws IOException {
        Path f = root.resolve(name);
        Files.createDirectories(f.getParent());
        Files.writeString(f, text);
    }

    private void process(long pid, long userTicks) throws IOException {
        file(pid + "/stat", pid + " (x) S 1 1 1 0 -1 0 0 0 0 0 " + userTicks + " 0 0 0 20 0 5 0 1 0 0 0 0\n");
    }

    private static WorkerProbe.Sample sample(double busy, double gc) {
        return new WorkerProbe.Sample(
                OptionalFigure.of(busy), OptionalFigure.of(10), OptionalFigure.empty(), OptionalFigure.of(gc));
    }

    private HostWatch watch(Set<Integer> cpus, List<Long> own, WorkerProbe probe) {
        var proc = new Proc(root);
        return new HostWatch(
                proc,
                7,
                new DisturbanceMeter(proc, cpus, cpus, own),
                Optional::empty,
                probe,
                List.of(),
                new TimelineRecorder(HostWatch.STEP_MILLIS));
    }

    /** Once in a trial, and not in each stretch of a pair: what was seen in the stretches before is a part of it. */
    @Test
    void theSourcesLearnWhenMeasuringBegins() throws IOException {
        process(7, 1000);
        var begun = new AtomicInteger();
        var source = new SignalSource() {
            @Override
            public void sample(Sink sink) {
                sink.sightings(Sighting.LOCK, List.of(new Sighting(Sighting.LOCK, "a.Lock", begun.get())));
            }

            @Override
            public void measuringBegins() {
                begun.incrementAndGet();
            }
        };
        var proc = new Proc(root);
        var watch = new HostWatch(
                proc,
                7,
                new DisturbanceMeter(proc, Set.of(0), Set.of(0), List.of(7L)),
                Optional::empty,
                WorkerProbe.NONE,
                List.of(source),
                new TimelineRecorder(HostWatch.STEP_MILLIS));
        watch.begin();
        assertThat(begun).hasValue(0);
        watch.measure();
        watch.measure();
        watch.measuringBegins();
        assertThat(begun).hasValue(1);
        assertThat(watch.recorder().timeline().sightings())
                .extracting(Sighting::count)
                .containsExactly(1.0);
    }

    @Test
    void countersAreDifferencesGaugesAreMeansAndForeignCpuIsWhatNobodyOfOursUsed() throws IOException {
        var samples = new ArrayDeque<>(List.of(sample(2, 100), sample(8, 100), sample(5, 130)));
        WorkerProbe probe = new WorkerProbe() {
            @Override
            public Optional<Sample> sample() {
                return Optional.ofNullable(samples.poll());
            }

            @Override
            public void close() {}
        };
        process(7, 1000);
        process(8, 0);
        file("stat", "cpu0 1000 0 0 1000 0 0 0 0 0 0\n");
        file("7/net/netstat", "TcpExt: ListenOverflows\nTcpExt: 5\n");
        var watch = watch(Set.of(0), List.of(7L, 8L), probe);
        watch.begin();
        watch.sample();
        process(7, 1050);
        process(8, 10);
        file("stat", "cpu0 1080 0 0 1015 0 0 0 5 0 0\n");
        file("7/net/netstat", "TcpExt: ListenOverflows\nTcpExt: 9\n");
        Aggregates seen = watch.end();

        assertThat(seen.get(Aggregate.SERVER_CPU_SECONDS).orElseThrow()).isCloseTo(0.5, within(1e-9));
        assertThat(seen.get(Aggregate.STEAL).orElseThrow()).isCloseTo(0.05, within(1e-9));
        assertThat(seen.get(Aggregate.FOREIGN_CPU).orElseThrow()).isCloseTo(0.2, within(1e-9));
        assertThat(seen.get(Aggregate.LISTEN_OVERFLOWS).optional()).hasValue(4);
        assertThat(seen.get(Aggregate.BUSY_WORKERS).optional()).hasValue(5);
        assertThat(seen.get(Aggregate.BUSY_WORKERS_MAX).optional()).hasValue(8);
        assertThat(seen.get(Aggregate.GC_MILLIS).optional()).hasValue(30);
        assertThat(seen.get(Aggregate.QUEUED).optional()).isEmpty();
        assertThat(seen.get(Aggregate.SYN_RETRANSMITS).optional()).isEmpty();
    }

    /** The time in collections is asked for where a stretch begins and ends, as that is another question each time. */
    @Test
    void inBetweenOnlyTheWorkersAreLookedAt() throws IOException {
        var asked = new ArrayList<String>();
        WorkerProbe probe = new WorkerProbe() {
            @Override
            public Optional<Sample> sample() {
                asked.add("whole");
                return Optional.of(HostWatchTest.sample(1, 100 + 10 * asked.size()));
            }

            @Override
            public Optional<Sample> glance() {
                asked.add("glance");
                var none = OptionalFigure.empty();
                return Optional.of(new Sample(OptionalFigure.of(4), none, none, none));
            }

            @Override
            public void close() {}
        };
        var watch = watch(Set.of(), List.of(), probe);
        watch.begin();
        watch.sample();
        watch.sample();
        Aggregates seen = watch.end();
        assertThat(asked).containsExactly("whole", "glance", "glance", "whole");
        assertThat(seen.get(Aggregate.GC_MILLIS).optional()).hasValue(30);
        assertThat(seen.get(Aggregate.BUSY_WORKERS).optional()).hasValue(2.5);
    }

    @Test
    void aRestIsToldToTheSources() throws IOException {
        file("stat", "cpu0 1000 0 0 1000 0 0 0 0 0 0\n");
        process(7, 1000);
        var told = new ArrayList<String>();
        SignalSource source = new SignalSource() {
            @Override
            public void sample(Sink sink) {
                told.add("sample");
                sink.value("cpu.total", told.size());
            }

            @Override
            public void gap() {
                told.add("gap");
            }
        };
        var proc = new Proc(root);
        var watch = new HostWatch(
                proc,
                7,
                new DisturbanceMeter(proc, Set.of(0), Set.of(0), List.of(7L)),
                Optional::empty,
                WorkerProbe.NONE,
                List.of(source),
                new TimelineRecorder(HostWatch.STEP_MILLIS));
        watch.begin();
        watch.gap();
        watch.sample();
        assertThat(told).containsExactly("sample", "gap", "sample");
        assertThat(watch.recorder().timeline().find("cpu.total"))
                .as("its growth while it rested is not counted")
                .isEmpty();
    }

    /** Nothing is known of a process that was not looked for. */
    @Test
    void withoutAProcessNothingIsSaidOfItsSocket() throws IOException {
        file("stat", "cpu0 1000 0 0 1000 0 0 0 0 0 0\n");
        var proc = new Proc(root);
        var meter = new DisturbanceMeter(proc, Set.of(0), Set.of(0), List.of(7L));
        HostWatch host = HostWatch.ofHost(proc, meter);
        host.begin();
        host.sample();
        assertThat(host.recorder().timeline().notObserved().get("accept.queue"))
                .isEqualTo("the target's process is not known");
        HostWatch target = new HostWatch(
                proc,
                7,
                meter,
                Optional::empty,
                WorkerProbe.NONE,
                List.of(),
                new TimelineRecorder(HostWatch.STEP_MILLIS));
        target.begin();
        target.sample();
        assertThat(target.recorder().timeline().notObserved().get("accept.queue"))
                .contains("another network namespace");
    }

    @Test
    void whatWasSeenInTheWarmUpIsForgottenWhenTheMeasuringBegins() throws IOException {
        var samples = new ArrayDeque<>(List.of(sample(9, 100), sample(9, 400), sample(3, 500), sample(3, 510)));
        WorkerProbe probe = new WorkerProbe() {
            @Override
            public Optional<Sample> sample() {
                return Optional.ofNullable(samples.poll());
            }

            @Override
            public void close() {}
        };
        process(7, 1000);
        file("stat", "cpu0 1000 0 0 1000 0 0 0 0 0 0\n");
        var watch = watch(Set.of(0), List.of(7L), probe);
        watch.begin();
        watch.sample();
        process(7, 5000);
        file("stat", "cpu0 5000 0 0 1000 0 0 0 900 0 0\n");
        watch.begin();
        process(7, 5100);
        file("stat", "cpu0 5100 0 0 1000 0 0 0 900 0 0\n");
        Aggregates seen = watch.end();

        assertThat(seen.get(Aggregate.SERVER_CPU_SECONDS).orElseThrow()).isCloseTo(1, within(1e-9));
        assertThat(seen.get(Aggregate.SERVER_STEAL).optional()).hasValue(0);
        assertThat(seen.get(Aggregate.BUSY_WORKERS_MAX).optional()).hasValue(3);
        assertThat(seen.get(Aggregate.GC_MILLIS).optional()).hasValue(10);
    }

    private void thread(int id, String name, long millis) throws IOException {
        file("7/task/" + id + "/comm", name + "\n");
        file("7/task/" + id + "/schedstat", millis * 1_000_000 + " 0 5\n");
    }

    @Test
    void whatTheCompilersUsedIsKnownApart() throws IOException {
        thread(70, "C2 CompilerThre", 1000);
        thread(71, "http-nio-8080-e", 9000);
        var watch = watch(Set.of(), List.of(7L), WorkerProbe.NONE);
        watch.begin();
        thread(70, "C2 CompilerThre", 1500);
        thread(71, "http-nio-8080-e", 9900);
        thread(72, "C1 CompilerThre", 250);
        assertThat(watch.end().get(Aggregate.COMPILER_CPU_SECONDS).orElseThrow())
                .isCloseTo(0.75, within(1e-9));
    }

    /** A kernel without {@code schedstat} tells in ticks. */
    @Test
    void whatTheCompilersUsedIsKnownByTicks() throws IOException {
        String stat = "70 (C2 CompilerThre) S 1 1 1 0 -1 0 0 0 0 0 %d 10 0 0 0\n";
        file("7/task/70/stat", stat.formatted(100));
        var watch = watch(Set.of(), List.of(7L), WorkerProbe.NONE);
        watch.begin();
        file("7/task/70/stat", stat.formatted(150));
        assertThat(watch.end().get(Aggregate.COMPILER_CPU_SECONDS).orElseThrow())
                .isCloseTo(0.5, within(1e-9));
    }

    @Test
    void nothingIsGuessedOfAProcessThatIsGone() {
        var watch = watch(Set.of(), List.of(7L), WorkerProbe.NONE);
        watch.begin();
        Aggregates seen = watch.end();
        assertThat(seen.get(Aggregate.SERVER_CPU_SECONDS).optional()).isEmpty();
        assertThat(seen.get(Aggregate.STEAL).optional()).isEmpty();
        assertThat(seen.get(Aggregate.FOREIGN_CPU).optional()).isEmpty();
        assertThat(seen.get(Aggregate.BUSY_WORKERS).optional()).isEmpty();
    }
}
