package dev.fettle.model.key;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the names in a mapping look like, if the plan's author chooses them. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Names {
    /** A regular expression as in {@link Matches}. */
    String value();

    /** The message, with {@code %s} for the name. */
    String says();

    /** How many there are at least; with {@link #tooFew}. */
    int least() default 0;

    /** The message if there are fewer. */
    String tooFew() default "";
}
