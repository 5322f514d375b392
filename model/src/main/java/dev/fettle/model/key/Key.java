package dev.fettle.model.key;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A key of a {@link Section}. The component's type says what its value is: text, a whole number, true or false, a duration, an
 * enum, another section, a list or a mapping of these. One that is left out is empty, or what {@link Default} says.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {
    /** What it is, for the schema. */
    String value();

    /** Its name, if it is not the component's: {@code in-flight} is that of {@code inFlight}. */
    String name() default "";

    /** A right value, if the key can't be left out. */
    String required() default "";

    /** How a value is written, if its type does not say it. */
    Form form() default Form.BY_TYPE;

    /** The section, if it is not the component's type. */
    Class<?> of() default void.class;

    /** What an item of the list is called in messages. */
    String item() default "";

    /** Whether each item of the list is there once. */
    boolean distinct() default false;

    /** Whether its value may stand in place of the whole mapping: {@code tls: true}. Then it is no key. */
    boolean alone() default false;
}
