package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The sockets, rings and pollers that this process has open: files and pipes come and go with the JVM. */
public final class Descriptors {

    private Descriptors() {}

    /** How many there are now. */
    public static long open() {
        File[] all = Path.of("/proc/self/fd").toFile().listFiles();
        long count = 0;
        for (File descriptor : all == null ? new File[0] : all) {
            try {
                String target = Files.readSymbolicLink(descriptor.toPath()).toString();
                count += target.startsWith("socket:") || target.startsWith("anon_inode:") ? 1 : 0;
            } catch (IOException gone) {
                // closed between listing and looking, as is the listing's own descriptor
            }
        }
        return count;
    }

    /**
     * Waits until no more are open than before, and fails when that does not come: a server needs a moment to see its side closed.
     * Fewer are well: something of an earlier test was closed meanwhile.
     */
    public static void awaitNoMoreThan(long before) throws InterruptedException {
        for (int i = 0; i < 2000 && open() > before; i++) {
            Thread.sleep(5);
        }
        assertThat(open()).isLessThanOrEqualTo(before);
    }
}
