package dev.fettle.load.script;

/** Searches bodies for what an expectation demands. */
sealed interface BodyCheck extends ResponseSink permits BodyMatcher, EchoMatcher {

    /** A copy that searches for the same. */
    BodyCheck another();

    /** Whether it was in the body; to be asked when the body is complete. */
    boolean found();
}
