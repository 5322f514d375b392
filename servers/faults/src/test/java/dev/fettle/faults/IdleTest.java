package dev.fettle.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.servers.app.Fault;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdleTest {
    private static final class Thing implements Closeable {
        private boolean closed;

        @Override
        public void close() {
            closed = true;
        }
    }

    private final List<Thing> made = new ArrayList<>();
    private final Idle<Thing> idle = new Idle<>(() -> {
        made.add(new Thing());
        return made.get(made.size() - 1);
    });

    /** Each on a thread of its own, one after the other. */
    private static void requests(int number, Request request) throws Exception {
        for (int i = 0; i < number; i++) {
            var failed = new ArrayList<Exception>();
            var thread = new Thread(() -> {
                try {
                    request.run();
                } catch (IOException e) {
                    failed.add(e);
                }
            });
            thread.start();
            thread.join();
            assertThat(failed).isEmpty();
        }
    }

    private interface Request {
        void run() throws IOException;
    }

    @Test
    void threadsThatComeAndGoShareOne() throws Exception {
        requests(20, () -> idle.lend(thing -> assertThat(thing.closed).isFalse()));
        assertThat(made).hasSize(1);
    }

    @Test
    void requestsUnderWayAtOnceHaveOneEach() throws Exception {
        idle.lend(one -> idle.lend(two -> assertThat(two).isNotSameAs(one)));
        idle.lend(one -> idle.lend(two -> assertThat(two).isNotSameAs(one)));
        assertThat(made).hasSize(2);
    }

    @Test
    void oneThatFailedIsClosedAndNotLentAgain() throws Exception {
        assertThatThrownBy(() -> idle.lend(thing -> {
                    throw new IOException("gone");
                }))
                .hasMessage("gone");
        idle.lend(thing -> assertThat(thing.closed).isFalse());
        assertThat(made).hasSize(2);
        assertThat(made.get(0).closed).isTrue();
    }

    @Test
    void oneJournalAmongTheTemporaryFilesForAllThreads() throws Exception {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        Set<Path> before = journals(temporary);
        Set<Path> here = journals(Path.of("."));
        Fault fault = Faults.of("fsync-per-request");
        requests(3, () -> fault.spoil(null));
        Set<Path> now = journals(temporary);
        now.removeAll(before);
        for (Path journal : now) {
            Files.delete(journal);
        }
        assertThat(now).hasSize(1);
        assertThat(journals(Path.of("."))).isEqualTo(here);
    }

    private static Set<Path> journals(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.getFileName().toString().matches("audit.*\\.log"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
