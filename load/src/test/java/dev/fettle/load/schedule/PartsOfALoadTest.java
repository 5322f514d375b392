package dev.fettle.load.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.Part;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.load.engine.LoadEngine;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** A load that several processes send together is the one that a single process would have sent. */
class PartsOfALoadTest {
    private static LoadSpec spec(Arrivals arrivals, int connections, int threads, OptionalLong requests, Part part) {
        var spec = LoadSpec.builder(new InetSocketAddress("127.0.0.1", 1), RequestTemplate.get("/"))
                .connections(connections)
                .threads(threads)
                .maxDuration(Duration.ofSeconds(20))
                .arrivals(arrivals)
                .part(part);
        requests.ifPresent(spec::maxRequests);
        return spec.build();
    }

    private static List<Long> due(LoadSpec spec) {
        var all = new ArrayList<Long>();
        for (int i = 0; i < spec.threads(); i++) {
            Schedule schedule = Schedules.of(spec, i);
            for (; schedule.due() != Schedule.NEVER; schedule.advance()) {
                all.add(schedule.due());
            }
        }
        return all.stream().sorted().toList();
    }

    @Property(tries = 60)
    void arrivalByArrival(
            @ForAll boolean poisson,
            @ForAll @IntRange(min = 1, max = 9) int parts,
            @ForAll @IntRange(min = 1, max = 3) int threads,
            @ForAll @IntRange(min = 1, max = 4) int burst,
            @ForAll @IntRange(min = 0, max = 200) int rate,
            @ForAll @LongRange(min = 0, max = 900) long requests,
            @ForAll long seed) {
        var stages = List.of(
                new Stage(rate, rate, Duration.ofSeconds(2), burst),
                new Stage(rate, 3.0 * rate, Duration.ofSeconds(1), 1),
                new Stage(20, 20, Duration.ofMillis(500), burst));
        var open = new Arrivals.Open(stages, poisson, seed);
        OptionalLong most = requests == 0 ? OptionalLong.empty() : OptionalLong.of(requests);
        LoadSpec whole = spec(open, 100, threads, most, Part.WHOLE);
        List<Long> together = IntStream.range(0, parts)
                .mapToObj(i -> due(spec(open, 100, threads, most, new Part(i, parts, false))))
                .flatMap(List::stream)
                .sorted()
                .toList();
        assertThat(together).isEqualTo(due(whole));
        long counted = LoadEngine.due(whole).applyAsLong(Duration.ofSeconds(20).toNanos());
        assertThat(counted).isEqualTo(together.size());
    }

    @Test
    void arrivalsAreDealtOutInTurn() {
        for (boolean poisson : new boolean[] {false, true}) {
            var open = new Arrivals.Open(List.of(new Stage(100, 100, Duration.ofSeconds(2), 1)), poisson, 5);
            List<Long> whole = due(spec(open, 10, 1, OptionalLong.empty(), Part.WHOLE));
            for (int i = 0; i < 3; i++) {
                List<Long> own = due(spec(open, 10, 1, OptionalLong.empty(), new Part(i, 3, false)));
                int first = i;
                assertThat(own)
                        .isEqualTo(IntStream.range(0, own.size())
                                .mapToObj(k -> whole.get(first + 3 * k))
                                .toList());
            }
        }
    }

    @Property(tries = 200)
    void connectionsAndRequestsWithoutRemainder(
            @ForAll @IntRange(min = 1, max = 20) int parts,
            @ForAll @IntRange(min = 20, max = 5000) int connections,
            @ForAll @LongRange(min = 1, max = 10_000) long requests) {
        long opened = 0;
        long sent = 0;
        for (int i = 0; i < parts; i++) {
            LoadSpec spec = spec(
                    Arrivals.Closed.BACK_TO_BACK, connections, 1, OptionalLong.of(requests), new Part(i, parts, false));
            opened += spec.ownConnections();
            sent += Schedules.requests(spec, 0);
        }
        assertThat(opened).isEqualTo(connections);
        assertThat(sent).isEqualTo(requests);
    }

    @Test
    void aPartWithoutAConnectionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> spec(Arrivals.Closed.BACK_TO_BACK, 2, 1, OptionalLong.empty(), new Part(0, 3, false)))
                .withMessageContaining("(2)")
                .withMessageContaining("(3)");
        assertThatIllegalArgumentException().isThrownBy(() -> new Part(3, 3, false));
    }

    @Property(tries = 50)
    void histogramsMergeToTheLastBit(@ForAll @IntRange(min = 1, max = 8) int parts, @ForAll long seed) {
        var random = new SplittableRandom(seed);
        Histogram whole = Window.growing();
        var each = new ArrayList<Window>();
        for (int i = 0; i < parts; i++) {
            Window window = Window.nothing(0, 1, 2, 0, 0);
            for (int n = random.nextInt(500); n > 0; n--) {
                long nanos = (long) Math.pow(10, 1 + 9 * random.nextDouble());
                window.latency().recordValue(nanos);
                whole.recordValue(nanos);
            }
            each.add(window.from("gen-" + i, 0, 2 * i));
        }
        Window merged = Window.ofThreads(each);
        assertThat(merged.latency()).isEqualTo(whole);
        assertThat(merged.threads()).hasSize(2 * parts);
        assertThat(merged.senders()).hasSize(parts);
        assertThat(Window.merge(List.of(merged, merged)).senders()).hasSize(parts);
    }
}
