package dev.fettle.model.key;

import java.util.Optional;

/** A section whose values can be wrong together. */
public interface Checked {
    /** What is wrong. */
    Optional<Wrong> wrong();

    /**
     * Values that do not go together.
     *
     * @param key where to say it
     * @param message what is wrong, and what would be right
     */
    record Wrong(String key, String message) {}
}
