package dev.fettle.bench.truth;

/** Says when an answer is due. */
interface Delay {
    /**
     * @param arrival of the request, in nanoseconds; does not go back
     * @return when its answer is to be sent, in nanoseconds of the same clock
     */
    long due(long arrival);
}
