package dev.fettle.servers.war;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Index;

/** The classes of a WAR and of its libraries, read as files by Jandex; those that somebody asks for are loaded. */
final class WarClasses {
    /** By name; the first of a name is the one that is loaded. */
    private final Map<String, ClassInfo> classes = new LinkedHashMap<>();

    private final WarLoader loader;

    private WarClasses(WarLoader loader) {
        this.loader = loader;
    }

    /** Looks at all of them. */
    static WarClasses of(Path war, WarLoader loader) throws IOException {
        WarClasses classes = new WarClasses(loader);
        classes.folder(war.resolve("WEB-INF/classes"));
        for (Path library : loader.libraries()) {
            classes.library(library);
        }
        return classes;
    }

    private void folder(Path folder) throws IOException {
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
                take(in);
            }
        }
    }

    private void library(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (Enumeration<JarEntry> e = file.entries(); e.hasMoreElements(); ) {
                JarEntry entry = e.nextElement();
                if (isClass(entry.getName())) {
                    try (InputStream in = file.getInputStream(entry)) {
                        take(in);
                    }
                }
            }
        }
    }

    /** Not those for other releases of Java, which have names of their own. */
    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.startsWith("META-INF/") && !name.endsWith("module-info.class");
    }

    private void take(InputStream in) {
        try {
            ClassInfo info = Index.singleClass(in);
            classes.putIfAbsent(info.name().toString(), info);
        } catch (IOException | RuntimeException e) {
            // a damaged class is named when somebody needs it
        }
    }

    /** The classes that carry an annotation themselves. */
    Set<Class<?>> annotated(Class<? extends Annotation> annotation) {
        return loaded(c -> c.hasDeclaredAnnotation(DotName.createSimple(annotation)));
    }

    /** What an initializer that {@code @HandlesTypes} a type is to be told: subtypes, or classes with an annotation anywhere. */
    Set<Class<?>> handled(Class<?> type) {
        return type.isAnnotation()
                ? loaded(c -> c.hasAnnotation(DotName.createSimple(type)))
                : loaded(c -> !c.name().toString().equals(type.getName())
                        && isA(c.name().toString(), type, 0));
    }

    private Set<Class<?>> loaded(Predicate<ClassInfo> wanted) {
        return classes.values().stream()
                .filter(wanted)
                .flatMap(c -> load(c.name().toString()).stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private boolean isA(String name, Class<?> type, int depth) {
        if (name.equals(type.getName())) {
            return true;
        }
        if (name.equals("java.lang.Object") || depth > 100) {
            return false;
        }
        ClassInfo info = classes.get(name);
        if (info == null) {
            return load(name).filter(type::isAssignableFrom).isPresent();
        }
        return Stream.concat(Stream.ofNullable(info.superName()), info.interfaceNames().stream())
                .anyMatch(p -> isA(p.toString(), type, depth + 1));
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
