package dev.fettle.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What the command line asks to serve. */
sealed interface Serving {

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
     * A static file.
     *
     * @param options without their {@code app.} prefix
     */
    record OneFile(Path scratch, Map<String, String> options) implements Serving {
        public OneFile {
            options = Map.copyOf(options);
        }

        @Override
        public String name() {
            return StaticFile.APP;
        }

        @Override
        public Content content() throws LaunchFailure {
            return StaticFile.in(scratch, options);
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
            return new OneFile(Path.of(scratch).toAbsolutePath().normalize(), options);
        }
        if (war == null) {
            if (plain.containsKey("context") || plain.containsKey("scratch")) {
                throw LaunchFailure.badArgument("context and scratch go with war=FOLDER");
            }
            return new Sample(Launch.oneOf("app", plain, Apps.NAMES), options);
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
