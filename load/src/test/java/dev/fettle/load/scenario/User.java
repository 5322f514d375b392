package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.Part;
import dev.fettle.load.Scenario;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.http1.Http1Head;
import dev.fettle.load.http1.ResponseParser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** One user of a scenario whose server is the test. */
public final class User {

    /** 2026-01-01T00:00:00Z. */
    static final long NOW = 1_767_225_600L;

    private final ScenarioScript script;
    private final ResponseParser parser = new ResponseParser(new Budget(1 << 20));
    private @Nullable ErrorKind kind;
    private String explained = "";

    public User(Scenario scenario) {
        this(CompiledScenario.of(scenario, "h:81", true, new Http1Head()), 0);
    }

    User(CompiledScenario scenario, int number) {
        this(scenario, number, Part.WHOLE);
    }

    User(CompiledScenario scenario, int number, Part part) {
        script = new ScenarioScript(
                scenario, number, part, new CookieJar("h", false, () -> NOW, new Budget(1 << 20)), new Budget(1 << 20));
    }

    /** The next request as text. */
    String request() {
        ByteBuffer bytes = script.request();
        parser.begin(script.isHead(), script.sink());
        return UTF_8.decode(bytes).toString();
    }

    /** The first line of the next request. */
    String line() {
        String all = request();
        return all.substring(0, all.indexOf('\r'));
    }

    /** The value of a header of the next request; empty if it has none. */
    String header(String name) {
        return request()
                .lines()
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse("");
    }

    /** The body of the next request. */
    String body() {
        String all = request();
        return all.substring(all.indexOf("\r\n\r\n") + 4);
    }

    /** Answers; {@code head} is the status and headers, each line but the last with its end. What {@code next} said. */
    long answer(String head, String body) {
        byte[] bytes = ("HTTP/1.1 " + head + "\r\nContent-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body)
                .getBytes(UTF_8);
        ByteBuffer in = ByteBuffer.allocateDirect(bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes)
                .flip();
        if (parser.feed(in) != ResponseParser.DONE) {
            throw new IllegalArgumentException("no complete answer: " + parser.progress());
        }
        kind = script.judge(parser);
        explained = kind == null ? "" : kind + ": " + script.explain(kind, parser);
        return script.next(kind == null);
    }

    /** Sends the next request and answers 200. */
    long ok(String body) {
        request();
        return answer("200 OK", body);
    }

    /** The next request fails without an answer. */
    long fail() {
        request();
        explained = "";
        return script.next(false);
    }

    int step() {
        return script.step();
    }

    /** What was wrong with the last answer; empty: nothing. */
    String explained() {
        return explained;
    }

    /** The script itself, for tests that count what it allocates. */
    public ScenarioScript script() {
        return script;
    }

    public ResponseParser parser() {
        return parser;
    }
}
