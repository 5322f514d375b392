package dev.fettle.cli.option;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The values that an option takes, both ends included, written as the option's own values are; {@link Converters} checks them. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Range {
    /** Empty: there is none. */
    String least() default "";

    /** Empty: there is none. */
    String most() default "";

    /** What would be right. Default: {@code LEAST to MOST are possible}. */
    String right() default "";
}
