package dev.fettle.watch.jvm;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM reports about a thread, as far as it is needed. A {@link java.lang.management.ThreadInfo} made of the same answer compares
 * the types of all fields of each frame first.
 *
 * @param lock what it waits for: the class and the identity hash of an object; empty if it waits for none
 * @param owner the thread that holds it; -1 if none does, or it is not known
 * @param waits how often it has waited so far, or was blocked, or other figures that grow when it moves; 0 if that was not asked for
 * @param stack its innermost frames, without lines unless these were asked for
 */
public record SeenThread(
        long id, String name, Thread.State state, String lock, long owner, long waits, StackTraceElement[] stack) {
    static final ObjectName BEAN = bean();
    static final String[] SIGNATURE = {long[].class.getName(), int.class.getName()};

    private static final StackTraceElement[] NONE = {};

    /** One of which it is not known how often it has waited. */
    public SeenThread(long id, String name, Thread.State state, String lock, long owner, StackTraceElement[] stack) {
        this(id, name, state, lock, owner, 0, stack);
    }

    private static ObjectName bean() {
        try {
            return new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e); // it is a constant
        }
    }

    /**
     * From an answer, in which nothing stands for a thread that has ended.
     *
     * @param whole also with the lines of its frames, and how often it has waited
     */
    static List<SeenThread> of(@Nullable CompositeData[] answer, boolean whole) {
        var seen = new ArrayList<SeenThread>(answer.length);
        for (@Nullable CompositeData t : answer) {
            if (t != null) {
                @Nullable Object lock = t.get("lockName");
                seen.add(new SeenThread(
                        (Long) t.get("threadId"),
                        (String) t.get("threadName"),
                        Thread.State.valueOf((String) t.get("threadState")),
                        lock == null ? "" : (String) lock,
                        (Long) t.get("lockOwnerId"),
                        whole ? (Long) t.get("waitedCount") + (Long) t.get("blockedCount") : 0,
                        stack((CompositeData[]) t.get("stackTrace"), whole)));
            }
        }
        return seen;
    }

    private static StackTraceElement[] stack(CompositeData[] frames, boolean lines) {
        if (frames.length == 0) {
            return NONE;
        }
        var stack = new StackTraceElement[frames.length];
        for (int i = 0; i < frames.length; i++) {
            stack[i] = new StackTraceElement(
                    (String) frames[i].get("className"),
                    (String) frames[i].get("methodName"),
                    null,
                    lines ? (Integer) frames[i].get("lineNumber") : -1);
        }
        return stack;
    }

    /** The class of what it waits for. */
    String lockClass() {
        int at = lock.indexOf('@');
        return at < 0 ? lock : lock.substring(0, at);
    }
}
