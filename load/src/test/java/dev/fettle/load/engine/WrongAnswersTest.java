package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.WrongAnswer;
import dev.fettle.load.api.ErrorKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The first few wrong answers are kept, whole where they are short. */
class WrongAnswersTest {
    private static Window load(ScriptedServer server, int requests, Expectation expect) throws InterruptedException {
        return run(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                .connections(2)
                .maxRequests(requests)
                .maxDuration(Duration.ofSeconds(60))
                .expect(expect));
    }

    private static String answer(String status, String body) {
        return "HTTP/1.1 " + status + "\r\nX-Reason: none\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    @Test
    void thoseOfDifferentLooksFromTheFirstOn() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.write(
                number % 2 == 0
                        ? ScriptedServer.OK
                        : answer(number % 4 == 1 ? "404 No" : "503 Busy", "no " + number % 4)))) {
            Window window = load(server, 40, Expectation.SUCCESS);
            assertThat(window.failed()).isEqualTo(20);
            assertThat(window.answers().getFirst().wrong())
                    .extracting(WrongAnswer::status, WrongAnswer::head, WrongAnswer::body, WrongAnswer::whole)
                    .containsExactlyInAnyOrder(
                            org.assertj.core.groups.Tuple.tuple(
                                    404, "X-Reason: none\nContent-Length: 4\n", "no 1", true),
                            org.assertj.core.groups.Tuple.tuple(
                                    503, "X-Reason: none\nContent-Length: 4\n", "no 3", true));
        }
    }

    @Test
    void ofALongOneTheBeginning() throws Exception {
        String page = "x".repeat(10_000);
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.write(answer("200 OK", page)))) {
            Window window = load(server, 10, Expectation.SUCCESS.withBodyContaining("hello"));
            assertThat(window.answers().getFirst().wrong()).singleElement().satisfies(w -> {
                assertThat(w.kind()).isEqualTo(ErrorKind.BODY);
                assertThat(w.body()).isEqualTo(page.substring(0, 4096));
                assertThat(w.bodyBytes()).isEqualTo(10_000);
                assertThat(w.whole()).isFalse();
            });
        }
    }

    /** When nothing is kept any more, the first wrong one has others of its client kept. */
    @Test
    void thoseThatComeLate() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                (number, peer) -> peer.write(number <= 1000 ? ScriptedServer.OK : answer("500 Oh", "late")))) {
            Window window = load(server, 1100, Expectation.SUCCESS);
            assertThat(window.failed()).isEqualTo(100);
            assertThat(window.answers().getFirst().wrong())
                    .extracting(WrongAnswer::body)
                    .containsExactly("late");
        }
    }

    @Test
    void noneOfRightOnes() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.write(ScriptedServer.OK))) {
            assertThat(load(server, 100, Expectation.SUCCESS)
                            .answers()
                            .getFirst()
                            .wrong())
                    .isEmpty();
        }
    }
}
