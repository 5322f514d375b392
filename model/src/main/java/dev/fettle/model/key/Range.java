package dev.fettle.model.key;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The smallest and the largest value of a {@link Key}, both included, as a plan would have them. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {
    /** The smallest. */
    String from();

    /** The largest; empty: the type's. */
    String to() default "";
}
