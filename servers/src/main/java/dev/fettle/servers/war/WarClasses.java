package dev.fettle.servers.war;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The classes of a WAR and of its libraries, by their heads; those that somebody asks for are loaded. */
final class WarClasses {
    private final Map<String, ClassHeader> headers = new LinkedHashMap<>();
    private final WarLoader loader;

    private WarClasses(WarLoader loader) {
        this.loader = loader;
    }

    /**
     * Looks at all of them.
     *
     * @param annotations whose mention is of interest
     */
    static WarClasses of(Path war, WarLoader loader, Set<Class<?>> annotations) throws IOException {
        WarClasses classes = new WarClasses(loader);
        Set<String> wanted = new LinkedHashSet<>();
        annotations.forEach(a -> wanted.add(a.descriptorString()));
        classes.folder(war.resolve("WEB-INF/classes"), wanted);
        for (Path library : loader.libraries()) {
            classes.library(library, wanted);
        }
        return classes;
    }

    private void folder(Path folder, Set<String> wanted) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(f -> isClass(folder.relativize(f).toString()))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                take(in, wanted);
            }
        }
    }

    private void library(Path jar, Set<String> wanted) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (Enumeration<JarEntry> e = file.entries(); e.hasMoreElements(); ) {
                JarEntry entry = e.nextElement();
                if (isClass(entry.getName())) {
                    try (InputStream in = file.getInputStream(entry)) {
                        take(in, wanted);
                    }
                }
            }
        }
    }

    /** Not those for other releases of Java, which have names of their own. */
    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.startsWith("META-INF/") && !name.endsWith("module-info.class");
    }

    private void take(InputStream in, Set<String> wanted) {
        try {
            ClassHeader header = ClassHeader.read(in, wanted);
            headers.putIfAbsent(header.name(), header);
        } catch (IOException e) {
            // a damaged class is named when somebody needs it
        }
    }

    /** The classes that carry an annotation themselves. */
    List<Class<?>> annotated(Class<?> annotation) {
        String descriptor = annotation.descriptorString();
        List<Class<?>> found = new ArrayList<>();
        for (ClassHeader header : headers.values()) {
            if (header.mentions().contains(descriptor)) {
                load(header.name())
                        .filter(c -> Stream.of(c.getAnnotations()).anyMatch(a -> a.annotationType() == annotation))
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    /** What an initializer that {@code @HandlesTypes} a type is to be told: subtypes, or classes that name an annotation. */
    Set<Class<?>> handled(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (ClassHeader header : headers.values()) {
            boolean wanted = type.isAnnotation()
                    ? header.mentions().contains(type.descriptorString())
                    : !header.name().equals(type.getName()) && isA(header.name(), type, 0);
            if (wanted) {
                load(header.name()).ifPresent(found::add);
            }
        }
        return found;
    }

    private boolean isA(String name, Class<?> type, int depth) {
        if (name.equals(type.getName())) {
            return true;
        }
        if (name.equals("java.lang.Object") || depth > 100) {
            return false;
        }
        ClassHeader header = headers.get(name);
        if (header != null) {
            return header.parents().stream().anyMatch(p -> isA(p, type, depth + 1));
        }
        return load(name).filter(type::isAssignableFrom).isPresent();
    }

    /** A class whose own dependencies are missing is passed over, as the specification wants it. */
    private Optional<Class<?>> load(String name) {
        try {
            return Optional.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }
}
