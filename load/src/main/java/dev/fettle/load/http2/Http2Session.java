package dev.fettle.load.http2;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.client.Client;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.script.Answer;
import dev.fettle.load.transport.Transport;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection above its link: settings, streams and their end (RFC 9113, 5 and 6). Used again for the next
 * connection: {@link #begin} starts it.
 */
final class Http2Session implements Http2FrameReader.Sink {

    /** Receives what happens; may call the session back before it returns. */
    interface Owner {
        /** The server's settings have arrived; after the first ones, streams can be opened. */
        void settled();

        /** The head of a final response has arrived. */
        void answering(Client client);

        /** A response is complete. */
        void answered(Client client, Answer answer);

        /** A stream failed. */
        void failed(Client client, ErrorKind kind, String what);

        /** The server accepts no more streams; it has not looked at this client's request. */
        void refused(Client client);
    }

    /** What a server that goes away in order, but before any answer, has done. */
    static final String ANSWERED_NOTHING = "the server ended the connection and answered nothing";

    private static final int MAX_STREAM = Integer.MAX_VALUE - 2;
    private static final HpackDecoder.Fields NOBODY = (b, nameFrom, valueFrom, valueTo) -> {};

    private final Owner owner;
    private final Http2Streams streams;
    private final Http2Sender sender;
    private final Http2FrameReader reader;
    private final HpackDecoder decoder;

    private boolean settled;
    private boolean goneAway;
    private boolean answeredAny;
    /** Whether we ended a stream: then frames for ended streams are not an error. */
    private boolean cancelledAny;

    private int nextStream;
    /** How many streams the server allows at once. */
    private int limit;
    /** Bytes received and not yet acknowledged by a window update. */
    private int unreported;

    /**
     * @param count most streams at once
     * @param budget for what the server sends
     */
    Http2Session(Transport.Link link, int count, Owner owner, Budget budget) {
        this.reader = new Http2FrameReader(this, budget);
        this.decoder = new HpackDecoder(budget);
        this.owner = owner;
        this.streams = new Http2Streams(count);
        this.sender = new Http2Sender(link, streams, budget);
    }

    /** Starts on a new connection. */
    void begin() {
        reader.reset();
        decoder.reset();
        settled = false;
        goneAway = false;
        answeredAny = false;
        cancelledAny = false;
        nextStream = 1;
        limit = Integer.MAX_VALUE;
        unreported = 0;
        sender.begin();
    }

    /** Reads received bytes. */
    void received(ByteBuffer bytes) throws ProtocolError {
        reader.read(bytes);
    }

    /** Whether a stream can be opened, and its request sent at once. */
    boolean canOpen() {
        return settled && !isSpent() && streams.used() < Math.min(limit, streams.capacity()) && sender.hasRoom();
    }

    /** Whether no more streams can be opened on this connection. */
    boolean isSpent() {
        return goneAway || nextStream > MAX_STREAM;
    }

    /** Whether a stream of this connection was answered. */
    boolean answeredAny() {
        return answeredAny;
    }

    /** How many streams the server allows at once. */
    int limit() {
        return limit;
    }

    /** Number of open streams. */
    int open() {
        return streams.used();
    }

    /** Opens a stream for the request of the client's script. It leaves with {@link #flush}. */
    void open(Client client) {
        sender.request(streams.take(nextStream), nextStream, client);
        nextStream += 2;
    }

    /** Sends what was written and may be sent. */
    void flush() {
        sender.flush();
    }

    /** Gives up the streams whose requests were sent at this moment or before; the owner is told of each. */
    void cancelSentUntil(long moment) {
        for (int i = 0; i < streams.capacity(); i++) {
            Http2Stream stream = streams.at(i);
            if (stream.isUsed() && stream.client().sentAt() <= moment) {
                String what = "no complete response within the time-out, " + stream.progress();
                cancel(stream, Http2Code.CANCEL);
                owner.failed(sender.free(stream), ErrorKind.READ_TIMEOUT, what);
            }
        }
    }

    /** When the earliest request in flight was sent; {@link Alarms#NEVER} if there is none. */
    long firstSentAt() {
        long first = Alarms.NEVER;
        for (int i = 0; i < streams.capacity(); i++) {
            Http2Stream stream = streams.at(i);
            if (stream.isUsed()) {
                first = Math.min(first, stream.client().sentAt());
            }
        }
        return first;
    }

    /** The connection is lost: tells the owner that each stream failed. */
    void failAll(ErrorKind kind, String what) {
        for (int i = 0; i < streams.capacity(); i++) {
            Http2Stream stream = streams.at(i);
            if (stream.isUsed()) {
                String progress = stream.progress();
                owner.failed(sender.free(stream), kind, what + ", " + progress);
            }
        }
    }

    /** Reads no more. */
    void stop() {
        reader.stop();
    }

    /** Sends GOAWAY if that is possible at once. */
    void goAway(int code) {
        sender.goAway(code);
    }

    private void cancel(Http2Stream stream, int code) {
        cancelledAny = true;
        sender.reset(stream.id(), code);
    }

    // what the server says

    @Override
    public void headers(int id, ByteBuffer block, boolean endOfStream) throws ProtocolError {
        Http2Stream stream = find(id, "HEADERS");
        if (stream == null) {
            decoder.decode(block, NOBODY); // the header table must stay in step
            return;
        }
        stream.beginBlock();
        decoder.decode(block, stream);
        if (stream.endBlock(endOfStream)) {
            owner.answering(stream.client());
        }
        settle(stream, endOfStream);
    }

    @Override
    public void data(int id, ByteBuffer b, int from, int to) throws ProtocolError {
        Http2Stream stream = find(id, "DATA");
        if (stream != null) {
            stream.data(b, from, to);
        }
    }

    @Override
    public void endOfData(int id, int payload, boolean endOfStream) throws ProtocolError {
        unreported += payload;
        if (unreported >= Http2Sender.RECEIVE_WINDOW / 2) {
            sender.windowUpdate(0, unreported);
            unreported = 0;
        }
        Http2Stream stream = find(id, "DATA");
        if (stream == null) {
            return;
        }
        int report = stream.received(payload, Http2Sender.RECEIVE_WINDOW / 2);
        if (report > 0 && !endOfStream) {
            sender.windowUpdate(id, report);
        }
        settle(stream, endOfStream);
    }

    /** Ends the stream if it is complete, or if what arrived on it is wrong. */
    private void settle(Http2Stream stream, boolean endOfStream) {
        if (endOfStream) {
            stream.end();
        }
        String problem = stream.problem();
        if (problem == null && !endOfStream) {
            return;
        }
        if (!endOfStream || stream.body() != null) {
            cancel(stream, problem == null ? Http2Code.CANCEL : Http2Code.PROTOCOL_ERROR);
        }
        Client client = sender.free(stream);
        if (problem == null) {
            answeredAny = true;
            owner.answered(client, stream);
        } else {
            owner.failed(client, ErrorKind.MALFORMED, problem);
        }
    }

    /** The stream of a frame; null if it is over, as frames for it may still be on their way. */
    private @Nullable Http2Stream find(int id, String frame) throws ProtocolError {
        Http2Stream stream = streams.find(id);
        if (stream != null || (cancelledAny && wasOpened(id))) {
            return stream;
        }
        throw wasOpened(id)
                ? new ProtocolError(
                        Http2Code.STREAM_CLOSED, "a " + frame + " frame on stream " + id + ", which is over")
                : new ProtocolError(
                        Http2Code.PROTOCOL_ERROR, "a " + frame + " frame on stream " + id + ", which nobody opened");
    }

    private boolean wasOpened(int id) {
        return (id & 1) == 1 && id < nextStream;
    }

    private void checkOpened(int id, String frame) throws ProtocolError {
        if (!wasOpened(id)) {
            throw new ProtocolError(
                    Http2Code.PROTOCOL_ERROR, "a " + frame + " frame on stream " + id + ", which nobody opened");
        }
    }

    @Override
    public void settings(ByteBuffer payload) throws ProtocolError {
        for (int at = payload.position(); at < payload.limit(); at += 6) {
            set((payload.get(at) & 0xff) << 8 | payload.get(at + 1) & 0xff, Http2Frame.number(payload, at + 2));
        }
        sender.acknowledgeSettings();
        settled = true;
        owner.settled();
    }

    private void set(int which, int value) throws ProtocolError {
        switch (which) {
            case Http2Frame.MAX_CONCURRENT_STREAMS -> limit = value < 0 ? Integer.MAX_VALUE : value;
            case Http2Frame.INITIAL_WINDOW_SIZE -> sender.initialWindow(value);
            case Http2Frame.ENABLE_PUSH -> checkSetting(value == 0, "ENABLE_PUSH", value);
            case Http2Frame.MAX_FRAME_SIZE ->
                checkSetting(value >= Http2Frame.MAX_PAYLOAD && value < 1 << 24, "MAX_FRAME_SIZE", value);
            default -> {} // unknown settings, and the size of the table for our headers, which we do not use
        }
    }

    private static void checkSetting(boolean right, String which, int value) throws ProtocolError {
        if (!right) {
            throw new ProtocolError(Http2Code.PROTOCOL_ERROR, "the setting " + which + " = " + value);
        }
    }

    @Override
    public void windowUpdate(int id, int increment) throws ProtocolError {
        if (id != 0) {
            checkOpened(id, "WINDOW_UPDATE");
        }
        sender.widen(id, increment);
    }

    @Override
    public void ping(ByteBuffer payload) throws ProtocolError {
        sender.acknowledgePing(payload);
    }

    @Override
    public void reset(int id, int code) throws ProtocolError {
        checkOpened(id, "RST_STREAM");
        Http2Stream stream = streams.find(id);
        if (stream != null) {
            cancelledAny = true;
            String what = "the server reset the stream: " + Http2Code.name(code) + ", " + stream.progress();
            owner.failed(sender.free(stream), ErrorKind.RESET, what);
        }
    }

    @Override
    public void goAway(int lastStream, int code, String debug) throws ProtocolError {
        goneAway = true;
        if (code != Http2Code.NO_ERROR) {
            throw new ProtocolError(
                    Http2Code.NO_ERROR,
                    ErrorKind.RESET,
                    "the server ended the connection: " + Http2Code.name(code) + debug);
        }
        boolean looked = answeredAny;
        for (int i = 0; i < streams.capacity(); i++) {
            looked |= streams.at(i).isUsed() && streams.at(i).id() <= lastStream;
        }
        if (!looked && streams.used() > 0) {
            // sending all of them again would never end
            throw new ProtocolError(Http2Code.NO_ERROR, ErrorKind.CLOSED_EARLY, ANSWERED_NOTHING);
        }
        for (int i = 0; i < streams.capacity(); i++) {
            Http2Stream stream = streams.at(i);
            if (stream.isUsed() && stream.id() > lastStream) {
                owner.refused(sender.free(stream));
            }
        }
    }
}
