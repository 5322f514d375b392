package dev.fettle.model.read;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;

/** What a standalone server's own files set. They are in the servers' own formats, which the model does not know. */
@FunctionalInterface
public interface OwnConfiguration {
    /** Nothing is read. */
    OwnConfiguration UNREAD = target -> Setting.DEFAULT;

    /**
     * The knobs that the files set.
     *
     * @throws IllegalArgumentException with one line for the user, if they can't be read
     */
    Setting of(Target.Standalone target);
}
