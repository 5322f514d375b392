package dev.fettle.model.key;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which keys of a {@link Section} go together. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Rule.All.class)
public @interface Rule {
    /** What holds for the keys. */
    Kind kind();

    /** The keys with blanks between them; {@code background=true} is one with this value. */
    String keys();

    /** The message, with {@code %s} for the mapping and {@code %2$s} for the last of the keys that is there: at the last of the keys that is there or, if none is there, at the mapping. */
    String says();

    /** A key with which the rule does not hold; empty: none. */
    String unless() default "";

    /** Whether the message is at the mapping in any case. */
    boolean whole() default false;

    /** What can hold for some keys. */
    enum Kind {
        /** At most one of them is there. */
        NOT_BOTH,
        /** One of them is there, or several. */
        SOME,
        /** Exactly one of them is there. */
        ONE,
        /** The first is there only with one of the others. */
        NEEDS,
        /** The first is there with none of the others; each that is there is reported. */
        ALONE
    }

    /** Several rules. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {
        Rule[] value();
    }
}
