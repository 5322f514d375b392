package dev.fettle.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.maven.artifact.DefaultArtifact;
import org.apache.maven.artifact.handler.DefaultArtifactHandler;
import org.apache.maven.model.Build;
import org.apache.maven.model.Model;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The arguments that each goal makes, and a whole execution with a command that only keeps them. */
class GoalsTest {
    @TempDir
    private Path folder;

    private Path module = Path.of("");

    private final MavenProject project = new MavenProject(new Model());

    @BeforeEach
    void makeProject() throws IOException {
        module = Files.createDirectories(folder.resolve("repo/shop"));
        Files.createDirectories(folder.resolve("repo/.git"));
        project.setPackaging("jar");
        project.setVersion("1.2-SNAPSHOT");
        project.setFile(module.resolve("pom.xml").toFile());
        var build = new Build();
        build.setDirectory(module.resolve("target").toString());
        build.setFinalName("shop-1.2-SNAPSHOT");
        project.setBuild(build);
        project.setArtifact(new DefaultArtifact(
                "dev.shop", "shop", "1.2-SNAPSHOT", null, "jar", null, new DefaultArtifactHandler("jar")));
    }

    private <T extends FettleMojo> T in(T mojo) {
        mojo.project = project;
        mojo.dir = module.resolve("target/fettle").toFile();
        return mojo;
    }

    private GateMojo gate() {
        GateMojo mojo = in(new GateMojo());
        mojo.build = "mvn -q -DskipTests package";
        mojo.cantTell = "says";
        return mojo;
    }

    private File packed() throws IOException {
        Files.createDirectories(module.resolve("target"));
        return Files.writeString(module.resolve("target/shop-1.2-SNAPSHOT.jar"), "")
                .toFile();
    }

    @Test
    void theHeadIsTheProjectsArtifact() throws Exception {
        File jar = packed();
        GateMojo mojo = gate();
        mojo.base = "old.jar";
        mojo.path = "/login";
        mojo.connections = "20";
        mojo.time = "15m";
        mojo.allow = "p99=20%";
        assertThat(mojo.arguments().all())
                .containsExactly(
                        module.resolve("old.jar").toString(),
                        jar.toString(),
                        "--path=/login",
                        "--connections=20",
                        "--time=15m",
                        "--allow=p99=20%",
                        "--cant-tell=says");
        File repackaged =
                Files.writeString(module.resolve("target/other.jar"), "").toFile();
        project.getArtifact().setFile(repackaged);
        assertThat(mojo.arguments().all()).contains(repackaged.toString());
        mojo.head = new File("/some/head.jar");
        assertThat(mojo.arguments().all()).contains("/some/head.jar").doesNotContain(repackaged.toString());
    }

    @Test
    void thePlanIsTheProjectsOwnOrTheOneThatIsNamed() throws Exception {
        File jar = packed();
        Path own = Files.writeString(module.resolve("fettle.yaml"), "");
        GateMojo mojo = gate();
        mojo.base = "/releases/old.jar";
        assertThat(mojo.arguments().all())
                .containsExactly(own.toString(), "--base=/releases/old.jar", "--head=" + jar, "--cant-tell=says");
        mojo.plan = new File("/plans/other.yaml");
        assertThat(mojo.arguments().all()).startsWith("/plans/other.yaml");
    }

