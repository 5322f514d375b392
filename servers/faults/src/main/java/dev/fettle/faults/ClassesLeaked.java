package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A class loader for every request, which is kept. */
final class ClassesLeaked implements Fault {
    private final Queue<Class<?>> kept = new ConcurrentLinkedQueue<>();
    private final byte[] template;

    ClassesLeaked() throws IOException {
        template = template();
    }

    static byte[] template() throws IOException {
        try (InputStream in = ClassesLeaked.class.getResourceAsStream("ClassesLeaked$Template.class")) {
            if (in == null) {
                throw new IOException("the template is missing");
            }
            return in.readAllBytes();
        }
    }

    /** What every loader has a copy of. */
    static final class Template {
        private Template() {}
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(null);
        }

        Class<?> define(byte[] code) {
            return defineClass(null, code, 0, code.length);
        }
    }

    @Override
    public void spoil(Visit visit) {
        kept.add(new Loader().define(template));
    }
}
