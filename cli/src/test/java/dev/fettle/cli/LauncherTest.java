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
        var builder =
                new ProcessBuilder(Fettle.home().resolve("fettle").toString(), "--version").redirectErrorStream(true);
        builder.environment().keySet().removeIf(k -> k.startsWith("JAVA") || k.startsWith("FETTLE"));
        builder.environment().putAll(environment);
        Process p = builder.start();
        p.getOutputStream().close();
        String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(p.waitFor(), text);
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

    @Test
    void noJdkNewEnoughIsOneMessageWithWhatToDo() throws Exception {
        Path old = jdk("8.0.1");
        Path tools = Files.createDirectories(folder.resolve("tools")); // a PATH without any javac of this machine
        for (String tool : new String[] {"dirname", "readlink", "sed"}) {
            Path program =
                    Files.isExecutable(Path.of("/usr/bin", tool)) ? Path.of("/usr/bin", tool) : Path.of("/bin", tool);
            Files.createSymbolicLink(tools.resolve(tool), program);
        }
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

    @Test
    void aNewerJdkIsFoundWhereverItLies() throws Exception {
        jdk("1.8.0_402");
        jdk("21.0.3");
        jdk("26");
        var e = launch(only(folder + "/jdk-1.8.0_402 " + folder + "/jdk-21.0.3 " + folder + "/jdk-26"));
        assertThat(e.code()).isZero();
        assertThat(e.text()).contains("dev.fettle.cli.Main --version").containsAnyOf("26: ", "25");
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
        Path dist = Files.createDirectories(folder.resolve("fettle-1"));
        Path launcher = Files.copy(Fettle.home().resolve("fettle"), dist.resolve("fettle"));
        launcher.toFile().setExecutable(true);
        Files.createDirectories(dist.resolve("cli/build/lib"));
        Files.writeString(dist.resolve("cli/build/fettle-cli.jar"), "");
        Path java = Files.createDirectories(dist.resolve("runtime/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"own: $*\"\n");
        java.toFile().setExecutable(true);
        var builder = new ProcessBuilder(launcher.toString(), "--version").redirectErrorStream(true);
        builder.environment().keySet().removeIf(k -> k.startsWith("JAVA") || k.startsWith("FETTLE"));
        builder.environment().put("FETTLE_JDK_PATH", "");
        Process p = builder.start();
        p.getOutputStream().close();
        String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(p.waitFor()).as(text).isZero();
        assertThat(text)
                .contains("own: -Xmx512m", "-Dfettle.home=" + dist.toRealPath(), "dev.fettle.cli.Main --version")
                .doesNotContain("building");
    }

    /** Where nothing can be kept for quick starts, it starts all the same; nor does it need a home. */
    @Test
    void withoutAPlaceForItsCacheItStillStarts() throws Exception {
        Path dist = Files.createDirectories(folder.resolve("fettle-1"));
        Path launcher = Files.copy(Fettle.home().resolve("fettle"), dist.resolve("fettle"));
        launcher.toFile().setExecutable(true);
        Files.createDirectories(dist.resolve("cli/build/lib"));
        Files.writeString(dist.resolve("cli/build/fettle-cli.jar"), "");
        Files.createDirectories(dist.resolve("cli/build/fettle.aot/in-the-way")); // no file can be made there
        Path java = Files.createDirectories(dist.resolve("runtime/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\ncase $* in *train*) exit 1 ;; esac\necho \"own: $*\"\n");
        java.toFile().setExecutable(true);
        var builder = new ProcessBuilder(launcher.toString(), "--version").redirectErrorStream(true);
        builder.environment()
                .keySet()
                .removeIf(k -> k.startsWith("JAVA") || k.startsWith("FETTLE") || k.equals("HOME"));
        Process p = builder.start();
        p.getOutputStream().close();
        String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(p.waitFor()).as(text).isZero();
        assertThat(text).contains("dev.fettle.cli.Main --version");
    }

    /** A library of an older version would stay on the class path beside the new one. */
    @Test
    void afterAChangeOfVersionsTheLibrariesAreCopiedAnew() throws Exception {
        Path home = Files.createDirectories(folder.resolve("source"));
        Path launcher = Files.copy(Fettle.home().resolve("fettle"), home.resolve("fettle"));
        launcher.toFile().setExecutable(true);
        Files.createDirectories(home.resolve("cli/src/main"));
        Path pom = Files.writeString(home.resolve("pom.xml"), "<project/>");
        Path old = Files.createDirectories(home.resolve("servers/build/lib")).resolve("jetty-1.jar");
        Path maven = Files.createDirectories(folder.resolve("maven")).resolve("mvn");
        Files.writeString(maven, "#!/bin/sh\nexit 0\n");
        maven.toFile().setExecutable(true);
        Path stamp = Files.createDirectories(home.resolve("cli/build")).resolve("built");
        for (boolean versions : new boolean[] {false, true}) {
            Files.createDirectories(old.getParent());
            Files.writeString(old, "");
            Files.writeString(stamp, "");
            Files.setLastModifiedTime(stamp, FileTime.from(Instant.now().minusSeconds(100)));
            Path source = Files.writeString(home.resolve("cli/src/main/A.java"), "");
            Files.setLastModifiedTime(pom, FileTime.from(Instant.now().minusSeconds(versions ? 50 : 200)));
            Files.setLastModifiedTime(source, FileTime.from(Instant.now().minusSeconds(50)));
            var builder = new ProcessBuilder(launcher.toString(), "--version").redirectErrorStream(true);
            builder.environment().keySet().removeIf(k -> k.startsWith("JAVA") || k.startsWith("FETTLE"));
            builder.environment().put("FETTLE_JAVA_HOME", jdk("26").toString());
            builder.environment().put("PATH", maven.getParent() + ":/usr/bin:/bin");
            Process p = builder.start();
            p.getOutputStream().close();
            String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(p.waitFor()).as(text).isZero();
            assertThat(text).contains("building");
            assertThat(Files.exists(old))
                    .as("a change of versions: %s", versions)
                    .isEqualTo(!versions);
        }
    }

    /** Maven ends its output with the code that resets a terminal's colours, without an end of line. */
    @Test
    void aBuildThatFailsIsSaidAndNothingRuns() throws Exception {
        Path home = Files.createDirectories(folder.resolve("source"));
        Path launcher = Files.copy(Fettle.home().resolve("fettle"), home.resolve("fettle"));
        launcher.toFile().setExecutable(true);
        Files.createDirectories(home.resolve("cli/build"));
        Files.createDirectories(home.resolve("cli/src/main"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Path maven = Files.createDirectories(folder.resolve("maven")).resolve("mvn");
        var builder = new ProcessBuilder(launcher.toString(), "--version").redirectErrorStream(true);
        builder.environment().keySet().removeIf(k -> k.startsWith("JAVA") || k.startsWith("FETTLE"));
        builder.environment().put("FETTLE_JAVA_HOME", jdk("26").toString());
        builder.environment().put("PATH", maven.getParent() + ":/usr/bin:/bin");
        for (int code : new int[] {1, 0}) {
            Files.writeString(
                    maven,
                    "#!/bin/sh\necho '[INFO] Building Fettle cli 0.1 [3/3]'\necho '[ERROR] cannot find symbol'\n"
                            + "printf '\\033[0m'\nexit " + code + "\n");
            maven.toFile().setExecutable(true);
            Process p = builder.start();
            p.getOutputStream().close();
            String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(p.waitFor()).as(text).isEqualTo(code == 0 ? 0 : 3);
            assertThat(text.contains("the build failed")).as(text).isEqualTo(code != 0);
            assertThat(text.contains("dev.fettle.cli.Main --version")).as(text).isEqualTo(code == 0);
            assertThat(home.resolve("cli/build/built").toFile().exists()).isEqualTo(code == 0);
        }
    }
}
