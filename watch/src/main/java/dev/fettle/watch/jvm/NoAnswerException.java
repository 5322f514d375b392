package dev.fettle.watch.jvm;

import java.io.IOException;

/** A JVM did not answer in time; it may still do later what it was asked. */
public final class NoAnswerException extends IOException {
    NoAnswerException(String message) {
        super(message);
    }
}
