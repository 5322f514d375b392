package dev.fettle.load.record;

import dev.fettle.load.ErrorKind;
import dev.fettle.load.WrongAnswer;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.Fingerprint;

/** Records what happens on one engine thread. Durations are nanoseconds. Called by that thread alone. */
public interface Recorder {

    /** A request left so long after it could have: it was due and a connection was free. The generator's own delay. */
    void sendLag(long nanos);

    /** A request was due while no connection was free, and had to wait for one. */
    void held();

    /** The first byte of a final response came so long after its request was sent. */
    void firstByte(long nanos);

    /** A valid response was complete so long after its request was sent. */
    void service(long nanos);

    /** An attempt of a step ended. Only called when there are several steps. */
    void step(int step, boolean valid, long latencyNanos);

    /** Requests that were due by the end and never sent. */
    void unsent(long count);

    /** A connect succeeded after so long, the TLS handshake included. */
    void connected(long nanos);

    /** A connection which the server had closed in order is being opened again. */
    void reconnecting();

    /** Bytes were read; with TLS, records as they are on the wire. */
    void read(int bytes);

    /** Bytes were written; with TLS, records as they are on the wire. */
    void wrote(int bytes);

    /** A complete response had this status, valid or not. */
    void status(int status);

    /**
     * A complete answer looked like this, valid or not.
     *
     * @param print the hash of its body, if it is one of the sample
     */
    void answer(int step, Answer answer, Fingerprint print);

    /** Whether a sample of a wrong answer to this step is wanted. */
    boolean wantsWrong(int step);

    /** What a wrong answer to this step looked like. */
    void wrong(int step, WrongAnswer answer);

    /** An attempt ended in a valid response. */
    void valid(long latencyNanos);

    /**
     * An attempt failed.
     *
     * @return whether an {@link #example} of this kind is wanted
     */
    boolean failed(ErrorKind kind, long nanos);

    /** What a failure of this kind looks like. */
    void example(ErrorKind kind, String text);

    /** An attempt was given up at the end of the run. */
    void abandoned(long nanos);

    /** So long was spent asking again and again whether something has come, with nothing to do meanwhile. */
    void spun(long nanos);

    /** Handling one batch of events took so long; the last one in it has waited for that. */
    void lag(long nanos);
}
