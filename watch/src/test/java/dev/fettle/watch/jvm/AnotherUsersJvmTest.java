package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.watch.host.Proc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Root may attach to anybody's JVM, as far as the kernel and the JVM are concerned. */
class AnotherUsersJvmTest {
    @Test
    void rootDoesNotLookIntoAnotherUsersJvm() throws Exception {
        assumeTrue(new Proc().user("self").orElse(-1) == 0, "only root could");
        Path setpriv = Path.of("/usr/bin/setpriv");
        assumeTrue(Files.isExecutable(setpriv), "needs setpriv(1)");
        Path java = Path.of(System.getProperty("java.home"), "bin/java").toRealPath();
        Process jvm = new ProcessBuilder(
                        setpriv.toString(),
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups",
                        java.toString(),
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-Xlog:disable",
                        // a program that is always there, and waits for its input
                        "-m",
                        "jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider")
                .redirectErrorStream(true)
                .start();
        try {
            Proc proc = new Proc();
            while (jvm.isAlive() && !proc.text(jvm.pid() + "/maps").orElse("").contains("libjvm.so")) {
                Thread.onSpinWait();
            }
            assumeTrue(jvm.isAlive(), "it can't be started as that user here");
            long signals = attachFiles(jvm.pid());
            assertThatIOException()
                    .isThrownBy(() -> RunningJvm.attach(jvm.pid()))
                    .withMessage("process " + jvm.pid() + " belongs to another user: run Fettle as that user");
            assertThatIOException()
                    .isThrownBy(() -> RunningJvm.load(jvm.pid(), Path.of("/none.jar"), ""))
                    .withMessageContaining("belongs to another user");
            assertThatIOException()
                    .isThrownBy(() -> RunningJvm.loadNative(jvm.pid(), Path.of("/none.so"), ""))
                    .withMessageContaining("belongs to another user");
            assertThat(attachFiles(jvm.pid())).as("it was not asked to listen").isEqualTo(signals);
        } finally {
            jvm.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    /** What the attach API leaves where it asks a JVM to listen. */
    private static long attachFiles(long pid) {
        return Optional.of(Path.of("/tmp/.java_pid" + pid)).filter(Files::exists).stream()
                .count();
    }
}
