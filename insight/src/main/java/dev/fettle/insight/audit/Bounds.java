package dev.fettle.insight.audit;

/**
 * What figures need compared with what a machine has: shared by an audit, which finds them written down, and by the
 * check before a run, which is about to use them. Sizes are bytes.
 */
final class Bounds {
    /** Bytes of a JVM besides heap, stacks, metaspace and direct buffers: its own code, the code cache, the collector. */
    static final double BESIDES = 120.0 * (1 << 20);

    /** The stack that the JVM reserves for a thread on 64-bit Linux; {@code ThreadStackSize} of {@code -XX:+PrintFlagsFinal}. */
    static final double STACK = 1 << 20;

    private Bounds() {}

    /**
     * Whether a listening socket's queue will be shorter than asked for: listen(2) cuts it to {@code
     * net.core.somaxconn}.
     */
    static boolean cut(double backlog, double somaxconn) {
        return backlog > somaxconn;
    }

    /** How a JVM fits into memory. */
    enum Fit {
        FITS,
        /** It does not fit if all its stacks are fully used; few threads use all of theirs. */
        STACKS,
        /** Heap and other memory exceed what there is. */
        TIGHT,
        /** The heap alone exceeds it. */
        NEVER
    }

    /**
     * Whether a JVM fits.
     *
     * @param heap its largest heap
     * @param other metaspace, direct buffers and code, as far as they are limited
     * @param stacks of the server's pool, at full size
     * @param most the memory that there is
     */
    static Fit fit(double heap, double other, double stacks, double most) {
        if (heap >= most) {
            return Fit.NEVER;
        }
        double without = heap + other + BESIDES;
        return without > most ? Fit.TIGHT : without + stacks > most ? Fit.STACKS : Fit.FITS;
    }
}
