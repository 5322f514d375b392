package dev.fettle.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The app {@code static}: a web application of one file, which the server's own means for static files serve, at {@code /} and by its
 * name, {@code /index.css}.
 */
final class StaticFile {
    static final String APP = "static";
    private static final int DEFAULT_BYTES = 64 * 1024;

    private StaticFile() {}

    /** Writes it into a folder and gives it as what is served. */
    static Content in(Path scratch, Map<String, String> given) throws LaunchFailure {
        AppOptions options = new AppOptions(given);
        BodyType type = BodyType.of(options);
        int bytes = options.bytes("bytes", DEFAULT_BYTES);
        options.allRead(APP);
        Path folder = scratch.resolve("app");
        Path own = scratch.resolve("server"); // Jetty wants its own files beside the application's
        String name = "index." + type.ending();
        try {
            Files.createDirectories(own);
            Files.createDirectories(folder.resolve("WEB-INF"));
            Files.write(folder.resolve(name), type.bytes(bytes));
            Files.writeString(folder.resolve("WEB-INF/web.xml"), """
                    <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
                      <welcome-file-list><welcome-file>%s</welcome-file></welcome-file-list>
                    </web-app>
                    """.formatted(name));
        } catch (IOException e) {
            throw LaunchFailure.refused("cannot write " + folder + ": " + LaunchFailure.words(e));
        }
        return new War(folder, "/", own);
    }
}
