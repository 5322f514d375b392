package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.SampleApps;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that get a certificate from Fettle, and a load that trusts just that. */
@Order(5)
class TlsTargetTest {
    @TempDir
    static Path workspace;

    @TempDir
    Path folder;

    private final LabListener silent = new LabListener() {};

    private static Load load(Protocol protocol, String path, String contains) {
        return new Load(
                2,
                true,
                Load.Request.get(path),
                new Load.Expect(200, OptionalInt.empty(), Optional.of(contains)),
                Duration.ofSeconds(30),
                Fixtures.SHORT,
                Fixtures.SHORT,
                1,
                Fixtures.RESTING,
                new Wire(
                        protocol,
                        1,
                        Optional.of(new Tls(Optional.empty(), false, true)),
                        TransportKind.AUTO,
                        List.of()),
                Optional.empty());
    }

    private TrialOutcome run(Target target, Setting setting, Load load) throws Exception {
        return Fixtures.answered(
                Fixtures.runner(Fixtures.unloaded(workspace), folder, silent),
                Fixtures.spec(target, setting, load),
                silent);
    }

    private static Evidence evidence(TrialOutcome trial) {
        assertThat(trial.failure()).as("failure").isEmpty();
        assertThat(trial.measurement().orElseThrow().errors()).as("errors").isEmpty();
        assertThat(trial.measurement().orElseThrow().responses()).as("requests").isPositive();
        return trial.evidence().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"TOMCAT, true", "TOMCAT, false", "JETTY, true", "UNDERTOW, true"})
    void anEmbeddedServerSpeaksTheLoadsTls(ServerKind server, boolean http2) throws Exception {
        Setting setting = http2 ? Setting.DEFAULT.with("http2", "true") : Setting.DEFAULT;
        var protocol = http2 ? Protocol.HTTP_2 : Protocol.HTTP_1_1;
        Evidence seen = evidence(run(Fixtures.hello(server), setting, load(protocol, "/", "Hello World")));
        assertThat(seen.facts().get("tls")).startsWith("TLSv1.3 TLS_");
        assertThat(seen.facts()).containsEntry("tlsResumes", "true");
        if (http2) {
            assertThat(seen.facts()).containsEntry("alpn", "h2");
            assertThat(seen.effective()).containsEntry("http2", "true");
        } else {
            assertThat(seen.facts().get("alpn")).isIn("http/1.1", "none");
        }
        nothingSecretIsLeft();
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"TOMCAT, 11.0.24, openssl", "TOMCAT, 9.0.109, ''", "JETTY, 12.1.12, ''", "JETTY, 12.0.31, ''"})
    void aDistributionSpeaksTheLoadsTls(ServerKind server, String version, String engine) throws Exception {
        Path war = Files.createDirectories(folder.resolve("war"));
        Files.writeString(war.resolve("index.html"), "<h1>over TLS</h1>\n");
        var target = new Target.Standalone(
                server,
                Optional.of(version),
                Optional.empty(),
                Optional.empty(),
                Optional.of(war.toString()),
                "/shop",
                new Target.Jvm(Optional.empty(), List.of("-Xmx128m", "-XX:TieredStopAtLevel=1")),
                Setting.DEFAULT);
        Setting setting = Setting.DEFAULT
                .with("http2", "true")
                .with("keepalive.timeout", "12345ms")
                .with("threads.virtual", "true");
        if (!engine.isEmpty()) {
            setting = setting.with("tls.engine", engine);
        }
        TrialOutcome trial = run(target, setting, load(Protocol.HTTP_2, "/shop/index.html", "over TLS"));
        if (engine.equals("openssl") && trial.failure().isPresent()) { // a host without OpenSSL: it is told
            assertThat(trial.failure().get().message()).contains("tls.engine=openssl: this host has no libssl");
            return;
        }
        Evidence seen = evidence(trial);
        if (!engine.isEmpty()) {
            assertThat(seen.effective()).containsEntry("tls.engine", engine);
        }
        assertThat(seen.facts()).containsEntry("alpn", "h2").containsKey("tls");
        assertThat(seen.effective())
                .containsEntry("http2", "true")
                .containsEntry("keepalive.timeout", "12345ms")
                .containsEntry("threads.virtual", "true");
        nothingSecretIsLeft();
    }

    /** Spring Boot prefers PEM to a key store: with the app's own, the load would not know the certificate. */
    @Tag("long")
    @Test
    void anAppWithPemOfItsOwnSpeaksTheLoadsTls() throws Exception {
        var jar = SampleApps.jar("tomcat-4.1");
        var target = new Target.Boot(
                jar.toString(),
                ServerKind.TOMCAT,
                BootJar.of(jar).version(),
                List.of(),
                new Target.Jvm(
                        Optional.empty(),
                        List.of(
                                "-Xmx256m",
                                "-XX:TieredStopAtLevel=1",
                                "-Dserver.ssl.certificate=file:/srv/own.pem",
                                "-Dserver.ssl.certificate-private-key=file:/srv/own.key",
                                "-Dserver.ssl.key-password=own")),
                Setting.DEFAULT);
        Setting setting = Setting.of("threads.virtual", "true");
        Evidence seen = evidence(run(target, setting, load(Protocol.HTTP_1_1, "/", "Hello World")));
        assertThat(seen.facts().get("tls")).startsWith("TLSv1.3 TLS_");
        assertThat(seen.effective()).containsEntry("threads.virtual", "true");
        nothingSecretIsLeft();
    }

    @Test
    void aHostWithoutOpenSslIsTold() throws Exception {
        Path war = Files.createDirectories(folder.resolve("war"));
        Files.writeString(war.resolve("index.html"), "<h1>over TLS</h1>\n");
        var target = new Target.Standalone(
                ServerKind.TOMCAT,
                Optional.of("11.0.24"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(war.toString()),
                "/",
                new Target.Jvm(
                        Optional.empty(),
                        List.of(
                                "-XX:TieredStopAtLevel=1",
                                "-Dorg.apache.tomcat.util.openssl.LIBRARY_NAME=no-such-ssl")),
                Setting.DEFAULT);
        TrialOutcome trial =
                run(target, Setting.of("tls.engine", "openssl"), load(Protocol.HTTP_1_1, "/index.html", "over TLS"));
        assertThat(trial.failure().orElseThrow().kind())
                .as(trial.failure().get().message())
                .isEqualTo(TrialOutcome.Kind.IMPOSSIBLE_SETTING);
        assertThat(trial.failure().get().message())
                .startsWith("tls.engine=openssl: this host has no libssl that Tomcat could load")
                .contains("no-such-ssl");
        nothingSecretIsLeft();
    }

    /** The key is gone, and its password is in no file but the server's own configuration. */
    private void nothingSecretIsLeft() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(f -> f.toString().matches(".*(?:\\.p12|/key\\.pem)")))
                    .isEmpty();
        }
        assertThat(folder.resolve("trial-1/tls/certificate.pem")).content().startsWith("-----BEGIN CERTIFICATE-----");
    }

    @Test
    void theKeyIsForThisUserAloneAndGoesAway() throws Exception {
        Instant now = Instant.parse("2031-12-24T10:00:00Z");
        X509Certificate certificate;
        try (ServerKey key = ServerKey.make(folder, now)) {
            assertThat(Files.getPosixFilePermissions(key.keystore()))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(key.keystore())) {
                store.load(in, key.password().toCharArray());
            }
            assertThat(store.getKey("fettle", key.password().toCharArray())).isNotNull();
            assertThat(key.toString()).doesNotContain(key.password());
            try (InputStream in = Files.newInputStream(key.certificate())) {
                certificate = (X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(in);
            }
            assertThat(Files.readString(key.certificate(), StandardCharsets.US_ASCII))
                    .doesNotContain("PRIVATE");
            assertThat(Files.getPosixFilePermissions(key.privateKey()))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(key.privateKey()).content().startsWith("-----BEGIN PRIVATE KEY-----");
        }
        assertThat(folder.resolve("tls/key.pem")).doesNotExist();
        assertThat(folder.resolve("tls/key.p12")).doesNotExist();
        certificate.verify(certificate.getPublicKey());
        assertThat(certificate.getSubjectAlternativeNames().toString()).contains("localhost", "127.0.0.1");
        certificate.checkValidity(Date.from(now));
        assertThatExceptionOfType(CertificateExpiredException.class)
                .isThrownBy(() -> certificate.checkValidity(Date.from(now.plus(3, ChronoUnit.DAYS))));
    }
}
