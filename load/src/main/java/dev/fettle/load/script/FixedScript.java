package dev.fettle.load.script;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** The same request, or message, repeated; each one is an iteration. */
public final class FixedScript implements Script {

    /** So that clients' seeds are far apart. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final boolean head;
    private final ByteBuffer request;
    private final int headLength;
    private final Expectation expect;
    private final boolean[] wanted;
    private final long bodyLength;
    private final @Nullable BodyCheck check;
    /** {@link #check} examines one in this many answers of a connection. */
    private final int checkEvery;

    private final Fingerprint print = new Fingerprint();

    /** Makes some requests name themselves; null: none does. */
    private final @Nullable Traces traces;

    private boolean traced;
    private int answersOnLink;
    private boolean looking;

    /**
     * @param request a direct buffer, all of it, which may be shared: it is never moved
     * @param headLength bytes of its head
     * @param head whether it is a HEAD request
     */
    private FixedScript(ByteBuffer request, int headLength, boolean head, Expectation expect) {
        this.request = request.duplicate();
        this.headLength = headLength;
        this.head = head;
        this.expect = expect;
        this.bodyLength = expect.bodyLength().orElse(-1);
        this.check = check(request, expect);
        this.checkEvery = expect.echo() ? 1 : Expectation.BODY_CHECK_EVERY;
        this.wanted = expect.wanted();
        wanted[Answer.NO_STATUS] = true;
        this.traces = null;
    }

    /** The scripts of a load without a scenario: all send its only request, or message. */
    public static ScriptFactory of(LoadSpec spec, HeadFormat format) {
        byte[] head = spec.wire().protocol().isWebSocket() ? new byte[0] : head(spec, format, false);
        var first =
                new FixedScript(request(head, spec), head.length, spec.request().isHead(), spec.expect());
        double share = spec.wire().traced();
        byte[] naming = share > 0 ? head(spec, format, true) : head;
        ByteBuffer named = share > 0 ? request(naming, spec) : first.request;
        long run = share > 0 ? new SecureRandom().nextLong() : 0;
        return new ScriptFactory() {
            @Override
            public int stepCount() {
                return 1;
            }

            @Override
            public Script script(int client, Budget budget) {
                var script = new FixedScript(
                        first, share > 0 ? new Traces(named, naming.length, share, run ^ (client * SPREAD)) : null);
                script.print.begin(client);
                return script;
            }
        };
    }

    private static ByteBuffer request(byte[] head, LoadSpec spec) {
        byte[] body = spec.request().body();
        return ByteBuffer.allocateDirect(head.length + body.length)
                .put(head)
                .put(body)
                .flip();
    }

    private static byte[] head(LoadSpec spec, HeadFormat format, boolean naming) {
        RequestTemplate request = spec.request();
        FixedHead head = new FixedHead(request, spec.hostHeader(), format);
        int length = request.body().length;
        if (length > 0 || RequestTemplate.usuallyHasBody(request.method())) {
            head.field("Content-Length", Integer.toString(length));
        }
        if (!spec.keepAlive()) {
            head.field("Connection", "close");
        }
        if (naming) {
            head.field(Traces.FIELD, Traces.VALUE);
        }
        return head.end();
    }

    private static @Nullable BodyCheck check(ByteBuffer request, Expectation expect) {
        if (expect.echo()) {
            return new EchoMatcher(request);
        }
        return expect.bodyContains()
                .map(text -> new BodyMatcher(text.getBytes(StandardCharsets.UTF_8)))
                .orElse(null);
    }

    /** A copy for another client; the two share what does not change. */
    private FixedScript(FixedScript other, @Nullable Traces traces) {
        this.traces = traces;
        request = other.request.duplicate();
        headLength = other.headLength;
        head = other.head;
        expect = other.expect;
        bodyLength = other.bodyLength;
        check = other.check == null ? null : other.check.another();
        checkEvery = other.checkEvery;
        wanted = other.wanted;
    }

    @Override
    public void connected() {
        answersOnLink = 0;
    }

    @Override
    public int step() {
        return 0;
    }

    @Override
    public String place() {
        return "";
    }

    @Override
    public ByteBuffer request() {
        looking = check != null && answersOnLink % checkEvery == 0;
        traced = traces != null && traces.next();
        return traced && traces != null ? traces.request() : request.position(0);
    }

    @Override
    public @Nullable Traces traces() {
        return traced ? traces : null;
    }

    @Override
    public int headLength() {
        return traced && traces != null ? traces.headLength() : headLength;
    }

    @Override
    public boolean isHead() {
        return head;
    }

    @Override
    public @Nullable ResponseSink sink() {
        return print.on(looking ? check : null);
    }

    @Override
    public Fingerprint fingerprint() {
        return print;
    }

    @Override
    public @Nullable ErrorKind judge(Answer answer) {
        answersOnLink++;
        if (!wanted[answer.status()]) {
            return ErrorKind.STATUS;
        }
        if (bodyLength >= 0 && answer.bodyLength() != bodyLength) {
            return ErrorKind.LENGTH;
        }
        return looking && check != null && !check.found() ? ErrorKind.BODY : null;
    }

    @Override
    public String explain(ErrorKind kind, Answer answer) {
        return switch (kind) {
            case STATUS -> "status " + answer.status() + ", expected " + expect.describeStatuses();
            case LENGTH -> answer.bodyLength() + " body bytes, expected " + bodyLength;
            default ->
                expect.echo()
                        ? "an answer of " + answer.bodyLength() + " bytes which is not the echo of the "
                                + request.capacity() + " sent"
                        : "the body lacks '" + expect.bodyContains().orElse("") + "'";
        };
    }

    @Override
    public long next(boolean valid) {
        traced = false;
        return END;
    }
}
