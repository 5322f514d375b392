package dev.fettle.model.key;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A record that a mapping of a plan is bound to; its components are the allowed keys, each with a {@link Key}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Section {
    /** Its name among the schema's definitions. */
    String value();

    /** What it is, for the schema. */
    String doc();

    /** Its name in messages: {@code a stage}; default: that of the key it stands under. One with a name of its own comes after a blank. */
    String what() default "";

    /** Sections whose keys it has, too, if it has none of the same name; whoever uses the section reads their values. */
    Class<?>[] with() default {};
}
