package dev.fettle.lab.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Guesses the command that builds a missing jar, from the build files above it. */
final class BuildTool {
    /** How many levels up the build file may be: {@code app/target/app.jar}, {@code app/build/libs/app.jar}, or a module of it. */
    private static final int HIGHEST = 4;

    private BuildTool() {}

    /** "; build it first: mvn -f /home/me/app/pom.xml package", or nothing. */
    static String hint(Path jar) {
        Path folder = jar.toAbsolutePath().normalize().getParent();
        String found = "";
        for (int i = 0; i < HIGHEST && folder != null; i++, folder = folder.getParent()) {
            String here = command(folder);
            if (here.isEmpty() && !found.isEmpty()) {
                break; // the topmost build file of an unbroken chain builds everything
            }
            found = here.isEmpty() ? found : here;
        }
        return found.isEmpty() ? "" : "; build it first: " + found;
    }

    private static String command(Path folder) {
        if (Files.isRegularFile(folder.resolve("pom.xml"))) {
            return "mvn -f " + folder.resolve("pom.xml") + " package";
        }
        boolean gradle = List.of("build.gradle", "build.gradle.kts").stream()
                .anyMatch(f -> Files.isRegularFile(folder.resolve(f)));
        if (gradle) {
            return (Files.isExecutable(folder.resolve("gradlew")) ? folder.resolve("gradlew") : "gradle") + " -p "
                    + folder + " bootJar";
        }
        return "";
    }
}
