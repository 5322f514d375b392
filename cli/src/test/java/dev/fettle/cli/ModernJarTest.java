package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ModernJarTest {
    @TempDir
    Path folder;

    private Path copy() throws Exception {
        Path own = Path.of(CommandLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return Files.copy(own, folder.resolve("picocli.jar"));
    }

    private static TreeMap<String, Integer> versions(Path jar) throws IOException {
        var versions = new TreeMap<String, Integer>();
        try (var file = new JarFile(jar.toFile())) {
            for (JarEntry e : file.stream().toList()) {
                byte[] bytes = file.getInputStream(e).readAllBytes();
                versions.put(e.getName(), e.getName().endsWith(".class") ? ModernJar.version(bytes) : bytes.length);
            }
        }
        return versions;
    }

    @Test
    void oldClassesGetStackMapsAndEverythingElseStays() throws Exception {
        Path jar = copy();
        var before = versions(jar);
        int count = ModernJar.rewrite(jar);
        assertThat(count).isPositive();
        var after = versions(jar);
        assertThat(after.keySet()).isEqualTo(before.keySet());
        before.forEach((name, was) -> assertThat(after.get(name))
                .as(name)
                .isEqualTo(name.endsWith(".class") && was < 50 && !name.equals("module-info.class") ? 52 : was));
        assertThat(ModernJar.rewrite(jar)).as("a second time").isZero();
    }

    /** Each is verified by the JVM when it is linked: wrong stack maps would be refused. */
    @Test
    void allOfThemAreAcceptedByTheVerifierAndWork() throws Exception {
        Path jar = copy();
        ModernJar.rewrite(jar);
        try (var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
                var file = new JarFile(jar.toFile())) {
            for (JarEntry e : file.stream().toList()) {
                String name = e.getName();
                if (name.startsWith("picocli/") && name.endsWith(".class") && !name.contains("groovy")) {
                    Class<?> one = Class.forName(
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'), false, loader);
                    one.getDeclaredMethods(); // links it
                }
            }
            Class<?> line = Class.forName("picocli.CommandLine", true, loader);
            Object help = line.getMethod("getUsageMessage")
                    .invoke(line.getConstructor(Object.class)
                            .newInstance(Class.forName("picocli.CommandLine$HelpCommand", true, loader)
                                    .getConstructor()
                                    .newInstance()));
            assertThat(help).asString().contains("Usage:");
        }
    }
}
