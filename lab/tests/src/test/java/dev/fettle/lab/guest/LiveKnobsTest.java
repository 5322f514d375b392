package dev.fettle.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Guest;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is set comes back, in an order that a server accepts; the server here is a map that insists on min ≤ max. */
class LiveKnobsTest {
    private static final String MIN = "threads.min";
    private static final String MAX = "threads.max";

    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();

    /** As Tomcat does: a smallest size above the largest one is refused. */
    private static final class Pool implements LiveKnobs.Values {
        private final Map<String, String> values = new TreeMap<>();
        private String stuck = "";

        Pool(int min, int max) {
            values.put(MIN, Integer.toString(min));
            values.put(MAX, Integer.toString(max));
            values.put("connections.max", "8192");
        }

        @Override
        public Map<String, String> read() {
            return Map.copyOf(values);
        }

        @Override
        public void set(String knob, String value) throws IOException {
            if (knob.equals(stuck)) {
                throw new IOException(knob + " does not take " + value);
            }
            var next = new TreeMap<>(values);
            next.put(knob, value);
            if (Integer.parseInt(next.get(MIN)) > Integer.parseInt(next.get(MAX))) {
                throw new IOException("min above max: " + next);
            }
            values.putAll(next);
        }
    }

    private Debts debts() {
        return new Debts(folder, new Proc());
    }

    private static Guest guest() {
        var proc = new Proc();
        long own = ProcessHandle.current().pid();
        return new Guest(proc, own, proc.startTicks(own).orElseThrow());
    }

    /** What is written down; fails if it is not one debt. */
    private OriginalValues.Kept kept() throws LabException {
        assertThat(debts().all()).hasSize(1);
        return OriginalValues.Kept.of(debts().all().getFirst());
    }

    private LiveKnobs live(LiveKnobs.Values pool) {
        return new LiveKnobs(pool, new OriginalValues(debts(), guest()), guest(), 8080, told::add);
    }

    @Test
    void theOldValuesAreOnDiskWhileOthersAreSetAndBackAfterwards() throws Exception {
        var pool = new Pool(10, 200);
        try (var live = live(pool)) {
            List<String> also = live.set(Setting.of(Map.of(MAX, "4", "connections.max", "50")));
            assertThat(also).containsExactly("threads.min went down to 4 with threads.max");
            assertThat(pool.values)
                    .containsEntry(MAX, "4")
                    .containsEntry(MIN, "4")
                    .containsEntry("connections.max", "50");
            assertThat(kept())
                    .isEqualTo(new OriginalValues.Kept(
                            8080, new TreeMap<>(Map.of(MAX, "200", MIN, "10", "connections.max", "8192"))));
        }
        assertThat(pool.values).isEqualTo(new Pool(10, 200).values);
        assertThat(debts().all()).isEmpty();
        assertThat(told).isEmpty();
    }

    /** A folder may be shared by machines or containers: the same id is another process there, or none. */
    @Test
    void whatIsOwedToAProcessElsewhereIsLeftAlone() throws Exception {
        var noLonger = new Guest(new Proc(), ProcessHandle.current().pid(), 1);
        var kept = new OriginalValues.Kept(8080, new TreeMap<>(Map.of(MAX, "200")));
        var elsewhere = new OriginalValues(new Debts(folder, new Proc(), "abc"), noLonger);
        elsewhere.keep(kept);
        assertThat(ValueRestore.putBack(debts(), OptionalLong.empty()))
                .singleElement()
                .satisfies(p -> assertThat(p.state()).isEqualTo(PutBack.State.ELSEWHERE));
        assertThat(kept()).isEqualTo(kept);
        elsewhere.delete();

        new OriginalValues(debts(), noLonger).keep(kept);
        assertThat(ValueRestore.putBack(debts(), OptionalLong.empty()))
                .as("it has ended")
                .isEmpty();
        assertThat(debts().all()).isEmpty();
    }

    @Test
    void aValueThatIsRefusedFailsTheTrialAndThoseBeforeItComeBack() throws Exception {
        var pool = new Pool(10, 200);
        pool.stuck = MAX;
        try (var live = live(pool)) {
            assertThatExceptionOfType(TrialFailure.class)
                    .isThrownBy(() -> live.set(Setting.of(Map.of(MAX, "300", "connections.max", "50"))))
                    .withMessageContaining("threads.max does not take 300")
                    .satisfies(e -> assertThat(e.asFailure().kind()).isEqualTo(Kind.NOT_EFFECTIVE));
            pool.stuck = "";
        }
        assertThat(pool.values).isEqualTo(new Pool(10, 200).values);
    }

