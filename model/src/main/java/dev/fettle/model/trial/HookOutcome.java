package dev.fettle.model.trial;

import java.time.Duration;
import java.util.Optional;

/**
 * The outcome of one run of a plan's hook.
 *
 * @param where which of the plan's two lists it is in
 * @param number its position there, from 1
 * @param took until it had ended or, if it stays in the background, until it was ready
 * @param failure how it failed, in one line without secrets; empty if it succeeded
 */
public record HookOutcome(Where where, int number, Duration took, Optional<String> failure) {
    /** On which side of the target. */
    public enum Where {
        BEFORE,
        AFTER
    }
}
