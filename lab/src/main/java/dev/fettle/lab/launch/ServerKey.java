package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A key and its certificate for one server that Fettle launches: ECDSA on the curve P-256, self-signed, for {@code
 * localhost}, 127.0.0.1 and ::1, valid for two days. Only this user can read the key. Its password is written nowhere
 * but in the server's private configuration, and it is deleted when the server has read it.
 *
 * @param keystore PKCS #12
 * @param certificate the certificate in PEM, the only one that the load trusts
 */
record ServerKey(Path keystore, String password, Path certificate) implements AutoCloseable {
    private static final String ALIAS = "fettle";
    private static final Duration BEFORE = Duration.ofHours(1);
    private static final Duration AFTER = Duration.ofDays(2);
    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    /**
     * Makes one in a trial's folder.
     *
     * @param now the machine's time, around which the certificate is valid
     */
    static ServerKey make(Path folder, Instant now) throws LabException {
        Path tls = folder.resolve("tls");
        try {
            Folders.make(tls);
            Folders.keepPrivate(tls);
            var random = new SecureRandom();
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair pair = generator.generateKeyPair();
            byte[] der = certificate(pair, new BigInteger(127, random), now);
            Certificate certificate =
                    CertificateFactory.getInstance("X.509").generateCertificate(new java.io.ByteArrayInputStream(der));
            byte[] secret = new byte[24];
            random.nextBytes(secret);
            String password = HexFormat.of().formatHex(secret);

            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(ALIAS, pair.getPrivate(), password.toCharArray(), new Certificate[] {certificate});
            Path keystore = tls.resolve("key.p12");
            Files.createFile(keystore);
            Folders.keepPrivate(keystore);
            try (OutputStream out = Files.newOutputStream(keystore)) {
                store.store(out, password.toCharArray());
            }
            Path pem = Folders.writePrivate(tls.resolve("certificate.pem"), pem("CERTIFICATE", der));
            return new ServerKey(keystore, password, pem);
        } catch (IOException | GeneralSecurityException e) {
            throw new LabException("cannot make a certificate in " + tls + ": " + e.getMessage(), e);
        }
    }

    /** The key as PEM, for programs that take it so only: written when it is asked for, for this user only. */
    Path privateKey() throws LabException {
        Path pem = pem();
        try (InputStream in = Files.newInputStream(keystore)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            byte[] der = store.getKey(ALIAS, password.toCharArray()).getEncoded();
            Files.deleteIfExists(pem);
            Files.createFile(pem);
            Folders.keepPrivate(pem);
            return Folders.writePrivate(pem, pem("PRIVATE KEY", der));
        } catch (IOException | GeneralSecurityException e) {
            throw new LabException("cannot write " + pem + ": " + e.getMessage(), e);
        }
    }

    private Path pem() {
        return keystore.resolveSibling("key.pem");
    }

    private static String pem(String what, byte[] der) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der), what);
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return keystore.toString();
    }

    /** Deletes the key; the certificate stays. */
    @Override
    public void close() throws LabException {
        try {
            Files.deleteIfExists(keystore);
            Files.deleteIfExists(pem());
        } catch (IOException e) {
            throw new LabException("cannot delete " + keystore + ": " + e.getMessage(), e);
        }
    }

    /** X.509, version 3: RFC 5280, 4.1; the signature is ecdsa-with-SHA256, RFC 5758, 3.2. */
    private static byte[] certificate(KeyPair pair, BigInteger serial, Instant now) throws GeneralSecurityException {
        byte[] ecdsaWithSha256 = der(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
        byte[] name = der(
                0x30,
                der(
                        0x31,
                        der(0x30, oid(0x55, 0x04, 0x03), der(0x0c, "fettle trial".getBytes(StandardCharsets.UTF_8)))));
        byte[] validity = der(0x30, time(now.minus(BEFORE)), time(now.plus(AFTER)));
        byte[] names = der(
                0x30,
                der(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
                der(0x87, new byte[] {127, 0, 0, 1}),
                der(0x87, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
        byte[] extensions = der(0xa3, der(0x30, der(0x30, oid(0x55, 0x1d, 0x11), der(0x04, names))));
        byte[] body = der(
                0x30,
                der(0xa0, der(0x02, new byte[] {2})),
                der(0x02, serial.add(BigInteger.ONE).toByteArray()),
                ecdsaWithSha256,
                name,
                validity,
                name,
                pair.getPublic().getEncoded(),
                extensions);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(body);
        byte[] signed = signature.sign();
        byte[] bits = new byte[signed.length + 1]; // first byte: the number of unused bits, 0
        System.arraycopy(signed, 0, bits, 1, signed.length);
        return der(0x30, body, ecdsaWithSha256, der(0x03, bits));
    }

    private static byte[] time(Instant at) {
        return der(0x17, UTC_TIME.format(at).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] oid(int... bytes) {
        byte[] content = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            content[i] = (byte) bytes[i];
        }
        return der(0x06, content);
    }

    /** A tag, the length, and the contents: X.690, 8.1. */
    private static byte[] der(int tag, byte[]... contents) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : contents) {
            content.writeBytes(part);
        }
        int length = content.size();
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
