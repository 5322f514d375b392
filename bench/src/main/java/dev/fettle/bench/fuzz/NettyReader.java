package dev.fettle.bench.fuzz;

import dev.fettle.bench.fuzz.Reading.Answer;
import dev.fettle.bench.fuzz.Reading.End;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads with Netty's parser. Its limits are set beyond ours; like ours, it accepts equal lengths twice and LF as a line
 * end; and it leaves the bytes of header values alone. Interim responses are skipped, as in ours.
 */
final class NettyReader {

    private static final int NO_LIMIT = 1 << 26;

    private final Input input;
    private final Decoder decoder;
    private final List<Answer> answers = new ArrayList<>();
    private @Nullable HttpResponse response;
    private long length;
    private int hash;

    private NettyReader(Input input) {
        this.input = input;
        decoder = new Decoder(input.head());
    }

    static Reading read(Input input) {
        return new NettyReader(input).read();
    }

    private Reading read() {
        ByteBuf in = Unpooled.wrappedBuffer(input.bytes());
        List<Object> out = new ArrayList<>();
        int endsAt = 0;
        while (in.isReadable()) {
            int before = in.readerIndex();
            decoder.step(in, out);
            for (Object each : out) {
                if (!(each instanceof HttpObject part)) {
                    // the bytes of another protocol, after a 101
                    ReferenceCountUtil.release(each);
                    return new Reading(answers, End.TORN, Answer.NONE, "", 0);
                }
                if (part.decoderResult().isFailure()) {
                    return new Reading(
                            answers,
                            End.BAD,
                            Answer.NONE,
                            part.decoderResult().cause().toString(),
                            0);
                }
                if (take(part, in.readerIndex())) {
                    endsAt = in.readerIndex();
                }
            }
            if (out.isEmpty() && in.readerIndex() == before) {
                break;
            }
            out.clear();
        }
        if (response == null) {
            return new Reading(answers, endsAt == in.writerIndex() ? End.CLEAN : End.TORN, Answer.NONE, "", 0);
        }
        boolean open = !HttpUtil.isTransferEncodingChunked(response) && !HttpUtil.isContentLengthSet(response);
        return open
                ? new Reading(answers, End.OPEN, answer(response, false, 0), "", 0)
                : new Reading(answers, End.TORN, Answer.NONE, "", 0);
    }

    /** Whether this was the last part of a final response. */
    private boolean take(HttpObject part, int readTo) {
        if (part instanceof HttpResponse head) {
            response = head;
            length = 0;
            hash = 0;
        }
        if (part instanceof HttpContent content) {
            ByteBuf body = content.content();
            length += body.readableBytes();
            for (int i = body.readerIndex(); i < body.writerIndex(); i++) {
                hash = 31 * hash + body.getByte(i);
            }
        }
        HttpResponse head = response;
        if (!(part instanceof LastHttpContent) || head == null) {
            return false;
        }
        response = null;
        if (head.status().code() < 200) {
            return false;
        }
        answers.add(answer(head, HttpUtil.isKeepAlive(head), readTo));
        return true;
    }

    private Answer answer(HttpResponse head, boolean keep, int endsAt) {
        long announced = input.head() ? HttpUtil.getContentLength(head, 0L) : length;
        return new Answer(head.status().code(), announced, hash, keep, endsAt);
    }

    private static final class Decoder extends HttpResponseDecoder {
        private final boolean toHead;

        Decoder(boolean toHead) {
            super(new HttpDecoderConfig()
                    .setMaxInitialLineLength(NO_LIMIT)
                    .setMaxHeaderSize(NO_LIMIT)
                    .setMaxChunkSize(NO_LIMIT)
                    .setAllowDuplicateContentLengths(true)
                    .setAllowPartialChunks(true)
                    .setStrictLineParsing(false)
                    .setValidateHeaders(false));
            this.toHead = toHead;
        }

        /** One step; this decoder uses no context. */
        @SuppressWarnings("NullAway") // see above
        void step(ByteBuf in, List<Object> out) {
            try {
                decode((ChannelHandlerContext) null, in, out);
            } catch (Exception e) {
                throw new IllegalStateException("Netty threw", e);
            }
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            return toHead || super.isContentAlwaysEmpty(message);
        }
    }
}
