package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ServerPortTest {
    private static final long SECOND = 1_000_000_000L;

    private long now;
    private SortedSet<Integer> ports = new TreeSet<>();

    private ServerPort port(OptionalInt named) {
        return new ServerPort(() -> ports, all -> Optional.of(all.first()), named, () -> now);
    }

    /** The port for management is there first. */
    @Test
    void aPortThatIsOpenedLaterIsFoundThen() {
        ServerPort port = port(OptionalInt.empty());
        assertThat(port.now()).isEmpty();
        ports = new TreeSet<>(List.of(9010));
        assertThat(port.now()).as("not looked for each time").isEmpty();
        now += 5 * SECOND;
        assertThat(port.now()).hasValue(9010);
        ports = new TreeSet<>(List.of(8080, 9010));
        now += 5 * SECOND;
        assertThat(port.now()).hasValue(8080);
        ports = new TreeSet<>();
        now += 5 * SECOND;
        assertThat(port.now()).as("its files can't be read any more").hasValue(8080);
    }

    @Test
    void aPortThatWasNamedStays() {
        ServerPort port = port(OptionalInt.of(9010));
        ports = new TreeSet<>(List.of(8080, 9010));
        now += 60 * SECOND;
        assertThat(port.now()).hasValue(9010);
    }
}
