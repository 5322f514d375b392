package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.watch.host.Proc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trials on a server that speaks TLS only, with a certificate that it made itself. */
@Timeout(60)
class SecureUrlTest {
    @TempDir
    static Path keys;

    private static Path store;
    private static Path certificate;

    @TempDir
    Path folder;

    private final ExecutorService workers = Executors.newFixedThreadPool(4);
    private HttpsServer server;

    @BeforeAll
    static void makeKeys() throws Exception {
        store = keys.resolve("keys.p12");
        certificate = keys.resolve("ca.pem");
        keytool(store, "-genkeypair", "-keyalg", "EC", "-dname", "CN=shop", "-ext", "san=dns:localhost");
        byte[] made = KeyStore.getInstance(store.toFile(), "changeit".toCharArray())
                .getCertificate("shop")
                .getEncoded();
        Files.writeString(
                certificate,
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(made)
                        + "\n-----END CERTIFICATE-----\n");
    }

    @BeforeEach
    void serve() throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(workers);
        server.createContext("/", x -> {
            x.sendResponseHeaders(200, 6);
            x.getResponseBody().write("secure".getBytes(StandardCharsets.US_ASCII));
            x.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        workers.shutdownNow();
    }

    private static void keytool(Path store, String... arguments) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "shop", "-keystore", store.toString(), "-storepass", "changeit"));
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(p.waitFor()).as(said).isZero();
    }

    private TrialOutcome trial(String host, Tls tls) throws Exception {
        Load load = Fixtures.patient(2, "secure", Duration.ofSeconds(2)).withWire(Wire.PLAIN.with(tls));
        var target = new Target.Url(
                URI.create("https://" + host + ":" + server.getAddress().getPort()));
        Path runs = Files.createDirectories(folder.resolve("run"));
        try (var runner = Fixtures.runner(Fixtures.unloaded(folder.resolve("ws")), runs, new LabListener() {})) {
            return runner.run(1, Fixtures.spec(target, Setting.DEFAULT, load), new LabListener() {});
        }
    }

    private Tls trusting() {
        return new Tls(Optional.of(certificate.toString()), false, true);
    }

    @Test
    void aTrialGoesOverTlsFromTheFirstLookToTheLastRequest() throws Exception {
        TrialOutcome outcome = trial("localhost", trusting());
        assertThat(outcome.failure()).isEmpty();
        assertThat(outcome.measurement().orElseThrow().responses()).isPositive();
        assertThat(outcome.measurement().orElseThrow().failed()).isZero();
    }

    /** Over the same TLS as the load: a server that speaks nothing else would not be read, and its values count all the same. */
    @Test
    void ownKnobsAreReadBackOverTls() throws Exception {
        Load load = Fixtures.patient(1, "secure").withWire(Wire.PLAIN.with(trusting()));
        OwnKnob knob = Fixtures.own(new OwnKnob.Document("/", ""));
        var address = new InetSocketAddress("localhost", server.getAddress().getPort());
        var target = new Target.Url(URI.create("https://localhost:" + address.getPort()));
        try (var running = new RunningTarget(address, Optional.empty(), 0)) {
            new EffectiveValues(new Proc(), List.of(knob), Set.of())
                    .readBack(running, Fixtures.spec(target, Setting.DEFAULT, load));
            assertThat(running.effective()).containsEntry("own.x", "secure");
        }
    }

    @Test
    void anyCertificateIsTakenWhenThePlanSaysSo() throws Exception {
        TrialOutcome outcome = trial("127.0.0.1", new Tls(Optional.empty(), true, false));
        assertThat(outcome.failure()).isEmpty();
        assertThat(outcome.measurement().orElseThrow().responses()).isPositive();
    }

    @Test
    void aCertificateThatNobodyTrustsIsRefusedInOneLine() throws Exception {
        TrialOutcome outcome = trial("localhost", new Tls(Optional.empty(), false, true));
        assertThat(outcome.failure().orElseThrow().kind()).isEqualTo(TrialOutcome.Kind.WRONG_ANSWER);
        assertThat(outcome.failure().orElseThrow().message())
                .contains("CN=shop", "is not trusted by the JDK", "in a plan ca: FILE")
                .doesNotContain("Exception", "\n");
    }

    @Test
    void aCertificateForAnotherNameIsRefusedThoughItIsTrusted() throws Exception {
        TrialOutcome outcome = trial("127.0.0.1", trusting());
        assertThat(outcome.failure().orElseThrow().message())
                .isEqualTo("the server's certificate is not for '127.0.0.1' but for localhost; --insecure (in a plan"
                        + " insecure: true) takes any certificate");
    }

    @Test
    void aFileWithoutACertificateIsSaid() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        TrialOutcome outcome = trial("localhost", new Tls(Optional.of(empty.toString()), false, true));
        assertThat(outcome.failure().orElseThrow().message()).contains("empty.pem has no certificate in it");
    }
}
