package dev.fettle.load.script;

/** Looks in bodies for what is wanted of them. */
sealed interface BodyCheck extends ResponseSink permits BodyMatcher, EchoMatcher {

    /** One that looks for the same. */
    BodyCheck another();

    /** Whether it was in the body, now that this is complete. */
    boolean found();
}
