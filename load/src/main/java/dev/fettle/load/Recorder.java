package dev.fettle.load;

/** Takes down what happens on one engine thread. Durations are nanoseconds. Called by that thread alone. */
interface Recorder {

    /** A connect succeeded after so long. */
    void connected(long nanos);

    /** A connection which the server had closed in order is being opened again. */
    void reconnecting();

    /** Bytes were read. */
    void read(int bytes);

    /** Bytes were written. */
    void wrote(int bytes);

    /** A complete response had this status, valid or not. */
    void status(int status);

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

    /** Handling one batch of events took so long; the last one in it has waited for that. */
    void lag(long nanos);
}
