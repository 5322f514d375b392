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
 * Converts the classes of an old jar, compiled for Java 5, to the class file version of Java 8: with stack maps, which
 * the JVM's verifier needs to be fast, and without which a class is left out of its ahead-of-time cache. Their
 * behaviour does not change. The launcher runs it once on the library that reads the command line, which is compiled
 * for Java 5 and is most of what is loaded before the first request. Not for users.
 */
final class ModernJar {
    /** Class file versions: stack maps came with Java 6; the result has the version of Java 8. */
    private static final int STACK_MAPS_SINCE = 50;

    private static final int JAVA_8 = 52;

    private ModernJar() {}

    /** Rewrites each named jar in place. */
    public static void main(String... jars) throws IOException {
        for (String jar : jars) {
            rewrite(Path.of(jar));
        }
    }

    /** Returns the number of classes converted. */
    static int rewrite(Path jar) throws IOException {
        Path fresh = Path.of(jar + ".new");
        int count = 0;
        try (var in = new JarFile(jar.toFile());
                var out = new JarOutputStream(Files.newOutputStream(fresh));
                // used only to inspect classes: the stack maps depend on the class hierarchy
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
                var same = new ZipEntry(entry.getName());
                same.setTimeLocal(entry.getTimeLocal()); // not now: what is built twice is the same
                out.putNextEntry(same);
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

    /** Major version: the fourth 16-bit number. */
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
        // unchanged code would be copied as it is, without stack maps
        ClassTransform code = ClassTransform.transformingMethodBodies((builder, element) -> builder.with(element));
        return classes.transformClass(classes.parse(bytes), version.andThen(code));
    }
}
