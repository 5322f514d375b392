package dev.fettle.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs a plan first. The method is called with a valid result that meets the plan's objective; it may take it as a {@link
 * PlanResult} and assert more. A broken objective fails the test, a void run aborts it with the reason.
 *
 * <pre>{@code
 * @FettleTest(plan = "shop.yaml", options = "--at-least=2000/s")
 * void sellsEnough(PlanResult result) {}
 * }</pre>
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(FettleExtension.class)
public @interface FettleTest {
    /** The plan: a YAML file, from the folder in which the tests run; else a resource of the test class, in a folder. */
    String plan();

    /** What is asked of it. */
    PlanCommand command() default PlanCommand.CAPACITY;

    /** More options of the command, one argument each: {@code --budget=5m}. */
    String[] options() default {};

    /** How long the command may take in all, in minutes. */
    int withinMinutes() default 30;
}
