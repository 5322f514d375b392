package dev.fettle.watch.jvm.answer;

import java.io.Serial;

/** Read from what a {@link java.util.LinkedHashMap} has written. */
final class LinkedHashMap extends HashMap {
    /** That of {@link java.util.LinkedHashMap}. */
    @Serial
    private static final long serialVersionUID = 3801124242820219131L;
}
