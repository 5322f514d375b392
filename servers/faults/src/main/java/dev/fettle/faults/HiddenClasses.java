package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Code that is generated for every request, as by an expression language without a cache, and kept. */
final class HiddenClasses implements Fault {
    private final Queue<Class<?>> kept = new ConcurrentLinkedQueue<>();
    private final byte[] template;

    HiddenClasses() throws IOException {
        template = ClassesLeaked.template();
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        try {
            kept.add(MethodHandles.lookup().defineHiddenClass(template, false).lookupClass());
        } catch (IllegalAccessException e) {
            throw new IOException(e);
        }
    }
}
