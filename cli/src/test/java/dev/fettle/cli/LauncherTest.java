package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script: finding a JDK, or saying that there is none. */
class LauncherTest {
    @TempDir
    Path folder;

    private record Ended(int code, String text) {}

    private static Ended launch(Map<String, String> environment) throws Exception {
        return launch(Fettle.home().resolve("fettle"), environment);
    }

    /** @param without variables of this process that are not passed on */
    private static Ended launch(Path launcher, Map<String, String> environment, String... without) throws Exception {
        var builder = new ProcessBuilder(launcher.toString(), "--version").redirectErrorStream(true);
        builder.environment().keySet().removeIf(k -> k.startsWith("JAVA") || k.startsWith("FETTLE"));
        builder.environment().keySet().removeAll(List.of(without));
        builder.environment().putAll(environment);
        Process p = builder.start();
        p.getOutputStream().close();
        String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(p.waitFor(), text);
    }

    /** A copy of the launcher in a folder of its own. */
    private Path launcherIn(String name) throws Exception {
        Path home = Files.createDirectories(folder.resolve(name));
        Path launcher = Files.copy(Fettle.home().resolve("fettle"), home.resolve("fettle"));
        launcher.toFile().setExecutable(true);
        Path dist = Files.createDirectories(home.resolve("dist"));
        Files.copy(Fettle.home().resolve("dist/jdk.sh"), dist.resolve("jdk.sh"));
        return launcher;
    }

