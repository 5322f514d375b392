package dev.fettle.lab.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small jars that look like those of Spring Boot from outside. */
public final class Jars {
    private final Map<String, String> entries = new LinkedHashMap<>();
    private final StringBuilder manifest = new StringBuilder("Manifest-Version: 1.0\n");

    private Jars() {}

    public static Jars empty() {
        return new Jars();
    }

    /** As Maven's and Gradle's plugins pack it. */
    public static Jars boot(String version, String... libraries) {
        var jar = new Jars()
                .attribute("Main-Class", "org.springframework.boot.loader.launch.JarLauncher")
                .attribute("Start-Class", "com.example.App")
                .attribute("Spring-Boot-Version", version)
                .attribute("Spring-Boot-Classes", "BOOT-INF/classes/")
                .attribute("Spring-Boot-Lib", "BOOT-INF/lib/");
        for (String library : libraries) {
            jar.with("BOOT-INF/lib/" + library, "");
        }
        return jar;
    }

    public static Jars tomcat() {
        return boot("4.1.1", "tomcat-embed-core-11.0.24.jar", "spring-boot-tomcat-4.1.1.jar");
    }

    public Jars attribute(String name, String value) {
        manifest.append(name).append(": ").append(value).append('\n');
        return this;
    }

    public Jars with(String entry, String text) {
        entries.put(entry, text);
        return this;
    }

    /** A file of the class path. */
    public Jars resource(String name, String text) {
        return with("BOOT-INF/classes/" + name, text);
    }

    public Path in(Path folder) throws IOException {
        Path jar = folder.resolve("app.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                var zip = new ZipOutputStream(file)) {
            put(zip, "META-INF/MANIFEST.MF", manifest.toString());
            for (var e : entries.entrySet()) {
                put(zip, e.getKey(), e.getValue());
            }
        }
        return jar;
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
