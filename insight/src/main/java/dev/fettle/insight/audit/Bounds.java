package dev.fettle.insight.audit;

/**
 * What a figure needs beside what a machine has: the same for an audit, which finds it written down, and for the check before a run,
 * which is about to use it. Sizes are bytes.
 */
final class Bounds {
    /** Bytes of a JVM besides heap, stacks, metaspace and direct buffers: its own code, the code cache, the collector. */
    static final double BESIDES = 120.0 * (1 << 20);

    /** The stack that the JVM reserves for a thread on 64-bit Linux; {@code ThreadStackSize} of {@code -XX:+PrintFlagsFinal}. */
    static final double STACK = 1 << 20;

    private Bounds() {}

    /** Whether a listening socket's queue becomes shorter than was asked: listen(2) cuts it to {@code net.core.somaxconn}. */
    static boolean cut(double backlog, double somaxconn) {
        return backlog > somaxconn;
    }

    /** How a JVM fits into memory. */
    enum Fit {
        FITS,
        /** Not with all its stacks in use, whole; few threads touch all of theirs. */
        STACKS,
        /** Heap and what stands beside it are more than there is. */
        TIGHT,
        /** The heap alone is. */
        NEVER
    }

    /**
     * Whether a JVM fits.
     *
     * @param heap its largest heap
     * @param other metaspace, direct buffers and code, as far as they are limited
     * @param stacks of the server's pool, each whole
     * @param most what there is
     */
    static Fit fit(double heap, double other, double stacks, double most) {
        if (heap >= most) {
            return Fit.NEVER;
        }
        double without = heap + other + BESIDES;
        return without > most ? Fit.TIGHT : without + stacks > most ? Fit.STACKS : Fit.FITS;
    }
}
