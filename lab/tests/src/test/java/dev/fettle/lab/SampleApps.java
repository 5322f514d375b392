package dev.fettle.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** The Spring Boot apps of {@code examples/boot}, built as their users build them when a test first wants one. */
public final class SampleApps {
    private static final Path FOLDER = Fixtures.home().resolve("examples/boot");

    private SampleApps() {}

    /** The jar of an app, for example {@code tomcat-4.1}, newer than its sources. */
    public static synchronized Path jar(String app) throws IOException, InterruptedException {
        Path jar = FOLDER.resolve(app + "/build/boot-" + app + ".jar");
        if (!Files.exists(jar) || newest().compareTo(Files.getLastModifiedTime(jar)) > 0) {
            build(List.of("tomcat-4.1", "jetty-4.1", "undertow-3.5", "pool-4.1"), app);
        }
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

    private static FileTime newest() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            FileTime newest = FileTime.fromMillis(0);
            for (Path file : files.filter(
                            f -> f.endsWith("pom.xml") || f.toString().contains("/src/"))
                    .toList()) {
                FileTime time = Files.getLastModifiedTime(file);
                newest = Files.isRegularFile(file) && time.compareTo(newest) > 0 ? time : newest;
            }
            return newest;
        }
    }

    /** Those that tests want, in one go. */
    private static void build(List<String> usual, String app) throws IOException, InterruptedException {
        var apps = new ArrayList<>(usual);
        if (!apps.contains(app)) {
            apps.add(app);
        }
        Path log = Files.createTempFile("fettle-sample-apps", ".log");
        var builder = new ProcessBuilder(
                "mvn",
                "-B",
                "-ntp",
                "-q",
                "-f",
                FOLDER.resolve("pom.xml").toString(),
                "-pl",
                String.join(",", apps),
                "package");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        Process maven =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        maven.getOutputStream().close();
        try {
            if (!maven.waitFor(5, TimeUnit.MINUTES) || maven.exitValue() != 0) {
                throw new AssertionError("examples/boot does not build: " + Files.readString(log));
            }
        } finally {
            maven.destroyForcibly();
            Files.delete(log);
        }
    }
}
