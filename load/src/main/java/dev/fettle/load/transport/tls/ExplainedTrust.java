package dev.fettle.load.transport.tls;

import dev.fettle.load.api.Tls;
import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts what the JDK trusts, but refuses an expired or not yet valid certificate even if it is itself a trusted one;
 * and tells the user what to do about a refusal.
 */
final class ExplainedTrust extends X509ExtendedTrustManager {

    /** Why a certificate was refused, in the user's terms. */
    public static final class Refused extends CertificateException {
        Refused(String message, CertificateException cause) {
            super(message, cause);
        }
    }

    private static final int NAME_AT = 1;

    private final X509ExtendedTrustManager jdk;
    private final Tls tls;
    private final String serverName;

    ExplainedTrust(X509ExtendedTrustManager jdk, Tls tls, String serverName) {
        this.jdk = jdk;
        this.tls = tls;
        this.serverName = serverName;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            chain[0].checkValidity();
            jdk.checkServerTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            throw new Refused(explain(chain[0], e), e);
        }
    }

    private String explain(X509Certificate leaf, CertificateException why) {
        String wayOut = "; --insecure (in a plan insecure: true) takes any certificate";
        if (why instanceof CertificateExpiredException) {
            return "the server's certificate expired on " + leaf.getNotAfter().toInstant() + wayOut;
        }
        if (why instanceof CertificateNotYetValidException) {
            return "the server's certificate is not valid before "
                    + leaf.getNotBefore().toInstant() + wayOut;
        }
        if (hasCause(why, CertPathBuilderException.class)) {
            return "the server's certificate (" + leaf.getSubjectX500Principal() + ", issued by "
                    + leaf.getIssuerX500Principal() + ") is not trusted by "
                    + tls.authorities().orElse("the JDK")
                    + "; --cacert FILE (in a plan ca: FILE) trusts its authority" + wayOut;
        }
        if (why.getCause() == null) {
            // of the JDK's checks, only the one of the name throws without a cause
            return "the server's certificate is not for '" + serverName + "' but for " + names(leaf) + wayOut;
        }
        return "the server's certificate is refused: " + why.getMessage() + wayOut;
    }

    private static boolean hasCause(Throwable thrown, Class<? extends Throwable> wanted) {
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            if (wanted.isInstance(e)) {
                return true;
            }
        }
        return false;
    }

    private static String names(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            if (names != null) {
                return names.stream()
                        .map(name -> String.valueOf(name.get(NAME_AT)))
                        .collect(Collectors.joining(", "));
            }
        } catch (CertificateException e) {
            // names that can't be read count as none
        }
        return certificate.getSubjectX500Principal() + " (it has no alternative names)";
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        jdk.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        jdk.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        jdk.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        jdk.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        jdk.checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return jdk.getAcceptedIssuers();
    }
}
