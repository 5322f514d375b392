package dev.fettle.lab.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.SettingKind;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpringProbeTest {
    private static final String METADATA = """
            {"properties": [
              {"name": "server.tomcat.threads.max", "type": "java.lang.Integer", "defaultValue": 200},
              {"name": "spring.jpa.properties", "type": "java.util.Map<java.lang.String,java.lang.String>"},
              {"name": "server.max-http-header-size", "deprecation": {"level": "error", "replacement": "server.x"}}
            ]}""";

    @TempDir
    Path folder;

    private static void zip(OutputStream to, String entry, byte[] content) throws Exception {
        try (var zip = new ZipOutputStream(to)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(content);
        }
    }

    @Test
    void propertiesAreHeldAgainstWhatTheLibrariesSay() throws Exception {
        var library = new ByteArrayOutputStream();
        zip(library, "META-INF/spring-configuration-metadata.json", METADATA.getBytes(StandardCharsets.UTF_8));
        Path jar = folder.resolve("app.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            zip(out, "BOOT-INF/lib/spring-boot-4.1.1.jar", library.toByteArray());
        }
        var probe = new SpringProbe(jar);
        assertThat(probe.version()).contains("4.1.1");
        List<FoundSetting> found = Stream.of(
                        "server.tomcat.threads.max",
                        "server.tomcat.threadsMax",
                        "server.tomcat.max-threads",
                        "server.maxHttpHeaderSize",
                        "spring.jpa.properties.hibernate.x",
                        "app.own")
                .map(n -> new FoundSetting(SettingKind.SPRING, n, "5", new Place("f", 1)))
                .toList();
        assertThat(probe.probe(found))
                .extracting(p -> p.setting() + " " + p.outcome())
                .containsExactlyInAnyOrder(
                        "server.tomcat.threads.max " + Outcome.ACCEPTED,
                        "server.tomcat.threadsMax " + Outcome.ABSENT,
                        "server.tomcat.max-threads " + Outcome.ABSENT,
                        "server.maxHttpHeaderSize " + Outcome.IGNORED);
        assertThat(probe.probe(found).stream()
                        .filter(p -> p.setting().endsWith("threads.max"))
                        .findFirst())
                .flatMap(Probe::byDefault)
                .contains("200");
    }
}
