package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On copies of {@code /proc}, with process 7. */
class AttachCheckTest {
    private static final String MAPS = "7f0-7f1 r-xp 0 fe:00 1 /usr/lib/jvm/lib/server/libjvm.so\n";

    @TempDir
    Path proc;

    private AttachCheck check;

    /** A JVM that nobody has attached to. */
    @BeforeEach
    void aJvm() throws IOException {
        check = new AttachCheck(proc);
        file("7/maps", MAPS);
        file("7/cmdline", "java\0-Xmx1g\0-jar\0app.jar\0");
        file("7/environ", "HOME=/root\0");
        file("7/stat", "7 (java) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 5 0 4711 1000 10 0 0\n");
        file("7/status", "Name:\tjava\nState:\tS (sleeping)\nTgid:\t7\nNSpid:\t7\nSigCgt:\t0000000181005ccf\n");
    }

    private void file(String name, String text) throws IOException {
        Path f = proc.resolve(name);
        Files.createDirectories(f.getParent());
        Files.writeString(f, text);
    }

    private void may() {
        assertThatCode(() -> check.check(7)).doesNotThrowAnyException();
    }

    private void mayNot(String why) {
        assertThatIOException().isThrownBy(() -> check.check(7)).withMessageContaining(why);
    }

    @Test
    void aJvmMayBeAttachedTo() {
        may();
    }

    /** Ids are real, effective, saved and of files: root is held to it, too. */
    @ParameterizedTest
    @CsvSource({
        "0 0 0 0, 0 0 0 0, true",
        "0 0 0 0, 1000 1000 1000 1000, false",
        "1000 1000 1000 1000, 1000 1000 1000 1000, true",
        "1000 1000 1000 1000, 1001 1001 1001 1001, false",
        "1000 1000 1000 1000, 0 0 0 0, false",
        "1000 1000 1000 1000, 1001 1000 1000 1000, false",
        "0 0 0 0, 1001 0 0 0, false",
        "1001 0 0 0, 0 0 0 0, true",
        "0 0 0 0, 0 0 1001 0, false"
    })
    void onlyAProcessOfThisUserIsLookedInto(String mine, String its, boolean may) throws IOException {
        file("self/status", "Name:\tjava\nUid:\t" + mine.replace(' ', '\t') + "\n");
        file("7/status", Files.readString(proc.resolve("7/status")) + "Uid:\t" + its.replace(' ', '\t') + "\n");
        if (may) {
            may();
        } else {
            mayNot("process 7 belongs to another user: run Fettle as that user");
        }
    }

    /** Ids of processes are given again. */
    @Test
    void anotherProcessWithThatIdIsNotTheOneThatWasLookedAt() throws IOException {
        OptionalLong started = check.started(7);
        assertThatCode(() -> check.checkSame(7, started)).doesNotThrowAnyException();
        file("7/stat", "7 (java) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 5 0 4712 1000 10 0 0\n");
        assertThatIOException()
                .isThrownBy(() -> check.checkSame(7, started))
                .withMessageContaining("another has its id");
    }

    /** Each gets SIGQUIT from the attach API, if it is let. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            status | Tgid:\t3 | 7 is a thread of process 3
            status | State:\tT (stopped) | it can answer when it goes on
            status | State:\tt (tracing stop) | it can answer when it goes on
            status | SigCgt:\t0000000181005ccb | just starting, or was started with -Xrs
            maps   | '' | is no JVM
            maps   | 7f0-7f1 r-xp 0 fe:00 1 /usr/bin/cat | is no JVM
            """)
    void whatMustNotGetTheSignalDoesNot(String file, String text, String why) throws IOException {
        file("7/" + file, text + "\n");
        mayNot(why);
    }

    /** The switch may be in places that the command line does not show; of several, the last counts. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            environ | JAVA_TOOL_OPTIONS=-Xss1m -XX:+DisableAttachMechanism | true
            environ | JDK_JAVA_OPTIONS='-XX:+DisableAttachMechanism' | true
            environ | _JAVA_OPTIONS=-XX:+DisableAttachMechanism | true
            environ | JAVA_TOOL_OPTIONS=@some.opts | true
            environ | OTHER=-XX:+DisableAttachMechanism | false
            cmdline | java -XX:+DisableAttachMechanism -jar app.jar | true
            cmdline | java -XX:-DisableAttachMechanism -jar app.jar | false
            cmdline | java -XX:+DisableAttachMechanism -XX:-DisableAttachMechanism Main | false
            cmdline | java @some.opts Main | true
            cmdline | java @/etc/all.opts Main | true
            cmdline | java -XX:VMOptionsFile=some.opts Main | true
            cmdline | java -XX:Flags=.hotspotrc Main | true
            cmdline | java @comment.opts Main | false
            cmdline | java @gone.opts Main | false
            cmdline | java @@some.opts Main | false
            """)
    void attachingSwitchedOff(String file, String text, boolean off) throws IOException {
        file("7/cwd/some.opts", "# for production\n-Xmx1g -XX:+DisableAttachMechanism\n");
        file("7/cwd/comment.opts", "# -XX:+DisableAttachMechanism\n-Xmx1g\n");
        file("7/cwd/.hotspotrc", "+DisableAttachMechanism\n");
        file("7/root/etc/all.opts", "-XX:+DisableAttachMechanism\n");
        file("7/" + file, file.equals("cmdline") ? text.replace(' ', '\0') + '\0' : text + '\0');
        if (off) {
            mayNot("-XX:+DisableAttachMechanism");
        } else {
            may();
        }
    }

    @Test
    void aJvmThatDidNotBeginToListenIsNotAskedAgain() throws IOException {
        check.gotNoAnswer(7);
        mayNot("is not asked again");
        // it needs no signal any more
        file("7/root/tmp/.java_pid7", "");
        may();
        Files.delete(proc.resolve("7/root/tmp/.java_pid7"));
        mayNot("is not asked again");
        // another process with this id
        file("7/stat", "7 (java) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 5 0 9999 1000 10 0 0\n");
        may();
    }

    /** One that listens needs no signal: a stopped one is waited for, in a container by its id there. */
    @Test
    void oneThatListensGetsNoSignal() throws IOException {
        file("7/status", "Name:\tjava\nState:\tT (stopped)\nTgid:\t7\nNSpid:\t7\t1\nSigCgt:\t0000000181005ccf\n");
        mayNot("goes on");
        file("7/root/tmp/.java_pid1", "");
        may();
    }
}
