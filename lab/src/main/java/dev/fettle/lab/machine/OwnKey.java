package dev.fettle.lab.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A random key of this user's, in a folder that no workspace contains: what this user's Fettle has written is sealed with it, so that it
 * can be distinguished from what somebody else has put into a workspace.
 */
public final class OwnKey {
    private static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final Path folder;

    private OwnKey(Path folder) {
        this.folder = folder;
    }

    /** The key in a folder, see {@link #state}; made when something is first sealed. */
    public static OwnKey in(Path folder) {
        return new OwnKey(folder);
    }

    /**
     * A user's folder for what has to outlive a program: {@code $XDG_STATE_HOME/fettle}, or else {@code ~/.local/state/fettle}.
     *
     * @param environment of this process
     */
    public static Path state(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        Path base = state.startsWith("/")
                ? Path.of(state)
                : Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".local", "state");
        return base.resolve("fettle");
    }

    /**
     * Seals texts.
     *
     * @return what {@link #isSeal} knows again
     * @throws LabException if there is no key, and none can be made or kept from others
     */
    public String seal(List<String> texts) throws LabException {
        Optional<byte[]> key = key();
        return seal(key.isPresent() ? key.get() : made(), texts);
    }

    /** Whether this user's Fettle has sealed these very texts. */
    public boolean isSeal(String seal, List<String> texts) throws LabException {
        Optional<byte[]> key = key();
        return key.isPresent()
                && MessageDigest.isEqual(
                        seal.getBytes(StandardCharsets.UTF_8),
                        seal(key.get(), texts).getBytes(StandardCharsets.UTF_8));
    }

    private static String seal(byte[] key, List<String> texts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                mac.update(
                        (bytes.length + ":").getBytes(StandardCharsets.UTF_8)); // so none can begin in the one before
                mac.update(bytes);
            }
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private Path file() {
        return folder.resolve("key");
    }

    private Optional<byte[]> key() throws LabException {
        if (!Files.exists(file(), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        check();
        try {
            byte[] key = Files.readAllBytes(file());
            if (key.length != BYTES) {
                throw new LabException(file() + " is no key of Fettle's: delete it, and a new one is made");
            }
            return Optional.of(key);
        } catch (IOException e) {
            throw new LabException("cannot read " + file() + ": " + e.getMessage(), e);
        }
    }

    /** Whoever could have read it or put it there could have sealed anything. */
    private void check() throws LabException {
        Optional<String> doubt = Folders.doubt(folder, Folders.amRoot());
        if (doubt.isEmpty() && !Folders.isMine(folder)) {
            doubt = Optional.of("others may write to " + folder);
        }
        if (doubt.isEmpty() && !Folders.isPrivate(file())) {
            doubt = Optional.of("it is not a file that only its owner can read");
        }
        if (doubt.isPresent()) {
            throw new LabException(
                    "the key in " + file() + " is not used: " + doubt.get() + "; XDG_STATE_HOME names another place");
        }
    }

    /** A new key. Of several who make one at the same time, one wins. */
    private byte[] made() throws LabException {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        try {
            Files.createDirectories(folder);
            Folders.keepPrivate(folder);
            Path unfinished = Files.createTempFile(folder, ".key-", "", Folders.OWNER_FILE);
            try {
                Files.write(unfinished, random);
                Files.createLink(file(), unfinished);
            } catch (FileAlreadyExistsException e) {
                // another was quicker, and its key counts
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw new LabException("no key can be kept in " + folder + ": " + e.getMessage(), e);
        }
        return key().orElseThrow(() -> new LabException("the key in " + file() + " is gone"));
    }
}
