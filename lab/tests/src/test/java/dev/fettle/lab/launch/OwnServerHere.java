package dev.fettle.lab.launch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * One of Fettle's own servers in this JVM: it gets the arguments that it would get in a process of its own, and what it reports is read in the
 * same way. For settings of the server: those of the JVM and the process need one.
 */
final class OwnServerHere implements AutoCloseable {
    /** They log how they start, where nobody asks. */
    private static final List<Logger> QUIET = Stream.of(
                    "org.apache", "org.eclipse.jetty", "io.undertow", "org.xnio", "org.jboss")
            .map(Logger::getLogger)
            .toList();

    static {
        QUIET.forEach(l -> l.setLevel(Level.WARNING));
    }

    /** A server's classes are loaded once, however often it is started. */
    private static final Map<List<String>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

    private final Object server;
    private final ClassLoader classes;
    private final RunningTarget running;

    private OwnServerHere(Object server, ClassLoader classes, RunningTarget running) {
        this.server = server;
        this.classes = classes;
        this.running = running;
    }

    /** Starts one with a sample app that needs no files, and reads what it reports. */
    static OwnServerHere start(Target.Embedded target, Setting setting) throws Exception {
        var arguments = new ArrayList<String>();
        arguments.add("server=" + target.server().id());
        arguments.add("app=" + target.app());
        target.options().forEach((name, value) -> arguments.add("app." + name + "=" + value));
        setting.values().forEach((knob, value) -> {
            if (!Knobs.ofServer(knob)) {
                throw new IllegalArgumentException(knob + " is not of the server");
            }
            arguments.add(knob + "=" + value);
        });
        ClassLoader classes = LOADERS.computeIfAbsent(TargetParts.classPath(target), OwnServerHere::loader);
        return with(classes, () -> {
            Class<?> launch = classes.loadClass("dev.fettle.servers.launch.Launch");
            Object parsed =
                    launch.getMethod("parse", String[].class).invoke(null, (Object) arguments.toArray(String[]::new));
            Object server = method(classes, "start", launch).invoke(null, parsed);
            JsonNode ready =
                    new ObjectMapper().valueToTree(method(classes, "ready").invoke(server));
            var address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), ready.path("port").asInt());
            var running = new RunningTarget(address, Optional.empty(), 0);
            running.describe(ready, ready.path("effective"), setting);
            return new OwnServerHere(server, classes, running);
        });
    }

    RunningTarget running() {
        return running;
    }

    @Override
    public void close() throws Exception {
        running.close();
        with(classes, () -> method(classes, "stop").invoke(server));
    }

    private static Method method(ClassLoader classes, String name, Class<?>... parameters) throws Exception {
        Method method = classes.loadClass("dev.fettle.servers.Target").getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }

    private interface Call<T> {
        T call() throws Exception;
    }

    /** As in a JVM that has no other classes; what the server throws comes as it is. */
    private static <T> T with(ClassLoader classes, Call<T> call) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            return call.call();
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception thrown ? thrown : e;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static ClassLoader loader(List<String> classPath) {
        try {
            var urls = new ArrayList<URL>();
            for (String part : classPath) {
                Path path = Fixtures.home().resolve(part);
                for (File file : Files.isDirectory(path) ? path.toFile().listFiles() : new File[] {path.toFile()}) {
                    urls.add(file.toURI().toURL());
                }
            }
            return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