    @Test
    void twoRevisionsAreBuiltFromTheRepositorysRoot() throws Exception {
        GateMojo mojo = gate();
        mojo.baseRef = "origin/main";
        assertThat(mojo.arguments().all())
                .containsExactly(
                        "--base-ref=origin/main",
                        "--build=mvn -q -DskipTests package",
                        "--artifact=shop/target/shop-*.jar",
                        "--cant-tell=says");
        mojo.artifact = "x/y-*.jar";
        assertThat(mojo.arguments().all()).contains("--artifact=x/y-*.jar");
        project.setFile(folder.resolve("elsewhere/pom.xml").toFile());
        mojo.artifact = null;
        assertThatExceptionOfType(MojoExecutionException.class)
                .isThrownBy(mojo::arguments)
                .withMessageContaining("<base>");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatExceptionOfType(MojoExecutionException.class)
                .isThrownBy(() -> gate().arguments())
                .withMessageContainingAll("<base>", "<baseRef>");
        GateMojo unpacked = gate();
        unpacked.base = "old.jar";
        assertThatExceptionOfType(MojoExecutionException.class)
                .isThrownBy(unpacked::arguments)
                .withMessageContaining("mvn package fettle:gate");
        assertThatExceptionOfType(MojoExecutionException.class)
                .isThrownBy(() -> in(new BenchMojo()).arguments())
                .withMessageContaining("fettle.url");
        assertThatExceptionOfType(MojoExecutionException.class)
                .isThrownBy(() -> in(new CapacityMojo()).arguments())
                .withMessageContaining("<plan>");
    }

    @Test
    void benchAndCapacity() throws Exception {
        BenchMojo bench = in(new BenchMojo());
        bench.url = "http://127.0.0.1:8080/";
        bench.connections = "50";
        bench.duration = "5s";
        bench.rate = " ";
        bench.failIf = "p99>50ms,errors>0.1%";
        assertThat(bench.arguments().all())
                .containsExactly(
                        "http://127.0.0.1:8080/",
                        "--connections=50",
                        "--duration=5s",
                        "--fail-if=p99>50ms,errors>0.1%");
        CapacityMojo capacity = in(new CapacityMojo());
        capacity.slo = "p99<50ms";
        capacity.atLeast = "2000/s";
        capacity.budget = "3m";
        capacity.url = "http://127.0.0.1:8080/";
        assertThat(capacity.arguments().all())
                .containsExactly("http://127.0.0.1:8080/", "--slo=p99<50ms", "--at-least=2000/s", "--budget=3m");
        capacity.url = null;
        Path own = Files.writeString(module.resolve("fettle.yaml"), "");
        assertThat(capacity.arguments().all()).startsWith(own.toString());
    }

    private File home(int exit) throws IOException {
        Path home = Files.createDirectories(folder.resolve("home"));
        Path program = Files.writeString(
                home.resolve("fettle"),
                "#!/bin/sh\nfor a in \"$@\"; do echo \"$a\"; done > %s/args; pwd > %s/pwd; exit %d\n"
                        .formatted(home, home, exit));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home.toFile();
    }

    @Test
    void theCommandRunsInTheModuleAndWritesNextToItsJournal() throws Exception {
        BenchMojo bench = in(new BenchMojo());
        bench.url = "http://127.0.0.1:8080/$(touch x)";
        bench.options = List.of("--no-dump", "--contains=a b");
        bench.home = home(0);
        bench.execute();
        assertThat(Files.readAllLines(folder.resolve("home/args")))
                .containsExactly(
                        "bench",
                        "http://127.0.0.1:8080/$(touch x)",
                        "--dir=" + bench.dir,
                        "--markdown=" + bench.dir + "/bench.md",
                        "--junit=" + bench.dir + "/bench.xml",
                        "--no-dump",
                        "--contains=a b");
        assertThat(Path.of(Files.readString(folder.resolve("home/pwd")).strip()).toRealPath())
                .isEqualTo(module.toRealPath());
        bench.home = home(5);
        assertThatExceptionOfType(MojoFailureException.class).isThrownBy(bench::execute);
    }

    @Test
    void whatIsSkippedNeedsNoCommand() {
        BenchMojo bench = in(new BenchMojo());
        bench.skip = true;
        bench.home = new File("/nowhere");
        assertThatCode(bench::execute).doesNotThrowAnyException();
        project.setPackaging("pom");
        GateMojo gate = gate();
        gate.home = new File("/nowhere");
        assertThatCode(gate::execute).doesNotThrowAnyException();
        gate.project.setPackaging("jar");
        gate.base = "x";
        assertThatExceptionOfType(MojoExecutionException.class).isThrownBy(gate::execute);
    }
}
