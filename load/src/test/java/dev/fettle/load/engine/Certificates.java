package dev.fettle.load.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** Self-signed certificates for servers on this host, made when first needed and gone with the tests. */
public enum Certificates {
    /** For {@code localhost} and 127.0.0.1. */
    GOOD("-ext", "san=dns:localhost,ip:127.0.0.1", "-validity", "2"),
    /** For another name. */
    ELSEWHERE("-ext", "san=dns:elsewhere.example", "-validity", "2"),
    /** For {@code localhost}, but its time is over. */
    EXPIRED("-ext", "san=dns:localhost,ip:127.0.0.1", "-startdate", "-9d", "-validity", "2");

    private static final String PASSWORD = "changeit";

    private final List<String> options;
    private Path store = Path.of("");

    Certificates(String... options) {
        this.options = List.of(options);
    }

    /** The PKCS #12 file, password {@code changeit}. */
    synchronized Path store() {
        if (store.toString().isEmpty()) {
            try {
                Path folder = Files.createTempDirectory("fettle-tls");
                folder.toFile().deleteOnExit();
                store = folder.resolve("server.p12");
                store.toFile().deleteOnExit();
                keytool();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return store;
    }

    private void keytool() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-alias",
                "server",
                "-dname",
                "CN=" + name(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString()));
        command.addAll(options);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
    }

    KeyStore keys() throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store())) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    public KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(keys(), PASSWORD.toCharArray());
        return factory.getKeyManagers();
    }

    Certificate certificate() throws GeneralSecurityException, IOException {
        KeyStore keys = keys();
        return keys.getCertificate(Collections.list(keys.aliases()).getFirst());
    }

    /** The certificate as a PEM file, written once: another test may be reading it. */
    public synchronized Path pem() throws GeneralSecurityException, IOException {
        Path pem = store().resolveSibling("server.pem");
        if (!Files.exists(pem)) {
            String base64 = Base64.getMimeEncoder().encodeToString(certificate().getEncoded());
            pem.toFile().deleteOnExit();
            Files.writeString(
                    pem, "a comment\n-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
        }
        return pem;
    }
}
