package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** The Spring Boot apps of {@code examples/boot}, which the build makes before these tests. */
public final class SampleApps {
    private static final Path FOLDER = Fixtures.home().resolve("examples/boot");

    private SampleApps() {}

    /** The jar of an app, for example {@code tomcat-4.1}. */
    public static Path jar(String app) {
        Path jar = FOLDER.resolve(app + "/build/boot-" + app + ".jar");
        assertThat(jar).as("built by: mvn -f examples/boot/pom.xml package").exists();
        return jar;
    }

    /** The properties that the libraries in a jar say that they know. */
    public static Set<String> properties(Path jar) throws IOException {
        var names = new TreeSet<String>();
        var json = new ObjectMapper();
        try (var app = new ZipFile(jar.toFile())) {
            for (ZipEntry library : Collections.list(app.entries())) {
                if (!library.getName().endsWith(".jar")) {
                    continue;
                }
                try (var entries = new ZipInputStream(app.getInputStream(library))) {
                    for (ZipEntry e = entries.getNextEntry(); e != null; e = entries.getNextEntry()) {
                        if (e.getName().equals("META-INF/spring-configuration-metadata.json")) {
                            json.readTree(entries.readAllBytes())
                                    .path("properties")
                                    .forEach(p -> names.add(p.path("name").asText()));
                        }
                    }
                }
            }
        }
        return names;
    }
}
