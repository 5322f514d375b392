package dev.fettle.lab.journal;

import dev.fettle.lab.machine.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sqlite.SQLiteJDBCLoader;

/**
 * SQLite's native library. The driver unpacks it into the folder for temporary files and deletes it when the JVM ends, which a
 * JVM that is killed doesn't. So it gets a folder of its own, which is deleted as soon as the library is loaded: the kernel keeps
 * what is mapped.
 */
final class SqliteLibrary {
    /** Where the driver unpacks it; a user may have set it. */
    private static final String FOLDER = "org.sqlite.tmpdir";

    /** Loaded once. */
    private static final class Loaded {
        static {
            if (System.getProperty(FOLDER) == null) {
                inFolderOfItsOwn();
            }
        }

        private static void ready() {}
    }

    private SqliteLibrary() {}

    /** Loads it if it isn't. Where that fails, the driver says so at the first connection. */
    static void load() {
        Loaded.ready();
    }

    private static void inFolderOfItsOwn() {
        try {
            Path folder = Files.createTempDirectory("fettle-sqlite");
            System.setProperty(FOLDER, folder.toString());
            try {
                SQLiteJDBCLoader.initialize();
            } finally {
                System.clearProperty(FOLDER);
                Folders.delete(folder);
            }
        } catch (Exception e) {
            return;
        }
    }
}
