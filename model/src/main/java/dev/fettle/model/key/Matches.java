package dev.fettle.model.key;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a text looks like, as a whole. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Matches {
    /** A regular expression in Java's words and ECMAScript's: without possessive quantifiers. */
    String value();

    /** The message, with {@code %s} for the text. */
    String says();
}
