package dev.fettle.lab.web;

/** Answers requests that the guard has let in; called by several threads. */
@FunctionalInterface
public interface Site {
    Answer answer(Request request);
}
