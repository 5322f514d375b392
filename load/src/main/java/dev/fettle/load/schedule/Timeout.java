package dev.fettle.load.schedule;

/**
 * A connection's one time-out, which is mostly put off: its alarm is set no more often than it rings, and the owner then
 * checks whether the time has come.
 */
public final class Timeout implements Alarms.Sleeper {

    private final Alarms alarms;
    private final Alarms.Sleeper owner;
    /** When it rings next. */
    private long at = Alarms.NEVER;

    public Timeout(Alarms alarms, Alarms.Sleeper owner) {
        this.alarms = alarms;
        this.owner = owner;
    }

    /** Rings no later than then. An earlier alarm stays set: mostly it rings for nothing. */
    public void arm(long time) {
        if (time < at) {
            at = time;
            alarms.set(time, this);
        }
    }

    @Override
    public void ring(long now) {
        if (now >= at) {
            at = Alarms.NEVER;
            owner.ring(now);
        }
    }
}
