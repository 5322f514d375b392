package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A class that is looked up for every request, through a loader that takes its time: while the JVM calls the loader there is a native
 * frame on the stack, so that a virtual thread can't leave its carrier, on any JDK.
 */
final class VirtualPinned implements Fault {
    private static final long MILLIS = 5;

    private final AtomicLong names = new AtomicLong();
    private final ClassLoader plugins = new Plugins();

    private static final class Plugins extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        Plugins() {
            super(null); // it asks nobody else, whose locks others may hold
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                Thread.sleep(MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new ClassNotFoundException(name);
        }
    }

    @Override
    public void spoil(Visit visit) {
        try {
            Class.forName("plugins.Theme" + names.incrementAndGet() % 100_000, false, plugins);
        } catch (ClassNotFoundException e) {
            // the page does without it
        }
    }
}
