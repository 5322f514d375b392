package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.GivenSecrets;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootFailureTest {
    @TempDir
    Path folder;

    private static final String STARS =
            "***************************\nAPPLICATION FAILED TO START\n***************************\n";

    @Test
    void theDescriptionOnOneLine() {
        assertThat(BootFailure.reason("2026 INFO Starting App\n\n" + STARS + """

                    Description:

                    Web server failed to start. Port 8080 was already in use.

                    Action:

                    Identify and stop the process that's listening on port 8080.

                    """))
                .contains("Web server failed to start. Port 8080 was already in use.");
        assertThat(BootFailure.reason(STARS.replace("\n", "\r\n") + """

                    Description:

                    Failed to bind properties under 'server.tomcat.threads.max' to int:

                        Property: server.tomcat.threads.max
                        Value: "many"
                        Origin: "server.tomcat.threads.max" from property source "commandLineArgs"
                        Reason: failed to convert java.lang.String to int

                    Action:

                    Update your application's configuration
                    """))
                .contains("Failed to bind properties under 'server.tomcat.threads.max' to int: Property:"
                        + " server.tomcat.threads.max Value: \"many\" Origin: \"server.tomcat.threads.max\" from property"
                        + " source \"commandLineArgs\" Reason: failed to convert java.lang.String to int");
    }

    @Test
    void aDescriptionThatIsCutOffIsTakenToItsEnd() {
        assertThat(BootFailure.reason(STARS + "\nDescription:\n\nNo bean of type 'Clock'"))
                .contains("No bean of type 'Clock'");
    }

    @Test
    void withoutAnAnalysisTheFirstCauseCounts() {
        assertThat(BootFailure.reason("""
                    2026 ERROR 1 --- [main] o.s.boot.SpringApplication : Application run failed

                    org.springframework.context.ApplicationContextException: Unable to start web server
                    \tat org.springframework.boot.Foo.bar(Foo.java:1)
                    Caused by: org.springframework.beans.factory.BeanCreationException: Error creating bean
                    \t... 8 common frames omitted
                    Caused by: java.lang.NoClassDefFoundError: org/eclipse/jetty/http2/server/Http2
                    \tat a.B.c(D.java:2)
                    """)).contains("NoClassDefFoundError: org/eclipse/jetty/http2/server/Http2");
    }

    @Test
    void anythingElseIsNotItsBusiness() {
        assertThat(BootFailure.reason("Error: Unable to access jarfile app.jar\n"))
                .isEmpty();
        assertThat(BootFailure.reason("")).isEmpty();
    }

    /** The app does not say that what it repeats is one. */
    @Test
    void secretsThatItWasGivenStayOut() throws Exception {
        Path log = Files.writeString(folder.resolve("log"), STARS + "\nDescription:\n\nno user geheim here\n");
        var failure = new TrialFailure(Kind.DID_NOT_START, "ended");
        assertThat(BootFailure.explained(failure, log, GivenSecrets.of(List.of("--db.password=geheim"), Map.of())))
                .hasMessage("the app did not start: no user *** here");
    }

    /** More than there is of memory; a file with a hole in it takes no place. */
    @Test
    void howMuchItSaidBeforeDoesNotMatter() throws Exception {
        Path log = folder.resolve("log");
        byte[] last = (STARS + "\nDescription:\n\nno port\n").getBytes(StandardCharsets.UTF_8);
        try (var file = new RandomAccessFile(log.toFile(), "rw")) {
            file.seek(3L << 30);
            file.write(last);
        }
        var failure = new TrialFailure(Kind.DID_NOT_START, "ended");
        assertThat(BootFailure.explained(failure, log, GivenSecrets.of(List.of(), Map.of())))
                .hasMessage("the app did not start: no port");
    }

    @Test
    void secretsStayOut() {
        assertThat(BootFailure.reason(STARS + """

                    Description:

                    Failed to bind properties under 'shop.api-token' to int:

                        Property: shop.api-token
                        Value: "geheim"
                        Reason: no number; jdbc:x://me:geheim@db/

                    Action: none
                    """).orElseThrow())
                .doesNotContain("geheim")
                .contains("Property: shop.api-token Value: ***");
    }
}
