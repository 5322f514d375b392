package dev.fettle.model.text;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, by which files and texts are known. */
public final class Sha256 {
    private Sha256() {}

    /** One that has seen nothing yet. */
    public static MessageDigest digester() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Of all bytes. */
    public static byte[] of(byte[] bytes) {
        return digester().digest(bytes);
    }

    /** Of all bytes, as 64 hexadecimal digits. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(of(bytes));
    }
}
