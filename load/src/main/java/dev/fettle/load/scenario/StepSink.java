package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.Scenario;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.BytePattern;
import dev.fettle.load.bytes.ByteText;
import dev.fettle.load.bytes.Scan;
import dev.fettle.load.script.ResponseSink;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one user keeps of an answer: cookies, and the headers and body that its step's conditions and extractions need.
 */
final class StepSink implements ResponseSink {

    private static final int FIRST_BODY = 1024;
    /** After larger bodies, the memory is released; after smaller ones only if it is short. */
    private static final int KEPT = 64 * 1024;

    private static final String SET_COOKIE = "set-cookie";

    private final CookieJar jar;
    private final Budget budget;
    /** Path and query of the request. */
    private final ByteText path;

    private final JsonText json = new JsonText();
    private final ByteText rendered = new ByteText();
    private final ByteText found;
    private final BytePattern sought = new BytePattern();
    private CompiledStep step;
    private int pathTo;
    private ByteText[] headers = {};
    private boolean[] seen = {};
    private int[] matched = {};
    private byte[] body = {};
    /** The same bytes. */
    private ByteBuffer view = ByteBuffer.wrap(body);

    private int bodyLength;
    private boolean tooLong;
    private @Nullable String text;

    StepSink(CookieJar jar, ByteText path, CompiledStep first, Budget budget) {
        this.budget = budget;
        this.found = new ByteText(budget);
        this.jar = jar;
        this.path = path;
        this.step = first;
    }

    /** The next answer belongs to this step, and to a request whose path ends there. */
    void expect(CompiledStep next, int requestPathTo) {
        step = next;
        pathTo = requestPathTo;
        if (headers.length < next.headerNames().length) {
            int before = headers.length;
            headers = Arrays.copyOf(headers, next.headerNames().length);
            seen = new boolean[headers.length];
            for (int i = before; i < headers.length; i++) {
                headers[i] = new ByteText(budget);
            }
        }
        if (matched.length < next.patterns().length) {
            matched = new int[next.patterns().length];
        }
    }

    @Override
    public void begin() {
        Arrays.fill(seen, false);
        Arrays.fill(matched, 0);
        bodyLength = 0;
        tooLong = false;
        text = null;
    }

    @Override
    public boolean wantsHeaders() {
        return true;
    }

    @Override
    public void header(ByteBuffer b, int nameFrom, int nameTo, int valueFrom, int valueTo) {
        if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, SET_COOKIE)) {
            jar.take(b, valueFrom, valueTo, path, pathTo);
        }
        String[] wanted = step.headerNames();
        for (int i = 0; i < wanted.length; i++) {
            if (!seen[i] && Scan.equalsIgnoreCase(b, nameFrom, nameTo, wanted[i])) {
                seen[i] = true;
                headers[i].copy(b, valueFrom, valueTo);
            }
        }
    }

    @Override
    public void body(ByteBuffer b, int from, int to) {
        BytePattern[] patterns = step.patterns();
        for (int i = 0; i < patterns.length; i++) {
            matched[i] = patterns[i].advance(matched[i], b, from, to);
        }
        if (!step.wantsBody() || tooLong) {
            return;
        }
        int length = bodyLength + to - from;
        if (length > Scenario.MOST_BODY) {
            tooLong = true;
            return;
        }
        if (length > body.length) {
            int size = Math.max(FIRST_BODY, Math.max(length, Math.min(body.length * 2, Scenario.MOST_BODY)));
            budget.take(size - Math.max(FIRST_BODY, body.length));
            keepIn(Arrays.copyOf(body, size));
        }
        b.get(from, body, bodyLength, to - from);
        bodyLength = length;
    }

    /** The answer has been judged: nothing of it is needed any more. */
    void release() {
        text = null;
        if (body.length > KEPT || body.length > Budget.KEPT && budget.isTight()) {
            budget.give(body.length - FIRST_BODY);
            keepIn(new byte[0]);
        }
        found.release();
        for (int i = 0; i < step.headerNames().length; i++) {
            headers[i].release();
        }
    }

    private void keepIn(byte[] room) {
        body = room;
        view = ByteBuffer.wrap(room);
    }

    /** The value of a header; null: it did not come. */
    @Nullable
    ByteText header(int wanted) {
        return seen[wanted] ? headers[wanted] : null;
    }

    boolean isFound(int pattern) {
        return step.patterns()[pattern].isFound(matched[pattern]);
    }

    boolean isTooLong() {
        return tooLong;
    }

    /** The body as text. Bytes that are not UTF-8 become U+FFFD. */
    String text() {
        String known = text;
        if (known == null) {
            known = new String(body, 0, bodyLength, UTF_8);
            text = known;
        }
        return known;
    }

    /** Searches the body for a value, as {@link JsonText#find}; it is then in {@link #found}. */
    int json(JsonPath path) {
        return json.find(path, body, bodyLength, found);
    }

    /** What {@link #json} has found. */
    ByteText found() {
        return found;
    }

    /** Whether the template's text is in the body. */
    boolean contains(Template wanted, ByteText[] values) {
        render(wanted, values);
        sought.seek(rendered.bytes(), rendered.length());
        return sought.isFound(sought.advance(0, view, 0, bodyLength));
    }

    /** Whether a value is the template's text. */
    boolean isSame(ByteText value, Template wanted, ByteText[] values) {
        render(wanted, values);
        return value.equalTo(rendered.bytes(), 0, rendered.length());
    }

    private void render(Template template, ByteText[] values) {
        rendered.clear();
        template.write(values, rendered);
    }
}
