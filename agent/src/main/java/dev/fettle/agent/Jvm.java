package dev.fettle.agent;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Objects that the JVM itself holds and from which every server can be reached: its threads with what they run, and its
 * shutdown hooks. The first call opens the package {@code java.lang} for this, only to the agent's own class loader.
 */
final class Jvm {
    private final Instrumentation jvm;
    private boolean open;

    Jvm(Instrumentation jvm) {
        this.jvm = jvm;
    }

    private synchronized void open() {
        if (!open) {
            Set<Module> us = Set.of(Jvm.class.getModule());
            jvm.redefineModule(
                    Object.class.getModule(), Set.of(), Map.of(), Map.of("java.lang", us), Set.of(), Map.of());
            open = true;
        }
    }

    /** The live platform threads; their stacks are not read. */
    List<Thread> threads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        // threads that do not fit are silently left out
        Thread[] threads;
        int count;
        do {
            threads = new Thread[root.activeCount() * 2 + 16];
            count = root.enumerate(threads);
        } while (count == threads.length);
        return Arrays.asList(threads).subList(0, count);
    }

    /** The task a thread was given to run. */
    @Nullable
    Object task(Thread thread) {
        open();
        Object holder = Beans.field(Thread.class, thread, "holder"); // from Java 19 on
        return holder == null ? Beans.field(Thread.class, thread, "target") : Beans.field(holder, "task");
    }

    /** The threads that wait for the JVM's end. */
    List<Thread> hooks() {
        open();
        try {
            Class<?> holder = Class.forName("java.lang.ApplicationShutdownHooks");
            List<Thread> hooks = new ArrayList<>();
            synchronized (holder) { // like its own methods
                Object known = Beans.field(holder, null, "hooks"); // null while the JVM ends
                Collection<?> threads = known instanceof Map ? ((Map<?, ?>) known).keySet() : List.of();
                threads.forEach(thread -> hooks.add((Thread) thread));
            }
            return hooks;
        } catch (ClassNotFoundException e) {
            return List.of();
        }
    }
}
