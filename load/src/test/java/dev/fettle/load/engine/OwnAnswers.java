package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.Fingerprint;
import dev.fettle.load.script.FixedHead;
import dev.fettle.load.script.HeadFormat;
import dev.fettle.load.script.ResponseSink;
import dev.fettle.load.script.Script;
import dev.fettle.load.script.ScriptFactory;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Scripts whose requests differ, each with an answer of its own that only its client may get, and which hold what they are given
 * against that, byte for byte.
 *
 * <p>Where requests can differ, each says a token, and its answer is {@link #answer} of that. Pipelined ones are all the same;
 * there the server numbers its connections, and the answers on each, and what tells whether an answer went to the right client is
 * the order in which requests were sent.
 */
final class OwnAnswers implements ScriptFactory {

    private final Protocol protocol;
    private final HeadFormat format;
    private final int inFlight;
    private final boolean numbered;
    private final List<Link> links = new ArrayList<>();
    private final Set<String> linkNumbers = new HashSet<>();
    private final List<String> wrong = new ArrayList<>();
    private int right;

    OwnAnswers(LoadSpec spec) {
        protocol = spec.wire().protocol();
        format = Wiring.heads(spec);
        inFlight = spec.wire().inFlight();
        numbered = protocol == Protocol.HTTP_1_1 && inFlight > 1;
        for (int i = 0; i < spec.connections(); i++) {
            links.add(new Link());
        }
    }

    /** The answer to a token: of a length of its own, with the token in front. */
    static byte[] answer(String token) {
        SplittableRandom random = new SplittableRandom(token.hashCode() * 0x9E3779B97F4A7C15L);
        int length = token.length() + 1 + (random.nextInt(40) == 0 ? 40_000 : random.nextInt(1500));
        byte[] body = Arrays.copyOf((token + " ").getBytes(ISO_8859_1), length);
        for (int i = token.length() + 1; i < length; i++) {
            body[i] = (byte) ('a' + random.nextInt(26));
        }
        return body;
    }

    /** What clients got that was not theirs. */
    List<String> wrong() {
        return wrong;
    }

    /** How many got what was theirs. */
    int right() {
        return right;
    }

    @Override
    public int stepCount() {
        return 1;
    }

    @Override
    public Script script(int client, Budget budget) {
        return new OwnAnswer(client);
    }

    /** A connection as its clients see it, over all sockets that it uses up. */
    private static final class Link {
        private int sent;
        private @Nullable String number;
    }

    private final class OwnAnswer implements Script, ResponseSink {
        private final int client;
        private final Link link;
        private final Fingerprint print = new Fingerprint();
        private final ByteArrayOutputStream got = new ByteArrayOutputStream();
        private ByteBuffer request = ByteBuffer.allocateDirect(512);
        private int count;
        private int place;
        private String token = "";
        private boolean waiting;

        OwnAnswer(int client) {
            this.client = client;
            this.link = links.get(client / inFlight);
        }

        @Override
        public void connected() {
            if (client % inFlight == 0) {
                link.sent = 0;
                link.number = null;
            }
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
            place = link.sent++;
            token = "/" + client + "-" + count + "-" + "x".repeat(count * 7 % 41);
            waiting = true;
            byte[] bytes = protocol.isWebSocket()
                    ? token.getBytes(ISO_8859_1)
                    : new FixedHead(RequestTemplate.get(numbered ? "/" : token), "here", format).end();
            return request.clear().put(bytes).flip();
        }

        @Override
        public int headLength() {
            return protocol.isWebSocket() ? 0 : request.limit();
        }

        @Override
        public boolean isHead() {
            return false;
        }

        @Override
        public @Nullable ResponseSink sink() {
            return print.on(this);
        }

        @Override
        public Fingerprint fingerprint() {
            return print;
        }

        @Override
        public void begin() {
            got.reset();
        }

        @Override
        public void body(ByteBuffer b, int from, int to) {
            byte[] piece = new byte[to - from];
            b.get(from, piece);
            got.writeBytes(piece);
        }

        @Override
        public @Nullable ErrorKind judge(Answer answer) {
            byte[] bytes = got.toByteArray();
            if (numbered) {
                token = expected(bytes);
            }
            if (waiting && Arrays.equals(bytes, answer(token))) {
                right++;
                return null;
            }
            String begin = new String(bytes, 0, Math.min(60, bytes.length), ISO_8859_1);
            wrong.add("client " + client + (waiting ? " was to get " : " had got ") + token + " and got " + bytes.length
                    + " bytes: " + begin);
            return ErrorKind.BODY;
        }

        /** Of a pipelined answer: the next one on a connection which is nobody else's. */
        private String expected(byte[] bytes) {
            String begin = new String(bytes, 0, Math.min(30, bytes.length), ISO_8859_1);
            String number = begin.substring(0, Math.max(0, begin.indexOf('-')));
            if (link.number == null && linkNumbers.add(number)) {
                link.number = number;
            }
            return link.number + "-" + place;
        }

        @Override
        public String explain(ErrorKind kind, Answer answer) {
            return "another's answer";
        }

        @Override
        public long next(boolean valid) {
            waiting = false;
            count++;
            return END;
        }
    }
}
