package dev.fettle.model.read;

import java.util.Optional;

/** A record of keys as a plan has them, which stands for something of the model. */
interface Written<T> {
    /** What it stands for; empty if a problem was reported. */
    Optional<T> value(Reading reading);
}
