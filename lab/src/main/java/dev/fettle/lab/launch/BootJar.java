package dev.fettle.lab.launch;

import dev.fettle.config.boot.BootConfiguration;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.read.OwnConfiguration.BootApp;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Inspects an executable Spring Boot jar or WAR without running it. */
public final class BootJar {
    private static final Pattern NETTY = library("reactor-netty-http");

    private BootJar() {}

    /**
     * Finds Spring Boot's version, and which of the bundled servers it starts.
     *
     * @throws IllegalArgumentException with a message for the user, if it is not such a jar
     */
    public static BootApp of(Path jar) {
        if (!Files.exists(jar)) {
            throw new IllegalArgumentException("no such file: " + jar + BuildTool.hint(jar));
        }
        try (var archive = BootArchive.open(jar)) {
            Optional<String> version = archive.attribute("Spring-Boot-Version");
            if (version.isEmpty()) {
                throw new IllegalArgumentException(jar + " is no executable jar of Spring Boot: its manifest has no"
                        + " Spring-Boot-Version; 'java -jar' of it is a 'command' target" + plain(jar));
            }
            if (archive.attribute("Main-Class").isEmpty()) {
                throw new IllegalArgumentException(
                        jar + " cannot be started: its manifest has no Main-Class" + plain(jar));
            }
            return new BootApp(server(jar, version.get(), archive), version.get());
        } catch (IOException e) {
            throw new IllegalArgumentException(jar + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** An app's own configuration. */
    public static BootConfiguration configuration(Target.Boot app) {
        return configuration(
                Path.of(app.jar()), app.server(), app.arguments(), app.jvm().flags(), System.getenv());
    }

    static BootConfiguration configuration(
            Path jar,
            ServerKind server,
            List<String> arguments,
            List<String> jvmFlags,
            Map<String, String> environment) {
        var files = new BootConfiguration.Files() {
            @Override
            public String name() {
                return jar.toString();
            }

            @Override
            public void open(Consumer<List<List<BootConfiguration.Place>>> receiver) throws IOException {
                try (var archive = BootArchive.open(jar)) {
                    receiver.accept(BootPlaces.groups(jar, archive));
                }
            }
        };
        return BootConfiguration.of(files, server, arguments, jvmFlags, environment);
    }

    /** Gradle and Maven leave the jar without libraries next to the executable one. */
    private static String plain(Path jar) {
        String name = String.valueOf(jar.getFileName());
        return name.endsWith("-plain.jar") || name.endsWith(".jar.original")
                ? "; the executable one lies next to it, without 'plain' or 'original' in its name"
                : "";
    }

    /**
     * If there are several servers, the one whose auto-configuration comes first. Up to version 3, Spring Boot tries Tomcat,
     * Jetty, Undertow in this order ({@code ServletWebServerFactoryAutoConfiguration}), which is that of {@link ServerKind}. Spring Boot 4 has a
     * module per server, without which the server's library does nothing, and tries them by name, so Jetty first.
     */
    private static ServerKind server(Path jar, String version, BootArchive archive) {
        List<String> libraries = archive.libraries().toList();
        Stream<ServerKind> order = version.matches("[1-3]\\..*")
                ? Arrays.stream(ServerKind.values())
                        .filter(s -> among(libraries, library(s.rules().library())))
                : Arrays.stream(ServerKind.values())
                        .filter(s -> s.rules()
                                .bootModule()
                                .filter(m -> among(libraries, library(m)))
                                .isPresent())
                        .sorted(Comparator.comparing(ServerKind::id));
        return order.findFirst()
                .orElseThrow(() -> new IllegalArgumentException(jar + " holds none of " + ServerKind.all()
                        + (among(libraries, NETTY)
                                ? ": it runs on Netty, which Fettle can load as a 'command' target, and not tune"
                                : " among its libraries")));
    }

    private static Pattern library(String name) {
        return Pattern.compile("^(?:.*/)?" + Pattern.quote(name) + "-[0-9][^/]*\\.jar");
    }

    private static boolean among(List<String> libraries, Pattern library) {
        return libraries.stream().anyMatch(l -> library.matcher(l).matches());
    }
}
