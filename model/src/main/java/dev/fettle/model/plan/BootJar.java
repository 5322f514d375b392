package dev.fettle.model.plan;

import dev.fettle.model.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;

/**
 * What an executable jar of Spring Boot says of itself, without running it.
 *
 * @param version of Spring Boot, as its manifest says
 * @param server the server among its libraries
 */
record BootJar(String version, ServerKind server) {
    /** The library that stands for each server, in {@code BOOT-INF/lib} or, in a WAR, {@code WEB-INF/lib-provided}. */
    private static final Map<ServerKind, Pattern> SERVERS = Map.of(
            ServerKind.TOMCAT, Pattern.compile(".*/(?:lib|lib-provided)/tomcat-embed-core-[^/]*\\.jar"),
            ServerKind.JETTY, Pattern.compile(".*/(?:lib|lib-provided)/jetty-server-[^/]*\\.jar"),
            ServerKind.UNDERTOW, Pattern.compile(".*/(?:lib|lib-provided)/undertow-core-[^/]*\\.jar"));

    private static final Pattern NETTY = Pattern.compile(".*/lib/reactor-netty-http-[^/]*\\.jar");

    /**
     * Looks into a jar.
     *
     * @throws IllegalArgumentException with a message for the user, if it is no such jar
     */
    static BootJar of(Path jar) {
        if (!Files.exists(jar)) {
            throw new IllegalArgumentException("no such file: " + jar);
        }
        try (var file = new JarFile(jar.toFile(), false)) {
            Manifest manifest = file.getManifest();
            String version =
                    manifest == null ? null : manifest.getMainAttributes().getValue("Spring-Boot-Version");
            if (version == null) {
                throw new IllegalArgumentException(jar + " is no executable jar of Spring Boot: its manifest has no"
                        + " Spring-Boot-Version; 'java -jar' of it is a 'command' target");
            }
            return new BootJar(version, server(jar, file));
        } catch (ZipException e) {
            throw new IllegalArgumentException(jar + " is no jar: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(jar + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static ServerKind server(Path jar, JarFile file) {
        for (var e : SERVERS.entrySet()) {
            if (file.stream().map(ZipEntry::getName).map(e.getValue()::matcher).anyMatch(Matcher::matches)) {
                return e.getKey();
            }
        }
        boolean netty = file.stream().map(ZipEntry::getName).map(NETTY::matcher).anyMatch(Matcher::matches);
        throw new IllegalArgumentException(jar + " holds none of Tomcat, Jetty and Undertow"
                + (netty ? ": it runs on Netty, which Fettle can load as a 'command' target, and not tune" : ""));
    }
}
