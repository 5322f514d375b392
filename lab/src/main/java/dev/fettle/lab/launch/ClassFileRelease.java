package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Archive;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Which Java a program was compiled for, by the headers of its own class files (JVM specification, 4.1). */
public final class ClassFileRelease {
    private static final int MAGIC = 0xCAFEBABE;
    /** Java 1 has 45. */
    private static final int BEFORE_FIRST = 44;

    /** Of so many classes the newest: a program is rarely compiled for several releases. */
    private static final int MOST = 300;

    private ClassFileRelease() {}

    /**
     * The feature release that the newest of its classes needs. Those of its libraries do not count, nor those that a newer Java alone
     * would load.
     *
     * @param program a jar or WAR; of anything else nothing is known
     */
    public static OptionalInt of(Path program) {
        String name = String.valueOf(program.getFileName());
        if (!name.endsWith(".jar") && !name.endsWith(".war")) {
            return OptionalInt.empty();
        }
        try (ZipFile zip = Archive.zip(program)) {
            int newest = zip.stream()
                    .filter(e -> e.getName().endsWith(".class")
                            && !e.getName().startsWith("META-INF/")
                            && !e.getName().startsWith("org/springframework/boot/loader/"))
                    .limit(MOST)
                    .mapToInt(e -> major(zip, e))
                    .max()
                    .orElse(0);
            return newest > BEFORE_FIRST ? OptionalInt.of(newest - BEFORE_FIRST) : OptionalInt.empty();
        } catch (IOException e) {
            return OptionalInt.empty(); // anyone who starts it says why
        }
    }

    private static int major(ZipFile zip, ZipEntry entry) {
        try (var in = new DataInputStream(zip.getInputStream(entry))) {
            if (in.readInt() != MAGIC) {
                return 0;
            }
            in.readUnsignedShort(); // minor
            return in.readUnsignedShort();
        } catch (IOException e) {
            return 0;
        }
    }
}
