package dev.fettle.servers.launch;

import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The server's key and certificate.
 *
 * @param keystore PKCS #12
 * @param password of the file and of the key in it; it comes by the environment, which is for this user only
 */
public record TlsKey(Path keystore, String password) {
    private static final String PASSWORD = "FETTLE_TLS_PASSWORD";

    static @Nullable TlsKey of(@Nullable String keystore) throws LaunchFailure {
        if (keystore == null) {
            return null;
        }
        String password = System.getenv(PASSWORD);
        if (password == null) {
            throw LaunchFailure.badArgument("tls.keystore needs its password in the environment, as " + PASSWORD);
        }
        return new TlsKey(Path.of(keystore), password);
    }

    /** A context for a server that takes one as it is. */
    public SSLContext context() throws LaunchFailure {
        try (InputStream in = Files.newInputStream(keystore)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw LaunchFailure.refused("no TLS with " + keystore + ": " + LaunchFailure.words(e));
        }
    }
}
