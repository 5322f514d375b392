package dev.fettle.load.client;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.Script;
import dev.fettle.load.script.Traces;
import org.jspecify.annotations.Nullable;

/**
 * One client of a load. It gets an iteration when one is due, follows its script through it, pauses as the script or a failure
 * demands, and records the outcome of each attempt. A {@link Peer} carries its requests, one at a time.
 *
 * <p>An <em>attempt</em> begins when a request is due and ends, exactly once, as valid, failed or abandoned.
 */
public final class Client implements Alarms.Sleeper {

    private enum State {
        /** Has not begun. */
        NEW,
        /** Waits for an iteration. */
        IDLE,
        /** Pauses until the alarm rings, or has finished that and is held by a pause of the load. */
        PAUSING,
        /** Its request is with the peer. */
        UNDER_WAY,
        OVER
    }

    private final Loop loop;
    private final Peer peer;
    private final Script script;

    private State state = State.NEW;
    private boolean inIteration;
    /** Whether the pause is think time: then the next request is due at its end. After a failure it is not. */
    private boolean thinking;
    /** Whether it is being told that its attempt failed. */
    private boolean failing;

    private boolean firstByteSeen;
    /** The intended send time of the attempt. */
    private long intended;
    /** The actual send time; until it is sent, when the peer got it. */
    private long sentAt;
    /** When the pause ends. */
    private long resumeAt;

    Client(Loop loop, Peer peer, Script script) {
        this.loop = loop;
        this.peer = peer;
        this.script = script;
    }

    public Script script() {
        return script;
    }

    public Peer peer() {
        return peer;
    }

    boolean isNew() {
        return state == State.NEW;
    }

    public boolean isIdle() {
        return state == State.IDLE;
    }

    /** Asks for the next iteration. Called by the peer for a new client that is ready. */
    void free(long at, long now) {
        state = State.IDLE;
        loop.dispatcher().free(this, at, now);
    }

    /** Begins an iteration. Called by the dispatcher for a free client. */
    public void begin(long due, long now) {
        inIteration = true;
        attempt(due, now);
    }

    /** Ends a free client: there are no more iterations. Called by the dispatcher. */
    public void finish() {
        state = State.OVER;
        peer.over(this);
    }

    /** The request leaves now. Called by the peer. */
    public void sent(long now) {
        sentAt = now;
        firstByteSeen = false;
    }

    public long sentAt() {
        return sentAt;
    }

    /** The first byte of the final response has arrived. Called by the peer. */
    public void firstByte(long now) {
        if (!firstByteSeen) {
            firstByteSeen = true;
            loop.recorder().firstByte(now - sentAt);
        }
    }

    /** The response is complete. Called by the peer. */
    public void answered(Answer answer, long now) {
        Recorder recorder = loop.recorder();
        if (answer.status() != Answer.NO_STATUS) {
            recorder.status(answer.status());
        }
        recorder.answer(script.step(), answer, script.fingerprint());
        ErrorKind kind = script.judge(answer);
        if (kind == null) {
            recorder.valid(now - intended);
            recorder.service(now - sentAt);
        } else {
            if (recorder.failed(kind, now - intended)) {
                recorder.example(kind, script.explain(kind, answer));
            }
            sample(kind, answer);
        }
        traced(kind == null, now);
        goOn(kind == null, 0, now);
    }

    /** The slowest that named themselves to the server are kept. */
    private void traced(boolean valid, long now) {
        Traces traces = script.traces();
        if (traces != null) {
            loop.recorder().traced(script.step(), traces.high(), traces.low(), now - intended, valid);
        }
    }

    /**
     * Keeps a sample of a wrong answer. The first one is over by the time it turns out to be wrong, so the body of
     * later ones is kept.
     */
    private void sample(ErrorKind kind, Answer answer) {
        if (loop.recorder().wantsWrong(script.step())) {
            script.fingerprint()
                    .kept(kind, answer)
                    .ifPresentOrElse(w -> loop.recorder().wrong(script.step(), w), script.fingerprint()::keepNext);
        }
    }

