package dev.fettle.load.record;

import dev.fettle.load.ErrorKind;
import dev.fettle.load.WrongAnswer;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.Fingerprint;

/** Records what happens on one engine thread. Durations are in nanoseconds. Called only by that thread. */
public interface Recorder {

    /** How late a request left although it was due and a connection was free: the generator's own delay. */
    void sendLag(long nanos);

    /** A request was due while no connection was free, and had to wait for one. */
    void held();

    /** Time from sending a request to the first byte of its final response. */
    void firstByte(long nanos);

    /** Time from sending a request to the end of its valid response. */
    void service(long nanos);

    /** An attempt of a step ended. Only called when there are several steps. */
    void step(int step, boolean valid, long latencyNanos);

    /** Requests that were due by the end and never sent. */
    void unsent(long count);

    /** Time of a successful connect, TLS handshake included. */
    void connected(long nanos);

    /** A connection that the server closed in an orderly way is being opened again. */
    void reconnecting();

    /** Bytes were read; with TLS, as encrypted on the wire. */
    void read(int bytes);

    /** Bytes were written; with TLS, as encrypted on the wire. */
    void wrote(int bytes);

    /** A complete response had this status, valid or not. */
    void status(int status);

    /**
     * A complete answer, valid or not.
     *
     * @param print the hash of its body, if it belongs to the sample
     */
    void answer(int step, Answer answer, Fingerprint print);

    /** Whether a sample of a wrong answer to this step is wanted. */
    boolean wantsWrong(int step);

    /** A sample of a wrong answer to this step. */
    void wrong(int step, WrongAnswer answer);

    /** An attempt ended in a valid response. */
    void valid(long latencyNanos);

    /**
     * An attempt failed.
     *
     * @return whether an {@link #example} of this kind is wanted
     */
    boolean failed(ErrorKind kind, long nanos);

    /** An example of a failure of this kind. */
    void example(ErrorKind kind, String text);

    /** An attempt was given up at the end of the run. */
    void abandoned(long nanos);

    /** Time spent polling with nothing to do. */
    void spun(long nanos);

    /** Time to handle one batch of events; the last event in it waited that long. */
    void lag(long nanos);
}
