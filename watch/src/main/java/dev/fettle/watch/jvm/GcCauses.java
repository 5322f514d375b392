package dev.fettle.watch.jvm;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.fettle.model.trial.Signals;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** Counts collections by cause, from the JVM's notifications. The listeners end with the connection. */
final class GcCauses {
    private static final String EXPLICIT = "System.gc()";
    private static final String HUMONGOUS = "G1 Humongous Allocation";

    private final AtomicLong explicit = new AtomicLong();
    private final AtomicLong humongous = new AtomicLong();
    private boolean listening;

    private final Consumer<GarbageCollectionNotificationInfo> each;

    /**
     * Listens to collectors.
     *
     * @param each takes what is known of each collection, on a thread of the connection
     */
    GcCauses(
            MBeanServerConnection beans,
            List<ObjectName> collectors,
            Consumer<GarbageCollectionNotificationInfo> each) {
        this.each = each;
        try {
            for (ObjectName c : collectors) {
                beans.addNotificationListener(c, (n, _) -> count(n), null, null);
            }
            listening = !collectors.isEmpty();
        } catch (IOException | InstanceNotFoundException e) {
            listening = false;
        }
    }

    private void count(Notification n) {
        if (n.getUserData() instanceof CompositeData data
                && n.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            var info = GarbageCollectionNotificationInfo.from(data);
            count(info.getGcCause());
            each.accept(info);
        }
    }

    void count(String cause) {
        if (cause.equals(EXPLICIT)) {
            explicit.incrementAndGet();
        } else if (cause.equals(HUMONGOUS)) {
            humongous.incrementAndGet();
        }
    }

    /** Adds the counts so far. */
    void read(Map<String, Double> figures, Map<String, String> notObserved) {
        if (listening) {
            figures.put(Signals.GC_EXPLICIT, (double) explicit.get());
            figures.put(Signals.GC_HUMONGOUS, (double) humongous.get());
        } else {
            notObserved.put(Signals.GC_EXPLICIT, "the JVM does not report why it collects");
            notObserved.put(Signals.GC_HUMONGOUS, "the JVM does not report why it collects");
        }
    }
}
