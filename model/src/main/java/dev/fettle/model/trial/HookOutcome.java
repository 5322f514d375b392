package dev.fettle.model.trial;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of a hook of the plan when it was run.
 *
 * @param where in which of the plan's two lists it stands
 * @param number its place there, from 1
 * @param took until it had ended or, of one in the background, until it was ready
 * @param failure how it failed, in one line without secrets; empty if it did what it was to do
 */
public record HookOutcome(Where where, int number, Duration took, Optional<String> failure) {
    /** On which side of the target. */
    public enum Where {
        BEFORE,
        AFTER
    }
}