    private static void program(Path file, String script) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        file.toFile().setExecutable(true);
    }

    /** The launcher of a distribution, without a pom.xml, whose Java is a script. */
    private Path distribution(String java) throws Exception {
        Path launcher = launcherIn("fettle-1");
        Files.createDirectories(launcher.resolveSibling("cli/build/lib"));
        Files.writeString(launcher.resolveSibling("cli/build/fettle-cli.jar"), "");
        program(launcher.resolveSibling("runtime/bin/java"), java);
        return launcher;
    }

    /** The launcher of a checkout, and what it is called with where Maven is a script. */
    private Path checkout() throws Exception {
        Path launcher = launcherIn("source");
        Files.createDirectories(launcher.resolveSibling("cli/build"));
        Files.createDirectories(launcher.resolveSibling("cli/src/main"));
        Files.writeString(launcher.resolveSibling("pom.xml"), "<project/>");
        return launcher;
    }

    private Map<String, String> withMaven(String script) throws Exception {
        program(folder.resolve("maven/mvn"), script);
        return Map.of("FETTLE_JAVA_HOME", jdk("26").toString(), "PATH", folder.resolve("maven") + ":/usr/bin:/bin");
    }

    private Path jdk(String version) throws Exception {
        Path home = Files.createDirectories(folder.resolve("jdk-" + version));
        Path bin = Files.createDirectories(home.resolve("bin"));
        for (String program : new String[] {"java", "javac"}) {
            Path file = Files.writeString(
                    bin.resolve(program),
                    "#!/bin/sh\necho \"" + version + ": $*\"\necho \"<$LC_ALL|$FETTLE_LC_ALL>\"\n");
            file.toFile().setExecutable(true);
        }
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private Map<String, String> only(String jdks) {
        return Map.of("PATH", "/usr/bin:/bin", "FETTLE_JDK_PATH", jdks, "FETTLE_NO_BUILD", "1");
    }

    /** A PATH without any javac of this machine. */
    private Path tools() throws Exception {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : new String[] {"dirname", "readlink", "sed"}) {
            Path program =
                    Files.isExecutable(Path.of("/usr/bin", tool)) ? Path.of("/usr/bin", tool) : Path.of("/bin", tool);
            Files.createSymbolicLink(tools.resolve(tool), program);
        }
        return tools;
    }

    @Test
    void noJdkNewEnoughIsOneMessageWithWhatToDo() throws Exception {
        Path old = jdk("8.0.1");
        Path tools = tools();
        var e = launch(Map.of(
                "PATH", tools.toString(), "FETTLE_JDK_PATH", "", "FETTLE_NO_BUILD", "1", "JAVA_HOME", old.toString()));
        assertThat(e.code()).isEqualTo(3);
        assertThat(e.text()).contains("needs a JDK 25 or newer; found: 8").contains("FETTLE_JAVA_HOME");
    }

    @Test
    void aNamedJdkThatIsTooOldIsRefused() throws Exception {
        var environment = new java.util.HashMap<>(only(""));
        environment.put("FETTLE_JAVA_HOME", jdk("17.0.2").toString());
        var e = launch(environment);
        assertThat(e.code()).isEqualTo(3);
        assertThat(e.text()).contains("is no JDK 25 or newer");
    }

    /** Another variable would change nothing: none of these scripts looks further. */
    @Test
    void theOtherScriptsSayTooWhichNamedJdkIsTooOld() throws Exception {
        Path old = jdk("17.0.2");
        Path dist = launcherIn("source").resolveSibling("dist");
        Path pack = Files.copy(Fettle.home().resolve("dist/pack.sh"), dist.resolve("pack.sh")); // it empties a folder
        String lib = Fettle.home().resolve("bench/lib.sh").toString();
        for (List<String> command : List.of(
                List.of(
                        "/bin/sh",
                        pack.toString(),
                        "fettle-1",
                        "2020-01-01",
                        jdk("26").toString(),
                        "java.base"),
                List.of("bash", "-c", ". \"$1\"; jdk", "lib.sh", lib))) {
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(only(""));
            builder.environment().put("FETTLE_JAVA_HOME", old.toString());
            Process p = builder.start();
            String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(p.waitFor()).as(text).isNotZero();
            assertThat(text)
                    .contains("FETTLE_JAVA_HOME=" + old + " is no JDK 25 or newer")
                    .doesNotContain("found", "set JAVA_HOME");
        }
    }

    @Test
    void aNewerJdkIsFoundWhereverItLies() throws Exception {
        jdk("1.8.0_402");
        jdk("21.0.3");
        jdk("26");
        var e = launch(only(folder + "/jdk-1.8.0_402 " + folder + "/jdk-21.0.3 " + folder + "/jdk-26"));
        assertThat(e.code()).isZero();
        assertThat(e.text()).contains("dev.fettle.cli.Main --version").containsAnyOf("26: ", "25");
    }

    /** The benchmarks and the packing look where the launcher does. */
    @Test
    void theOtherScriptsFindTheSameJdk() throws Exception {
        Path home = jdk("26");
        Path old = jdk("17.0.2");
        Path onPath = jdk("27");
        Path tools = tools();
        String find = ". '" + Fettle.home().resolve("dist/jdk.sh") + "'; find_jdk $1; echo \"$jdk|$found\"";
        for (String[] c : new String[][] {
            {"javac", "FETTLE_JDK_PATH", old + " " + home, home + "| 17 26"},
            {"javac", "FETTLE_JAVA_HOME", old.toString(), "| 17"},
            {"javac", "JAVA_HOME", home.toString(), home + "| 26"},
            {"javac", "PATH", onPath.resolve("bin") + ":" + tools, onPath + "| 27"},
            {"jlink", "JAVA_HOME", home.toString(), "|"},
        }) {
            var sh = new ProcessBuilder("/bin/sh", "-eu", "-c", find, "sh", c[0]).redirectErrorStream(true);
            sh.environment().clear();
            sh.environment().putAll(Map.of("PATH", tools.toString(), "FETTLE_JDK_PATH", ""));
            sh.environment().put(c[1], c[2]);
            Process p = sh.start();
            String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(p.waitFor()).as(text).isZero();
            assertThat(text.strip()).as(String.join(" ", c)).isEqualTo(c[3]);
        }
        for (String script : List.of("fettle", "bench/lib.sh", "dist/pack.sh")) {
            assertThat(Files.readString(Fettle.home().resolve(script))).contains("/dist/jdk.sh\"", "find_jdk");
        }
    }

    /** In the locale C, Java can't take a file's name with other characters than ASCII's. */
    @Test
    void inTheLocaleCOfManyContainersJavaGetsOneWithAllCharacters() throws Exception {
        String java = jdk("26").toString();
        for (String all : List.of("", "POSIX")) {
            Map<String, String> plain = Map.of("LANG", "C", "LC_CTYPE", "", "LC_ALL", all, "FETTLE_JAVA_HOME", java);
            assertThat(launched(plain)).contains("<C.UTF-8|" + all + ">");
        }
        assertThat(launched(Map.of("LANG", "de_DE.UTF-8", "LC_CTYPE", "", "LC_ALL", "", "FETTLE_JAVA_HOME", java)))
                .contains("<|>");
    }

    private String launched(Map<String, String> more) throws Exception {
        var environment = new java.util.HashMap<>(only(""));
        environment.putAll(more);
        return launch(environment).text();
    }

    /** No pom.xml, a runtime without javac, and a cache of a user who may not write beside the launcher. */
    @Test
    void aDistributionRunsOnItsOwnRuntimeAndNeedsNoOther() throws Exception {
        Path launcher = distribution("echo \"own: $*\"");
        var e = launch(launcher, Map.of("FETTLE_JDK_PATH", ""));
        assertThat(e.code()).as(e.text()).isZero();
        assertThat(e.text())
                .contains(
                        "own: -Xmx512m",
                        "-Dfettle.home=" + launcher.getParent().toRealPath(),
                        "dev.fettle.cli.Main --version")
                .doesNotContain("building");
    }

    /** Where nothing can be kept for quick starts, it starts all the same; nor does it need a home. */
    @Test
    void withoutAPlaceForItsCacheItStillStarts() throws Exception {
        Path launcher = distribution("case $* in *train*) exit 1 ;; esac\necho \"own: $*\"");
        // no file can be made there
        Files.createDirectories(launcher.resolveSibling("cli/build/fettle.aot/in-the-way"));
        var e = launch(launcher, Map.of(), "HOME");
        assertThat(e.code()).as(e.text()).isZero();
        assertThat(e.text()).contains("dev.fettle.cli.Main --version");
    }

    /** A library of an older version would stay on the class path beside the new one. */
    @Test
    void afterAChangeOfVersionsTheLibrariesAreCopiedAnew() throws Exception {
        Path launcher = checkout();
        Path old = Files.createDirectories(launcher.resolveSibling("servers/build/lib"))
                .resolve("jetty-1.jar");
        Map<String, String> environment = withMaven("exit 0");
        for (boolean versions : new boolean[] {false, true}) {
            Files.createDirectories(old.getParent());
            Files.writeString(old, "");
            written(launcher.resolveSibling("cli/build/built"), 100);
            written(launcher.resolveSibling("cli/src/main/A.java"), 50);
            written(launcher.resolveSibling("pom.xml"), versions ? 50 : 200);
            var e = launch(launcher, environment);
            assertThat(e.code()).as(e.text()).isZero();
            assertThat(e.text()).contains("building");
            assertThat(Files.exists(old))
                    .as("a change of versions: %s", versions)
                    .isEqualTo(!versions);
        }
    }

    private static void written(Path file, int secondsAgo) throws Exception {
        Files.writeString(file, "");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(secondsAgo)));
    }

    /** Maven ends its output with the code that resets a terminal's colours, without an end of line. */
    @Test
    void aBuildThatFailsIsSaidAndNothingRuns() throws Exception {
        Path launcher = checkout();
        for (int code : new int[] {1, 0}) {
            var e = launch(
                    launcher,
                    withMaven("echo '[INFO] Building Fettle cli 0.1 [3/3]'\necho '[ERROR] cannot find symbol'\n"
                            + "printf '\\033[0m'\nexit " + code));
            assertThat(e.code()).as(e.text()).isEqualTo(code == 0 ? 0 : 3);
            assertThat(e.text().contains("the build failed")).as(e.text()).isEqualTo(code != 0);
            assertThat(e.text().contains("dev.fettle.cli.Main --version"))
                    .as(e.text())
                    .isEqualTo(code == 0);
            assertThat(launcher.resolveSibling("cli/build/built").toFile().exists())
                    .isEqualTo(code == 0);
        }
    }

    /** A start that has nothing to build looks for changed sources once, and takes no lock. */
    @Test
    void whatIsBuiltStartsAtOnce() throws Exception {
        Path launcher = checkout();
        Map<String, String> environment = withMaven("exit 0");
        assertThat(launch(launcher, environment).text()).contains("building");
        Files.delete(launcher.resolveSibling("cli/build/lock"));
        assertThat(launch(launcher, environment).text()).doesNotContain("building");
        assertThat(launcher.resolveSibling("cli/build/lock")).doesNotExist();
    }
}
