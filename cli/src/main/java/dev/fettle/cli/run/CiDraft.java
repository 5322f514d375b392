package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A CI file: a gate on each pull request, a history on main.
 *
 * @param platform whose CI
 * @param plan the plan, from the repository's root
 * @param build the command that builds a revision, without double quotes
 * @param artifact what it makes, from the repository's root; * stands for anything in a name
 */
public record CiDraft(Platform platform, String plan, String build, String artifact) {
    /** Whose CI, with the template of its file and where that is put. */
    public enum Platform {
        GITHUB("github.yml", ".github/workflows/fettle.yml", "", ""),
        GITLAB(
                "gitlab.yml",
                ".gitlab-ci.yml",
                ".gitlab/fettle.yml",
                "add to .gitlab-ci.yml: include: [{local: .gitlab/fettle.yml}]"),
        JENKINS(
                "Jenkinsfile",
                "Jenkinsfile",
                "Jenkinsfile.fettle",
                "make a pipeline whose script path is Jenkinsfile.fettle");

        private final String template;
        private final String file;
        private final String otherwise;
        private final String then;

        Platform(String template, String file, String otherwise, String then) {
            this.template = template;
            this.file = file;
            this.otherwise = otherwise;
            this.then = then;
        }

        /** What users write. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Where CI looks, from the repository's root. */
        public String file() {
            return file;
        }

        /** Where it is put if that file is there, of the project's own; empty: nowhere. */
        public String otherwise() {
            return otherwise;
        }

        /** What then has to be done, for people; empty: nothing. */
        public String then() {
            return then;
        }
    }

    /** What a shell and YAML take as it is, within double quotes or without. */
    private static final Pattern PLAIN = Pattern.compile("^[A-Za-z0-9._/*+@-]+$");

    /**
     * Of a jar or a WAR that the project's build made.
     *
     * @param root the repository's, or the folder without one
     * @param plan the plan's file
     * @param program the jar or the WAR
     * @throws dev.fettle.cli.terminal.CliException if it is none, lies outside, or a CI file would have to quote its name
     */
    public static CiDraft of(Platform platform, Path root, Path plan, String program) {
        Path file = Path.of(program).toAbsolutePath().normalize();
        String lower = file.toString().toLowerCase(Locale.ROOT);
        if (program.isEmpty() || !lower.endsWith(".jar") && !lower.endsWith(".war")) {
            throw Parse.usage("--ci compares what the project builds: name its jar or WAR, such as target/shop.jar");
        }
        String artifact = inside(root, file);
        int name = artifact.lastIndexOf('/') + 1;
        return new CiDraft(
                platform,
                inside(root, plan.toAbsolutePath().normalize()),
                build(root),
                artifact.substring(0, name) + anyVersion(artifact.substring(name)));
    }

    private static String inside(Path root, Path file) {
        if (!file.startsWith(root)) {
            throw Parse.usage("--ci: " + file + " is outside " + root + ", the project's folder");
        }
        String path = root.relativize(file).toString();
        if (!PLAIN.matcher(path).matches() || path.startsWith("-")) {
            throw Parse.usage("--ci: " + path + ": a CI file takes letters, digits and ._/+@- in a path: rename it");
        }
        return path;
    }

    /** {@code shop-1.2-SNAPSHOT.jar} as {@code shop-*.jar}: the base has another version. */
    private static String anyVersion(String name) {
        for (int i = 0; i + 1 < name.length(); i++) {
            if (name.charAt(i) == '-' && Character.isDigit(name.charAt(i + 1))) {
                return name.substring(0, i + 1) + "*" + name.substring(name.lastIndexOf('.'));
            }
        }
        return name;
    }

    private static String build(Path root) {
        if (Files.exists(root.resolve("build.gradle")) || Files.exists(root.resolve("build.gradle.kts"))) {
            return (Files.exists(root.resolve("gradlew")) ? "./gradlew" : "gradle") + " -q assemble";
        }
        return (Files.exists(root.resolve("mvnw")) ? "./mvnw" : "mvn") + " -q -DskipTests package";
    }

    /** The folder of the repository that a folder is in; itself if there is none. */
    public static Path root(Path folder) {
        for (Path f = folder; f != null; f = f.getParent()) {
            if (Files.exists(f.resolve(".git"))) {
                return f;
            }
        }
        return folder;
    }

    /** The file's text. */
    public String text() {
        return template(platform)
                .replace("PLAN_FILE", plan)
                .replace("BUILD_COMMAND", build)
                .replace("ARTIFACT", artifact);
    }

    private static String template(Platform platform) {
        try (InputStream in = CiDraft.class.getResourceAsStream("ci/" + platform.template)) {
            return new String(Objects.requireNonNull(in, platform.template).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
