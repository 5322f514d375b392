package dev.fettle.lab.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.SettingKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jetty's modules, and the nginx of this machine. */
class ServerProbesTest {
    @TempDir
    Path folder;

    private static FoundSetting set(SettingKind kind, String name, String value, String scope) {
        return new FoundSetting(kind, name, value, new Place("f", 1), scope);
    }

    @Test
    void aPropertyThatNoModuleReadsIsAbsent() throws Exception {
        for (String d : List.of("modules", "etc", "lib")) {
            Files.createDirectories(folder.resolve(d));
        }
        Files.writeString(folder.resolve("start.jar"), "");
        Files.writeString(folder.resolve("lib/jetty-server-12.1.12.jar"), "");
        Files.writeString(
                folder.resolve("modules/http.mod"),
                "[ini-template]\n## The port.\n# jetty.http.port=8080\n#jetty.http.host=0.0.0.0\n");
        Files.writeString(
                folder.resolve("etc/jetty.xml"),
                "<Set name=\"a\" property=\"jetty.a\"/><Set><Property name=\"jetty.b\" default=\"7\"/></Set>");
        assertThat(JettyProbe.isHome(folder)).isTrue();
        var probe = new JettyProbe(folder);
        assertThat(probe.version()).isEqualTo("12.1.12");
        List<Probe> said = probe.probe(List.of(
                set(SettingKind.JETTY, "jetty.http.port", "80", ""),
                set(SettingKind.JETTY, "jetty.a", "80", ""),
                set(SettingKind.JETTY, "jetty.b", "80", ""),
                set(SettingKind.JETTY, "jetty.http.prot", "80", "")));
        assertThat(said)
                .extracting(p ->
                        p.setting() + " " + p.outcome() + " " + p.byDefault().orElse("-"))
                .containsExactly(
                        "jetty.http.port ACCEPTED 8080",
                        "jetty.a ACCEPTED -",
                        "jetty.b ACCEPTED 7",
                        "jetty.http.prot ABSENT -");
    }

    /** An option out of a text from anywhere must not write a file, even where only its name is tried. */
    @Test
    void optionsThatWriteAreNotTried() throws Exception {
        List<Probe> said = new JvmProbe(TrustedProgram.java(Jdks.system(), Optional.empty()), folder)
                .probe(
                        List.of(
                                set(SettingKind.JVM, "-XX:AOTCacheOutput", "a.aot", ""),
                                set(SettingKind.JVM, "-XX:AOTConfiguration", "a.conf", ""),
                                set(SettingKind.JVM, "-XX:ArchiveClassesAtExit", "a.jsa", ""),
                                set(SettingKind.JVM, "-XX:DumpPerfMapAtExit", "true", ""),
                                set(SettingKind.JVM, "-XX:PerfDataSaveToFile", "true", ""),
                                set(SettingKind.JVM, "-XX:PauseAtStartup", "true", ""),
                                set(SettingKind.JVM, "-XX:AllocateHeapAt", "a", ""),
                                set(SettingKind.JVM, "-XX:UseSerialGC", "true", "")),
                        "this JDK",
                        new ArrayList<>());
        assertThat(said).extracting(Probe::setting).containsExactly("-XX:+UseSerialGC");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void directivesAreTestedByNginxWhereTheyStand() throws Exception {
        Optional<TrustedProgram> nginx = TrustedProgram.onPath("nginx", System.getenv("PATH"));
        Assumptions.assumeTrue(nginx.isPresent(), "there is no nginx");
        var notes = new ArrayList<String>();
        var outcomes = new NginxProbe(nginx, folder)
                        .probe(
                                List.of(
                                        set(SettingKind.NGINX, "worker_connections", "1024", "events"),
                                        set(SettingKind.NGINX, "tcp_nodelay", "maybe", "http"),
                                        set(SettingKind.NGINX, "gzip_comp_level", "99", "http > server"),
                                        set(SettingKind.NGINX, "keepalive", "32", "http > upstream app"),
                                        set(SettingKind.NGINX, "keepalive_timeot", "3", "http"),
                                        // these would be opened, read or run
                                        set(SettingKind.NGINX, "access_log", "logs/a", "http"),
                                        set(SettingKind.NGINX, "include", "x", "http"),
                                        set(SettingKind.NGINX, "listen", "80", "http > server"),
                                        set(SettingKind.NGINX, "sendfile", "on; include x", "http")),
                                notes)
                        .stream()
                        .collect(Collectors.toMap(Probe::setting, Probe::outcome));
        assertThat(outcomes)
                .containsOnlyKeys(
                        "worker_connections 1024",
                        "tcp_nodelay maybe",
                        "gzip_comp_level 99",
                        "keepalive 32",
                        "keepalive_timeot 3")
                .containsEntry("worker_connections 1024", Outcome.ACCEPTED)
                .containsEntry("keepalive 32", Outcome.ACCEPTED)
                .containsEntry("tcp_nodelay maybe", Outcome.REFUSED)
                .containsEntry("gzip_comp_level 99", Outcome.REFUSED)
                .containsEntry("keepalive_timeot 3", Outcome.ABSENT);
    }

    /** A relative folder on the PATH is whatever lies where the audit is started. */
    @Test
    void aProgramIsTakenFromAbsoluteFoldersOnly() throws Exception {
        Path program = folder.resolve("nginx");
        Files.writeString(program, "#!/bin/sh\n");
        assertThat(TrustedProgram.onPath("nginx", folder.toString())).isEmpty(); // it can't be run
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(TrustedProgram.onPath("nginx", "/none:" + folder)).isPresent();
        Path here = Path.of("").toAbsolutePath().relativize(folder);
        assertThat(TrustedProgram.onPath("nginx", here + "::.:")).isEmpty();
    }

    @Test
    void whereThereIsNoNginxThatIsSaid() throws Exception {
        var notes = new ArrayList<String>();
        assertThat(new NginxProbe(Optional.empty(), folder)
                        .probe(List.of(set(SettingKind.NGINX, "tcp_nodelay", "on", "http")), notes))
                .isEmpty();
        assertThat(notes).singleElement().asString().contains("no nginx");
    }
}