    @Test
    void whatCannotBePutBackIsToldAndStaysOnDisk() throws Exception {
        var pool = new Pool(10, 200);
        try (var live = live(pool)) {
            live.set(Setting.of(MAX, "300"));
            pool.stuck = MAX;
        }
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("NOT PUT BACK in process ")
                .contains("threads.max=300 instead of 200", folder.toString());
        assertThat(kept().values()).containsEntry(MAX, "200");
    }

    @Test
    void oneValueThatTheServerNeverAnswersToDoesNotKeepFettleFromEnding() throws Exception {
        var pool = new Pool(10, 200);
        var asked = new CountDownLatch(1);
        var answers = new CountDownLatch(1);
        LiveKnobs.Values hanging = new LiveKnobs.Values() {
            @Override
            public Map<String, String> read() {
                return pool.read();
            }

            @Override
            public void set(String knob, String value) throws IOException {
                asked.countDown();
                try {
                    answers.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                pool.set(knob, value);
            }
        };
        var live = live(hanging);
        var setting = CompletableFuture.runAsync(
                () -> assertThatExceptionOfType(TrialFailure.class)
                        .isThrownBy(() -> live.set(Setting.of(Map.of(MAX, "300", "connections.max", "50"))))
                        .withMessageContaining("Fettle is stopping"),
                r -> Thread.ofVirtual().start(r));
        asked.await();
        live.atExit(Duration.ofMillis(50));
        assertThat(told).singleElement().asString().startsWith("NOT PUT BACK in process ");
        answers.countDown();
        setting.join();
        live.close();
        assertThat(pool.values).isEqualTo(new Pool(10, 200).values);
    }

    @Test
    void nothingIsSetWhenTheOldValuesCannotBeWrittenDown() throws Exception {
        var pool = new Pool(10, 200);
        Path noFolder = Files.writeString(folder.resolve("file"), "");
        try (var live = new LiveKnobs(
                pool, new OriginalValues(new Debts(noFolder, new Proc()), guest()), guest(), 8080, told::add)) {
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> live.set(Setting.of(MAX, "300")))
                    .withMessageContaining("so nothing is changed");
        }
        assertThat(pool.values).isEqualTo(new Pool(10, 200).values);
    }

    /** A request that a killed Fettle had sent may be served after the values were put back, and seen to be. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void whatWasAskedForBeforeTheKillAndIsDoneLateIsPutBackToo(int look) throws Exception {
        var pool = new Pool(10, 200);
        var before = Map.copyOf(pool.values);
        pool.set(MAX, "50");
        var looks = new AtomicInteger();
        LiveKnobs.Values late = new LiveKnobs.Values() {
            @Override
            public Map<String, String> read() throws IOException {
                if (looks.incrementAndGet() == look) {
                    pool.set("connections.max", "7");
                }
                return pool.read();
            }

            @Override
            public void set(String knob, String value) throws IOException {
                pool.set(knob, value);
            }
        };
        assertThat(LiveKnobs.putBackForGood(late, before, Duration.ZERO)).isEmpty();
        assertThat(looks.get()).isGreaterThan(look);
        assertThat(pool.values).isEqualTo(before);
    }

    @Test
    void afterTheEndNothingIsSetAnyMore() throws Exception {
        var pool = new Pool(10, 200);
        var live = live(pool);
        live.close();
        assertThat(live.set(Setting.of(MAX, "300"))).isEmpty();
        assertThat(pool.values).containsEntry(MAX, "200");
    }

    @Property
    void noOrderOfSmallestAndLargestIsEverRefused(
            @ForAll @IntRange(min = 1, max = 20) int min,
            @ForAll @IntRange(max = 20) int more,
            @ForAll @IntRange(min = 1, max = 20) int newMin,
            @ForAll @IntRange(max = 20) int newMore)
            throws Exception {
        var pool = new Pool(min, min + more);
        Map<String, String> wanted = new Pool(newMin, newMin + newMore).values;
        for (var change : LiveKnobs.changes(pool.read(), wanted)) {
            pool.set(change.getKey(), change.getValue()); // throws if it is refused
        }
        assertThat(pool.values).isEqualTo(wanted);
    }

    @Property
    void aLargestSizeAloneTakesTheSmallestDownWithItAndComesBack(
            @ForAll @IntRange(min = 1, max = 20) int min,
            @ForAll @IntRange(max = 20) int more,
            @ForAll @IntRange(min = 1, max = 40) int max)
            throws Exception {
        var pool = new Pool(min, min + more);
        Map<String, String> before = pool.read();
        Map<String, String> wanted = LiveKnobs.withFollowers(before, Map.of(MAX, Integer.toString(max)));
        for (var change : LiveKnobs.changes(before, wanted)) {
            pool.set(change.getKey(), change.getValue());
        }
        assertThat(pool.values).containsEntry(MAX, Integer.toString(max));
        assertThat(LiveKnobs.putBack(pool, before)).isEmpty();
        assertThat(pool.values).isEqualTo(before);
    }
}
