package dev.fettle.examples.pool;


/** A function of the database: takes as long as a query over a network would. */
public final class Pause {
    private Pause() {}

    public static int millis(int millis) throws InterruptedException {
        Thread.sleep(millis);
        return millis;
    }
}
