package dev.fettle.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an assistant has called ends with its server, also if that is killed. */
class EndWithCallerTest {
    /** Would go on for an hour. */
    static final class Goes {
        public static void main(String... args) throws InterruptedException {
            EndWithCaller.watch();
            System.out.println("goes");
            TimeUnit.HOURS.sleep(1);
        }
    }

    private static Process going(long caller) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-D" + EndWithCaller.CALLER + "=" + caller,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Goes.class.getName())
                .start();
    }

    @Test
    void itEndsWhenItsCallerIsKilled() throws Exception {
        Process caller = new ProcessBuilder("sleep", "1000").start();
        Process goes = going(caller.pid());
        try {
            assertThat(goes.inputReader().readLine()).isEqualTo("goes");
            assertThat(goes.isAlive()).isTrue();
            caller.destroyForcibly();
            assertThat(goes.waitFor()).isEqualTo(EndWithCaller.TERMINATED);
        } finally {
            caller.destroyForcibly();
            goes.destroyForcibly();
        }
        Process late = going(caller.pid());
        try {
            assertThat(late.waitFor()).as("its caller was gone before").isEqualTo(EndWithCaller.TERMINATED);
        } finally {
            late.destroyForcibly();
        }
    }
}
