package dev.fettle.config;

/**
 * Where a server finds its key and certificate.
 *
 * @param path of a PKCS #12 file, absolute
 * @param password of the file and of the key in it
 */
public record KeyStoreFile(String path, String password) {
    /** Omits the password. */
    @Override
    public String toString() {
        return path;
    }
}
