package dev.fettle.load.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Alarms ring in order, once, and not before their time. */
class AlarmsTest {

    @Property(tries = 300)
    void ringInOrder(
            @ForAll @Size(max = 200) List<@LongRange(max = 100) Long> times,
            @ForAll @LongRange(max = 100) long between) {
        Alarms alarms = new Alarms();
        List<Long> rung = new ArrayList<>();
        times.forEach(time -> alarms.set(time, now -> rung.add(time)));
        assertThat(alarms.next()).isEqualTo(times.stream().min(Long::compare).orElse(Alarms.NEVER));
        alarms.ring(between);
        List<Long> sorted = times.stream().sorted().toList();
        assertThat(rung)
                .isEqualTo(sorted.stream().filter(time -> time <= between).toList());
        alarms.ring(100);
        assertThat(rung).isEqualTo(sorted);
        assertThat(alarms.next()).isEqualTo(Alarms.NEVER);
    }

    @Test
    void whoSetsItAgainForNowIsCalledNextTime() {
        Alarms alarms = new Alarms();
        List<Long> rung = new ArrayList<>();
        alarms.set(1, new Alarms.Sleeper() {
            @Override
            public void ring(long now) {
                rung.add(now);
                alarms.set(1, this);
            }
        });
        alarms.ring(5);
        alarms.ring(6);
        assertThat(rung).containsExactly(5L, 6L);
    }
}
