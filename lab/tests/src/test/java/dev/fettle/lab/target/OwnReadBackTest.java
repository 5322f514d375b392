package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.OwnKnob;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that say which value an own knob has. */
class OwnReadBackTest {
    @TempDir
    Path folder;

    private final RunningTarget running =
            new RunningTarget(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8123), Optional.empty(), 0);

    private void read(String... command) throws Exception {
        var knob = new OwnKnob(
                "own.x",
                Knob.Type.TEXT,
                Knob.Scale.LOG,
                0,
                0,
                List.of(),
                Optional.empty(),
                "",
                "",
                new OwnKnob.Variable("NOBODY"),
                Optional.of(new OwnKnob.Output(List.of(command))));
        new OwnReadBack(running).read(List.of(knob));
    }

    @Test
    void theOutputIsTheValue() throws Exception {
        read("sh", "-c", "echo a {port}; echo b >&2");
        assertThat(running.effective()).containsEntry("own.x", "a 8123\nb");
    }

    @Test
    void aCommandRunsWhereFettleDoes() throws Exception {
        read("pwd");
        assertThat(running.effective())
                .containsEntry("own.x", Path.of("").toAbsolutePath().toString());
    }

    /** A pipe holds 64 KiB. */
    @Test
    void oneThatPrintsMuchEnds() throws Exception {
        read("sh", "-c", "head -c 200000 /dev/zero | tr '\\0' ' '; echo 7");
        assertThat(running.notes()).isEmpty();
        assertThat(running.effective()).containsEntry("own.x", "7");
    }

    @Test
    void whatFailsSaysWhy() throws Exception {
        read("sh", "-c", "echo there is no such pool; exit 3");
        assertThat(running.effective()).isEmpty();
        assertThat(running.notes()).containsExactly("own.x not read back: sh ended with 3: there is no such pool");
    }

    @Test
    void nothingIsLeftOfOneThatHangs() throws Exception {
        Path started = folder.resolve("started");
        read("sh", "-c", "sleep 1000 & echo $! > " + started + "; wait");
        assertThat(running.notes()).containsExactly("own.x not read back: sh did not end within 5 s");
        long below = Long.parseLong(Files.readString(started).strip());
        ProcessHandle.of(below)
                .ifPresent(p -> p.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    }
}
