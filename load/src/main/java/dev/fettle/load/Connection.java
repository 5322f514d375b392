package dev.fettle.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client that speaks HTTP/1.1: what it is doing, over all the sockets it uses up.
 *
 * <p>An <em>attempt</em> begins when the schedule gives a request out and ends, exactly once, as valid, failed or abandoned.
 */
final class Connection implements Peer, Transport.Handler {

    private enum State {
        NEW,
        CONNECTING,
        PARKED,
        WAITING,
        BACKING_OFF,
        RETIRED
    }

    private final EngineLoop loop;
    private final Transport.Link link;
    private final ResponseParser parser = new ResponseParser();
    private final Script script;

    private State state = State.NEW;
    private boolean linked;
    private boolean attempting;
    /** In the loop's queue of parked connections, perhaps not parked any more. */
    private boolean queued;
    /** Closed in order by the server, so that the next connect is a reconnect and no news. */
    private boolean closedInOrder;
    /** When the attempt was to be sent. */
    private long intended;
    /** When the state was entered; in BACKING_OFF, when it is to be left. */
    private long since;

    private long freedAt;
    private int failuresInRow;

    Connection(EngineLoop loop, Script script) {
        this.loop = loop;
        this.script = script;
        this.link = loop.transport().newLink(this);
    }

    @Override
    public void start() {
        long now = loop.clock().read();
        if (loop.keepAlive()) {
            connect();
        } else {
            free(now);
        }
    }

    @Override
    public boolean unpark(long now) {
        if (state == State.PARKED) {
            long due = loop.schedule().take(freedAt, now);
            if (due == Schedule.WAIT) {
                return false;
            }
            queued = false;
            go(due, now);
        } else {
            // it lost its socket while it waited, and will park again when it has another
            queued = false;
        }
        return true;
    }

    @Override
    public void scan(long now) {
        switch (state) {
            case BACKING_OFF -> {
                if (loop.schedule().isOver(now)) {
                    retire();
                } else if (now >= since) {
                    free(now);
                }
            }
            case CONNECTING -> {
                if (!attempting && loop.schedule().isOver(now)) {
                    retire();
                } else if (now - since > loop.connectTimeoutNanos()) {
                    fail(ErrorKind.CONNECT_TIMEOUT, "no connection within the time-out");
                }
            }
            case WAITING -> {
                if (now - since > loop.responseTimeoutNanos()) {
                    fail(ErrorKind.READ_TIMEOUT, "no complete response within the time-out, " + parser.progress());
                }
            }
            case PARKED -> {
                if (loop.schedule().isOver(now)) {
                    retire();
                }
            }
            case NEW, RETIRED -> {}
        }
    }

    @Override
    public long age(long now) {
        return attempting ? now - intended : 0;
    }

    @Override
    public void abandon(long now) {
        if (attempting) {
            attempting = false;
            loop.recorder().abandoned(now - intended);
        }
        if (state != State.RETIRED) {
            retire();
        }
    }

    @Override
    public void connected() {
        long now = loop.clock().read();
        linked = true;
        script.connected();
        loop.recorder().connected(now - since);
        if (attempting) {
            send(now);
        } else {
            free(now);
        }
    }

    @Override
    public void received(ByteBuffer bytes) {
        if (state != State.WAITING) {
            fail(
                    ErrorKind.MALFORMED,
                    "bytes came before a request was sent: " + Scan.excerpt(bytes, bytes.position(), bytes.limit()));
            return;
        }
        int progress = parser.feed(bytes);
        if (progress == ResponseParser.DONE) {
            if (bytes.hasRemaining()) {
                fail(
                        ErrorKind.MALFORMED,
                        bytes.remaining() + " bytes too many after a response: "
                                + Scan.excerpt(bytes, bytes.position(), bytes.limit()));
            } else {
                // an answer that came before the request was out leaves the rest of it nowhere to go
                complete(parser.keepAlive() && !link.sending());
            }
        } else if (progress == ResponseParser.BAD) {
            fail(ErrorKind.MALFORMED, parser.problem());
        }
    }

    @Override
    public void ended() {
        if (state == State.PARKED) {
            closedInOrder = true;
            closeLink();
            connect();
        } else if (parser.endsAtClose()) {
            complete(false);
        } else {
            fail(ErrorKind.CLOSED_EARLY, "the server closed " + parser.progress());
        }
    }

    @Override
    public void broke(ErrorKind kind, IOException cause) {
        String where = state == State.CONNECTING ? "" : ", " + parser.progress();
        fail(kind, cause.getMessage() + where);
    }

    private void complete(boolean reusable) {
        long now = loop.clock().read();
        attempting = false;
        failuresInRow = 0;
        record(now - intended);
        if (!reusable || !loop.keepAlive()) {
            closedInOrder = loop.keepAlive();
            closeLink();
        }
        free(now);
    }

    private void record(long nanos) {
        Recorder recorder = loop.recorder();
        recorder.status(parser.status());
        ErrorKind kind = script.judge(parser);
        if (kind == null) {
            recorder.valid(nanos);
        } else if (recorder.failed(kind, nanos)) {
            recorder.example(kind, script.explain(kind, parser));
        }
    }

    /** Nothing is under way: take the next request, if one is due. */
    private void free(long now) {
        freedAt = now;
        long due = loop.schedule().take(now, now);
        if (due != Schedule.WAIT) {
            go(due, now);
        } else if (linked) {
            park();
        } else {
            connect();
        }
    }

    private void go(long due, long now) {
        if (due == Schedule.OVER) {
            retire();
            return;
        }
        intended = due;
        attempting = true;
        if (linked) {
            send(now);
        } else {
            connect();
        }
    }

    private void connect() {
        state = State.CONNECTING;
        since = loop.clock().last();
        if (closedInOrder) {
            closedInOrder = false;
            loop.recorder().reconnecting();
        }
        link.connect();
    }

    private void send(long now) {
        state = State.WAITING;
        since = now;
        ByteBuffer request = script.request();
        parser.begin(script.isHead(), script.sink());
        link.send(request);
    }

    private void park() {
        state = State.PARKED;
        if (!queued) {
            queued = true;
            loop.park(this);
        }
    }

    private void retire() {
        closeLink();
        state = State.RETIRED;
        loop.retired();
    }

    private void closeLink() {
        linked = false;
        link.close();
    }

    /** The attempt has failed, and the socket with it. */
    private void fail(ErrorKind kind, @Nullable String what) {
        long now = loop.clock().read();
        closeLink();
        long begin = attempting ? intended : since;
        if (!attempting && loop.schedule().take(now, now) == Schedule.OVER) {
            // it broke while it was opened ahead, and there is no request left which this could have failed
            retire();
            return;
        }
        attempting = false;
        if (loop.recorder().failed(kind, now - begin)) {
            loop.recorder().example(kind, what == null ? kind.toString() : what);
        }
        failuresInRow++;
        long pause = BackOff.nanos(failuresInRow, kind);
        if (pause == 0) {
            free(now);
        } else {
            state = State.BACKING_OFF;
            since = now + pause;
        }
    }
}
