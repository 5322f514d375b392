package dev.fettle.servers.app;

import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What the command line asks to serve. */
public sealed interface Serving {

    /** Its name in the READY line. */
    String name();

    /** Creates it; a {@link LaunchFailure} says what is not valid. */
    Content content() throws LaunchFailure;

    /**
     * A sample application.
     *
     * @param options without their {@code app.} prefix
     */
    record Sample(String name, Map<String, String> options) implements Serving {
        public Sample {
            options = Map.copyOf(options);
        }

        @Override
        public Content content() throws LaunchFailure {
            return new CountedApp(Apps.create(name, options));
        }
    }

    /**
     * The app {@code static}: a web application of one file, which the server's own means for static files serve, at {@code /} and
     * by its name, {@code /index.css}.
     *
     * @param given its options, without their {@code app.} prefix
     */
    record StaticFile(Path scratch, Map<String, String> given) implements Serving {
        static final String APP = "static";
        private static final int DEFAULT_BYTES = 64 * 1024;

        public StaticFile {
            given = Map.copyOf(given);
        }

        @Override
        public String name() {
            return APP;
        }

        @Override
        public Content content() throws LaunchFailure {
            AppOptions options = new AppOptions(given);
            BodyType type = BodyType.of(options);
            int bytes = options.bytes("bytes", DEFAULT_BYTES);
            options.allRead(APP);
            Path folder = scratch.resolve("app");
            Path own = scratch.resolve("server"); // Jetty wants its own files next to the application's
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

    /** A WAR's folder; {@link War} explains the three parameters. */
    record WarFolder(Path folder, String context, Path scratch) implements Serving {
        @Override
        public String name() {
            return "war";
        }

        @Override
        public Content content() throws LaunchFailure {
            if (!Files.isDirectory(folder) || !Files.isDirectory(scratch)) {
                throw LaunchFailure.badArgument("war=" + folder + " scratch=" + scratch + ": two folders are wanted");
            }
            if (!context.startsWith("/") || (context.length() > 1 && context.endsWith("/"))) {
                throw LaunchFailure.badArgument("context=" + context + ": / or a path like /shop is wanted");
            }
            return new War(
                    folder.toAbsolutePath().normalize(),
                    context,
                    scratch.toAbsolutePath().normalize());
        }
    }

    /**
     * Reads it from the command line.
     *
     * @param plain the keys that are not knobs
     * @param options options of a sample application
     */
    static Serving of(Map<String, String> plain, Map<String, String> options) throws LaunchFailure {
        String war = plain.get("war");
        if (war == null && StaticFile.APP.equals(plain.get("app"))) {
            String scratch = plain.get("scratch");
            if (scratch == null || !Files.isDirectory(Path.of(scratch))) {
                throw LaunchFailure.badArgument("app=static needs scratch=FOLDER, for the file and the server's own");
            }
            return new StaticFile(Path.of(scratch).toAbsolutePath().normalize(), options);
        }
        if (war == null) {
            if (plain.containsKey("context") || plain.containsKey("scratch")) {
                throw LaunchFailure.badArgument("context and scratch go with war=FOLDER");
            }
            return new Sample(Units.oneOf("app", plain, Apps.NAMES), options);
        }
        if (plain.containsKey("app") || !options.isEmpty()) {
            throw LaunchFailure.badArgument("app and war are both given: a server has one of them");
        }
        String scratch = plain.get("scratch");
        if (scratch == null) {
            throw LaunchFailure.badArgument("war needs scratch=FOLDER, for the server's own files");
        }
        return new WarFolder(Path.of(war), plain.getOrDefault("context", "/"), Path.of(scratch));
    }
}
