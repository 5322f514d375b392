package dev.fettle.watch.jfr;

import java.util.Optional;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/** Reads fields of events that another version, or another recorder, may not have. */
final class EventFields {
    private EventFields() {}

    /** A number; NaN if there is none. */
    static double number(RecordedObject e, String field) {
        if (!e.hasField(field)) {
            return Double.NaN;
        }
        @Nullable Object value = e.getValue(field);
        return value instanceof Number n ? n.doubleValue() : Double.NaN;
    }

    /** A duration in milliseconds, whatever its unit in the file; 0 if there is none. */
    static double millis(RecordedObject e, String field) {
        return e.hasField(field) ? e.getDuration(field).toNanos() / 1e6 : 0;
    }

    /** A text; blank if there is none. */
    static String text(RecordedObject e, String field) {
        if (!e.hasField(field)) {
            return "";
        }
        @Nullable Object value = e.getValue(field);
        return value instanceof String s ? s : "";
    }

    /** The thread in a field. */
    static Optional<RecordedThread> thread(RecordedEvent e, String field) {
        return e.hasField(field) ? Optional.ofNullable(e.getThread(field)) : Optional.empty();
    }

    /** A thread's name: what the program gave, else what the system has. */
    static String name(RecordedThread t) {
        @Nullable String java = t.getJavaName();
        @Nullable String os = t.getOSName();
        return java != null && !java.isEmpty() ? java : os == null ? "" : os;
    }

    /** What a thread waits for: a class, and which of its objects. */
    static String lock(RecordedEvent e, String type) {
        @Nullable RecordedClass c = e.hasField(type) ? e.getClass(type) : null;
        double address = number(e, "address");
        return c == null
                ? ""
                : RecordingReader.plain(c.getName())
                        + (Double.isNaN(address) ? "" : "@" + Long.toHexString((long) address));
    }
}
