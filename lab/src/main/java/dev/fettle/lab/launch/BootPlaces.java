package dev.fettle.lab.launch;

import dev.fettle.config.boot.BootArguments;
import dev.fettle.config.boot.BootConfiguration.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where Spring Boot looks for configuration files by default: in the jar, then next to it. For Spring Boot "next to it" is the
 * working directory; here it is the jar's folder, from which an app is usually started.
 */
final class BootPlaces {
    private static final List<String> ENDINGS = List.of(".properties", ".yml", ".yaml");
    private static final int MOST_BYTES = 1 << 20;

    private BootPlaces() {}

    /** Lowest precedence first: files of a later group override all files of an earlier one. */
    static List<List<Place>> groups(Path jar, BootArchive archive) {
        String classes = archive.attribute("Spring-Boot-Classes").orElse("");
        List<Place> inside = Stream.of(classes, classes + "config/")
                .map(prefix -> new Place("the jar", name -> archive.text(prefix + name)))
                .toList();
        List<Place> beside = folders(jar).stream()
                .map(folder -> new Place(folder.toString(), name -> text(folder.resolve(name))))
                .toList();
        return List.of(inside, beside);
    }

    /**
     * The {@code spring.config.additional-location} with which an app that runs elsewhere finds the configuration files next to
     * its jar; empty if there are none, or if the app reads it from other places only.
     *
     * @param jvmFlags flags of its JVM, which may name other locations
     * @param environment its environment variables, likewise
     * @throws IllegalArgumentException with a reason, if the folder's name can't be written there
     */
    static Optional<String> besideJar(Path jar, List<String> jvmFlags, Map<String, String> environment) {
        if (BootArguments.told(BootArguments.LOCATION, jvmFlags, environment).isPresent()
                || folders(jar).stream().noneMatch(BootPlaces::holdsConfiguration)) {
            return Optional.empty();
        }
        String folder = folder(jar) + "/";
        if (folder.matches(".*[,;*?].*") || folder.contains("${")) {
            throw new IllegalArgumentException(
                    "Spring Boot takes no folder with a comma, semicolon, star or ${ in its name as a location of"
                            + " configuration files: " + folder);
        }
        String beside = "optional:file:%1$s;optional:file:%1$sconfig/;optional:file:%1$sconfig/*/".formatted(folder);
        // as an argument this would hide locations given by flags and variables, so keep those, at higher precedence
        return Optional.of(BootArguments.told(BootArguments.ADDITIONAL, jvmFlags, environment)
                .map(v -> beside + "," + v)
                .orElse(beside));
    }

    private static boolean holdsConfiguration(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).anyMatch(n -> ENDINGS.stream().anyMatch(n::endsWith));
        } catch (IOException e) {
            return false; // missing or unreadable
        }
    }

    /** The folders next to a jar, lowest precedence first. */
    private static List<Path> folders(Path jar) {
        Path folder = folder(jar);
        Path config = folder.resolve("config");
        var all = new ArrayList<>(List.of(folder, config));
        if (Files.isDirectory(config)) {
            try (Stream<Path> below = Files.list(config)) {
                below.filter(Files::isDirectory).sorted().forEach(all::add);
            } catch (IOException e) {
                return all; // unreadable for us, so for the app too
            }
        }
        return all;
    }

    private static Path folder(Path jar) {
        Path absolute = jar.toAbsolutePath().normalize();
        return Optional.ofNullable(absolute.getParent()).orElse(absolute);
    }

    private static Optional<String> text(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException("larger than 1 MiB");
            }
            return Optional.of(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
