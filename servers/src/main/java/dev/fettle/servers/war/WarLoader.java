package dev.fettle.servers.war;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of a WAR: its classes, then its libraries, then the server's. What the servlet specification gives to the
 * server alone comes from there, whatever the WAR holds.
 */
final class WarLoader extends URLClassLoader {
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    /** Of the JDK; a library may hold packages of such names, too. */
    private static final List<String> JDK =
            List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.w3c.", "org.xml.", "org.ietf.");

    private static final List<String> SERVERS =
            List.of("jakarta.servlet.", "jakarta.el.", "org.apache.jasper.", "io.undertow.", "org.xnio.");

    static {
        registerAsParallelCapable();
    }

    private final List<Path> libraries;

    private WarLoader(URL[] urls, List<Path> libraries, ClassLoader parent) {
        super("war", urls, parent);
        this.libraries = List.copyOf(libraries);
    }

    /** For an unpacked WAR. */
    static WarLoader of(Path war, ClassLoader server) throws IOException {
        List<URL> urls = new ArrayList<>();
        Path classes = war.resolve("WEB-INF/classes");
        if (Files.isDirectory(classes)) {
            urls.add(url(classes));
        }
        List<Path> libraries = new ArrayList<>();
        Path lib = war.resolve("WEB-INF/lib");
        if (Files.isDirectory(lib)) {
            try (Stream<Path> files = Files.list(lib)) {
                files.filter(f -> f.toString().endsWith(".jar")).sorted().forEach(libraries::add);
            }
        }
        for (Path library : libraries) {
            urls.add(url(library));
        }
        return new WarLoader(urls.toArray(URL[]::new), libraries, server);
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }

    /** The jars of {@code WEB-INF/lib}, by name. */
    List<Path> libraries() {
        return libraries;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null && startsWith(name, JDK)) {
                found = from(PLATFORM, name);
            }
            if (found == null && !startsWith(name, SERVERS)) {
                found = own(name);
            }
            if (found == null) {
                found = super.loadClass(name, false);
            }
            if (resolve) {
                resolveClass(found);
            }
            return found;
        }
    }

    private static boolean startsWith(String name, List<String> packages) {
        return packages.stream().anyMatch(name::startsWith);
    }

    private static @Nullable Class<?> from(ClassLoader loader, String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private @Nullable Class<?> own(String name) {
        try {
            return findClass(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> all = Collections.list(findResources(name));
        for (URL url : Collections.list(super.getResources(name))) {
            if (all.stream().noneMatch(u -> u.toString().equals(url.toString()))) {
                all.add(url);
            }
        }
        return Collections.enumeration(all);
    }
}
