package dev.fettle.lab.measure;

import java.time.Duration;
import java.util.Set;

/**
 * How a target is loaded.
 *
 * @param cpus for the generator's threads; empty: not pinned
 * @param drain how long to wait for answers when the load's time is over
 * @param kept whether the target is used again: then observations under one load are not noted on it, and a lack of
 *     answers under one is not a failure
 */
public record LoadMode(Set<Integer> cpus, Duration drain, boolean kept) {}