    /**
     * The attempt failed without a complete response. Called by the peer.
     *
     * @param what happened, with the phase in which it did
     * @param pause nanoseconds to back off
     */
    public void failed(ErrorKind kind, String what, long pause, long now) {
        exampleIf(loop.recorder().failed(kind, now - intended), kind, what);
        traced(false, now);
        goOnAfterFailure(pause, now);
    }

    /**
     * Whether its attempt is failing just now, deep in its connection's calls. A connection that can't be made may fail at once: if
     * what is due were given to this client here, each request would fail within the failure of the one before.
     */
    public boolean isFailing() {
        return failing;
    }

    /**
     * The connection opened ahead for this new client failed: that uses up its first iteration, if there is one.
     *
     * @param since when the attempt to open began
     */
    void failedAhead(ErrorKind kind, String what, long since, long pause, long now) {
        if (loop.dispatcher().spend(now)) {
            intended = since;
            inIteration = true;
            exampleIf(loop.recorder().failedAhead(kind, now - since), kind, what);
            goOnAfterFailure(pause, now);
        } else {
            finish();
        }
    }

    private void exampleIf(boolean wanted, ErrorKind kind, @Nullable String what) {
        if (wanted) {
            loop.recorder().example(kind, script.place() + (what == null ? kind : what));
        }
    }

    private void goOnAfterFailure(long pause, long now) {
        failing = true;
        goOn(false, pause, now);
        failing = false;
    }

    private void goOn(boolean valid, long pause, long now) {
        if (loop.terms().stepCount() > 1) {
            loop.recorder().step(script.step(), valid, now - intended);
        }
        long think = script.next(valid);
        if (think == Script.END) {
            inIteration = false;
            think = loop.terms().thinkNanos();
        }
        thinking = think > 0 && think >= pause;
        if (inIteration ? loop.isTimeUp(now) : loop.dispatcher().isOver(now)) {
            finish();
        } else if (think == 0 && pause == 0) {
            resume(now, now);
        } else {
            state = State.PAUSING;
            resumeAt = now + Math.max(think, pause);
            loop.alarms().set(resumeAt, this);
        }
    }

    @Override
    public void ring(long now) {
        if (state != State.PAUSING || now < resumeAt) {
            return;
        }
        resume(thinking ? resumeAt : now, now);
    }

    private void resume(long at, long now) {
        if (!inIteration) {
            free(at, now);
        } else if (loop.isTimeUp(now)) {
            finish();
        } else if (loop.isPaused()) {
            state = State.PAUSING;
            loop.hold(this);
        } else {
            attempt(at, now);
        }
    }

    /**
     * The load resumes after a pause that held this client.
     *
     * @param since when it resumed: clients whose think time had ended are due from then on
     */
    public void letGo(long since, long now) {
        if (state == State.IDLE || state == State.PAUSING) {
            resume(thinking ? since : now, now);
        }
    }

    private void attempt(long due, long now) {
        state = State.UNDER_WAY;
        intended = due;
        sentAt = now;
        if (thinking) {
            thinking = false;
            loop.recorder().sendLag(now - due);
        }
        peer.carry(this, now);
    }

    /**
     * The schedule is over: ends the client if nothing is under way and nothing is left to do.
     *
     * @param timeUp whether an iteration under way may not go on either
     */
    void sweep(boolean timeUp) {
        switch (state) {
            case NEW, IDLE -> finish();
            case PAUSING -> {
                if (timeUp || !inIteration) {
                    finish();
                }
            }
            case UNDER_WAY, OVER -> {}
        }
    }

    /** Whether it has an attempt under way. */
    boolean isUnderWay() {
        return state == State.UNDER_WAY;
    }

    /** How long its attempt has been under way, 0 without one. */
    long age(long now) {
        return state == State.UNDER_WAY ? now - intended : 0;
    }

    /** The run ends now. */
    void abandon(long now) {
        if (state == State.UNDER_WAY) {
            loop.recorder().abandoned(now - intended, now - sentAt);
        }
        state = State.OVER;
    }
}
