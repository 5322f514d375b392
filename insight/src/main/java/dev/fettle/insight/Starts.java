package dev.fettle.insight;

/**
 * How often a setting and the default failed to start in the same part of a run.
 *
 * @param failed starts of the setting that failed
 * @param of starts of the setting
 * @param defaultFailed starts of the default that failed
 * @param defaultOf starts of the default
 */
public record Starts(int failed, int of, int defaultFailed, int defaultOf) {
    /** The share of the setting's starts that failed, 0 without any. */
    public double share() {
        return of == 0 ? 0 : (double) failed / of;
    }

    /** The share of the default's starts that failed, 0 without any. */
    public double defaultShare() {
        return defaultOf == 0 ? 0 : (double) defaultFailed / defaultOf;
    }
}
