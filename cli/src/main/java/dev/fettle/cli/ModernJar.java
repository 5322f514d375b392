package dev.fettle.cli;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/**
 * Gives the classes of a jar from the days of Java 5 the form that Java has had since version 8: with stack maps, which the
 * JVM's verifier needs to be quick, and without which it leaves a class out of its ahead-of-time cache. They do the same as
 * before. The launcher runs it once on the library that reads the command line, which is compiled for Java 5 and is most of
 * what is loaded before the first request. Not for users.
 */
final class ModernJar {
    /** Versions of class files: Java 6 has brought stack maps, Java 8 is what they become. */
    private static final int STACK_MAPS_SINCE = 50;

    private static final int JAVA_8 = 52;

    private ModernJar() {}

    /** Rewrites each jar that is named, in place. */
    public static void main(String... jars) throws IOException {
        for (String jar : jars) {
            rewrite(Path.of(jar));
        }
    }

    /** How many classes were given the new form. */
    static int rewrite(Path jar) throws IOException {
        Path fresh = Path.of(jar + ".new");
        int count = 0;
        try (var in = new JarFile(jar.toFile());
                var out = new JarOutputStream(Files.newOutputStream(fresh));
                // only to look at its classes: which is whose super class decides on the stack maps
                var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
            ClassFile classes = ClassFile.of(
                    StackMapsOption.GENERATE_STACK_MAPS,
                    ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)
                            .orElse(ClassHierarchyResolver.defaultResolver())));
            for (var entries = in.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                byte[] bytes = in.getInputStream(entry).readAllBytes();
                if (isOld(entry.getName(), bytes)) {
                    bytes = modern(classes, bytes);
                    count++;
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(bytes);
                out.closeEntry();
            }
        }
        Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
        return count;
    }

    private static boolean isOld(String name, byte[] bytes) {
        return name.endsWith(".class")
                && !name.startsWith("META-INF/")
                && !name.equals("module-info.class")
                && version(bytes) < STACK_MAPS_SINCE;
    }

    /** Major version: the fourth short. */
    static int version(byte[] bytes) {
        return (bytes[6] & 0xff) << 8 | bytes[7] & 0xff;
    }

    private static byte[] modern(ClassFile classes, byte[] bytes) {
        ClassTransform version = (builder, element) -> {
            if (element instanceof ClassFileVersion) {
                builder.withVersion(JAVA_8, 0);
            } else {
                builder.with(element);
            }
        };
        // code that is not touched would be copied as it is, without stack maps
        ClassTransform code = ClassTransform.transformingMethodBodies((builder, element) -> builder.with(element));
        return classes.transformClass(classes.parse(bytes), version.andThen(code));
    }
}
