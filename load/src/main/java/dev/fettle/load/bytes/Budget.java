package dev.fettle.load.bytes;

/**
 * The memory that all connections of one engine thread may take beyond the buffers each begins with, however much a server makes
 * them hold. Buffers that grow are counted by their capacity; what a garbage collection has not freed yet is not. Not thread-safe.
 */
public final class Budget {

    /** Buffers up to this size are kept for the next answer; larger ones are released after each. In bytes. */
    public static final int KEPT = 4096;

    /** The share of the maximum heap; direct memory has the same limit. */
    private static final int SHARE = 4;

    private final long most;
    private long used;

    /** @param most in bytes */
    public Budget(long most) {
        this.most = most;
    }

    /** That of one of so many engine threads: together a quarter of this JVM's heap. */
    public static Budget ofOneOf(int threads) {
        return new Budget(Runtime.getRuntime().maxMemory() / SHARE / threads);
    }

    /**
     * Takes this many bytes.
     *
     * @throws OverBudget if there are not that many left; then none are taken
     */
    public void take(int bytes) {
        if (used + bytes > most) {
            throw new OverBudget(most);
        }
        used += bytes;
    }

    /** Takes them even if there are not that many left, for what must be sent; {@link #isOver} then says so. */
    public void force(int bytes) {
        used += bytes;
    }

    public void give(int bytes) {
        used -= bytes;
    }

    /** Bytes taken. */
    public long used() {
        return used;
    }

    /** Whether more is taken than there is. */
    public boolean isOver() {
        return used > most;
    }

    /** Whether half is taken: nothing is kept any more that could be released. */
    public boolean isTight() {
        return used > most / 2;
    }

    /** A connection needs more than is left, and must be given up. */
    public static final class OverBudget extends RuntimeException {
        private final long most;

        private OverBudget(long most) {
            super(null, null, false, false);
            this.most = most;
        }

        /** Shown to the user. */
        public String what() {
            return "what the server makes its connections hold takes more than the " + (most >> 10)
                    + " KiB that they share on an engine thread";
        }
    }
}
