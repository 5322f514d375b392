package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fettle gate}: what it refuses, each in one line and before anything is run. */
class GateCommandTest {
    @TempDir
    Path folder;

    private Fettle.Ended gate(String... arguments) {
        var all = new ArrayList<>(List.of("gate"));
        all.addAll(List.of(arguments));
        return new Fettle(folder).here(all.toArray(String[]::new));
    }

    private void refuses(Fettle.Ended e, String... parts) {
        assertThat(e.code()).as(e.err()).isEqualTo(2);
        assertThat(e.err().lines()).as(e.err()).hasSize(1);
        assertThat(e.err()).contains(parts);
        assertThat(folder.resolve(".fettle/journal.db")).doesNotExist();
    }

    /** A jar of Spring Boot by its manifest and its libraries, whose only class is of this release. */
    private Path boot(String name, int release, String content) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
        manifest.getMainAttributes().putValue("Spring-Boot-Version", "3.5.0");
        Path jar = folder.resolve(name);
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry("BOOT-INF/lib/tomcat-embed-core-10.1.40.jar"));
            out.closeEntry();
            out.putNextEntry(new JarEntry("BOOT-INF/classes/Main.class"));
            out.write(new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, (byte) (release + 44)});
            out.closeEntry();
            out.putNextEntry(new JarEntry("BOOT-INF/classes/content.txt"));
            out.write(content.getBytes(StandardCharsets.UTF_8));
            out.closeEntry();
        }
        return jar;
    }

    @Test
    void theSameProgramOnBothSides() throws Exception {
        Path jar = boot("a.jar", 17, "x");
        Path copy = Files.copy(jar, folder.resolve("b.jar"));
        refuses(gate(jar.toString(), jar.toString()), "same program", "--aa");
        refuses(gate(jar.toString(), copy.toString()), "same program", "--aa");
    }

    @Test
    void aHeadThatNeedsANewerJava() throws Exception {
        Path old = boot("old.jar", 17, "x");
        Path tomorrow = boot("new.jar", 99, "y");
        refuses(gate(old.toString(), tomorrow.toString()), "the head", "Java 99");
        refuses(gate(tomorrow.toString(), old.toString()), "the base", "Java 99");
    }

    /** Any executable jar: how it is run has to be said, and by which option is named. */
    @Test
    void aJarThatIsNotSpringBoots() throws Exception {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
        Path jar = folder.resolve("plain.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        Path other = boot("other.jar", 17, "y");
        refuses(gate(jar.toString(), other.toString()), "plain.jar", "--run \"{java} -jar {program} {port}\"");
        refuses(gate(jar.toString(), other.toString(), "--run", "{java} -jar {program}"), "lacks {port}");
        refuses(gate(jar.toString(), other.toString(), "--run", "{java} -jar app.jar {port}"), "lacks {program}");
        refuses(gate(jar.toString(), "none.jar", "--run", "{java} -jar {program} {port}"), "there is no none.jar");
        refuses(gate("x {port}", "y {port}", "--run", "{java} -jar {program} {port}"), "this is a command itself");
        Path copy = Files.copy(jar, folder.resolve("copy.jar"));
        refuses(gate(jar.toString(), copy.toString(), "--run", "{java} -jar {program} {port}"), "same program", "--aa");
    }

    @Test
    void programsThatAreNotThere() throws Exception {
        Path jar = boot("old.jar", 17, "x");
        refuses(gate(jar.toString(), folder.resolve("none.jar").toString()), "none.jar");
        refuses(gate("java -jar x.jar", "java -jar y.jar"), "{port}");
        refuses(gate("java -jar x.jar {port} | tee log", "java -jar y.jar {port}"), "'|'", "shell");
        Path text = Files.writeString(folder.resolve("notes.txt"), "no program");
        refuses(gate(jar.toString(), text.toString()), "notes.txt");
    }

    @Test
    void whatIsMissingOrNamedTwice() throws Exception {
        String jar = boot("old.jar", 17, "x").toString();
        String other = boot("new.jar", 17, "y").toString();
        String plan = Files.writeString(
                        folder.resolve("p.yaml"), "name: p\ntarget: {boot: old.jar}\nload: {connections: 4}\n")
                .toString();
        refuses(gate(), "two programs");
        refuses(gate(jar), "compared with what");
        refuses(gate(plan, "--base", jar), "--head is missing");
        refuses(gate(plan, "--head", jar), "--base is missing");
        refuses(gate(jar, other, "--head", other), "twice");
        refuses(gate(jar, other, "--aa"), "--aa", "one");
        refuses(gate(plan, "--base", jar, "--head", other, "--path", "/x"), "--path is the plan's");
        refuses(gate("--base-ref", "main"), "--artifact is missing");
        refuses(gate("--build", "true", "--artifact", "x.jar"), "--base-ref is missing");
    }

    @Test
    void whatIsAllowedHasToMakeSense() throws Exception {
        String jar = boot("old.jar", 17, "x").toString();
        String other = boot("new.jar", 17, "y").toString();
        refuses(gate(jar, other, "--allow", "three"), "--allow three");
        refuses(gate(jar, other, "--allow", "0%"), "above 0 %");
        refuses(
                gate(jar, other, "--allow", "speed=3%"),
                "throughput, p50, p99, errors, cpu, allocation, memory, start");
        refuses(gate(jar, other, "--cant-tell", "shrugs"), "--cant-tell", "says, fails, passes, warns");
        refuses(gate(jar, other, "--rate", "fast"), "--rate fast");
        refuses(gate(jar, other, "--path", "no slash"), "--path");
    }

    /** The plan holds a property that only one of the two has is the plan's business; a target that can't take the program is refused. */
    @Test
    void aPlanThatFitsOnlyOneOfTheTwo() throws Exception {
        String jar = boot("old.jar", 17, "x").toString();
        Path plain = folder.resolve("plain.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(plain), new Manifest())) {
            out.putNextEntry(new JarEntry("x"));
            out.closeEntry();
        }
        String plan = Files.writeString(
                        folder.resolve("p.yaml"), "name: p\ntarget: {boot: old.jar}\nload: {connections: 4}\n")
                .toString();
        refuses(gate(plan, "--base", jar, "--head", plain.toString()), "plain.jar");
        String url = Files.writeString(
                        folder.resolve("u.yaml"),
                        "name: u\ntarget: {url: \"http://127.0.0.1:1/\"}\nload: {connections: 4}\n")
                .toString();
        refuses(gate(url, "--base", jar, "--head", plain.toString()), "does not start");
    }

    private int git(String... arguments) throws Exception {
        var command = new ArrayList<>(
                List.of("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"));
        command.addAll(List.of(arguments));
        Process p = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(p.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return p.exitValue();
    }

    /** The command in the repository, in a process of its own. */
    private Fettle.Ended inRepository(String... more) throws Exception {
        var all = new ArrayList<>(List.of("gate", "--artifact", "app.jar", "--base-ref"));
        all.addAll(List.of(more));
        return new Fettle(folder).run(all.toArray(String[]::new));
    }

    @Test
    void revisionsThatCannotBeCompared() throws Exception {
        refuses(inRepository("main"), "no git repository");
        git("init");
        boot("app.jar", 17, "1");
        Files.writeString(folder.resolve("build.sh"), "echo compiling\necho no such class >&2\nexit 3\n");
        git("add", "app.jar", "build.sh");
        git("commit", "-m", "one");
        refuses(inRepository("nowhere"), "no revision 'nowhere'");
        refuses(inRepository("main"), "which is in main");
        git("checkout", "-b", "work");
        boot("app.jar", 17, "2");
        refuses(inRepository("main"), "1 file is changed", "--head-ref HEAD");
        git("add", "app.jar");
        git("commit", "-m", "two");
        Fettle.Ended failed = inRepository("main", "--build", "sh build.sh");
        assertThat(failed.code()).isEqualTo(2);
        assertThat(failed.err()).contains("the build of base", "exit code 3", "no such class");
        refuses(inRepository("main", "--build", "sh build.sh && true"), "'&'", "shell");
        git("checkout", "--orphan", "other");
        git("commit", "-m", "three");
        refuses(inRepository("main"), "no commit in common");
        // what was built, and the folders of the revisions, are gone; the user's own files are as they were
        assertThat(folder.resolve(".git/worktrees"))
                .satisfiesAnyOf(
                        w -> assertThat(w).doesNotExist(), w -> assertThat(w).isEmptyDirectory());
        try (var left = Files.list(folder.resolve(".fettle/runs"))) {
            assertThat(left).isEmpty();
        }
        assertThat(folder.resolve("app.jar")).exists();
    }
}
