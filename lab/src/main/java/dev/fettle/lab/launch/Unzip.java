package dev.fettle.lab.launch;

import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Unpacks a zip archive safely: nothing outside the folder, no links, and limits on the number of files and on the unpacked size. */
final class Unzip {
    private final long mostBytes;
    private final int mostFiles;

    /** With limits for a server's distribution. */
    Unzip() {
        this(1L << 30, 20_000);
    }

    Unzip(long mostBytes, int mostFiles) {
        this.mostBytes = mostBytes;
        this.mostFiles = mostFiles;
    }

    /**
     * Unpacks an archive.
     *
     * @param folder an empty folder that nobody else uses until this returns
     */
    void into(Path archive, Path folder) throws LabException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            if (zip.size() > mostFiles) {
                throw new LabException(archive + " holds " + zip.size() + " files; " + mostFiles + " are the most");
            }
            long left = mostBytes;
            for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
                ZipEntry entry = e.nextElement();
                Path to = inside(archive, folder, entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(to);
                } else {
                    Files.createDirectories(to.getParent());
                    left -= copy(zip, entry, to, left);
                }
                if (left < 0) {
                    throw new LabException(archive + " unpacks to more than " + (mostBytes >> 20) + " MiB");
                }
            }
        } catch (FileAlreadyExistsException e) {
            throw new LabException(archive + " holds '" + folder.relativize(Path.of(e.getFile())) + "' twice", e);
        } catch (ZipException e) {
            throw new LabException(archive + " is no zip archive: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new LabException("cannot unpack " + archive + ": " + e.getMessage(), e);
        }
    }

    private static Path inside(Path archive, Path folder, String name) throws LabException {
        try {
            Path to = folder.resolve(name).normalize();
            if (to.startsWith(folder)) {
                return to;
            }
        } catch (InvalidPathException e) {
            throw new LabException(archive + " holds an entry that is no file name: " + e.getReason(), e);
        }
        throw new LabException(archive + " is not unpacked: its entry '" + name + "' would lie outside the folder");
    }

    private static long copy(ZipFile zip, ZipEntry entry, Path to, long atMost) throws IOException {
        long bytes = 0;
        try (InputStream in = zip.getInputStream(entry);
                OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
            byte[] buffer = new byte[64 * 1024];
            for (int n = in.read(buffer); n >= 0 && bytes <= atMost; n = in.read(buffer)) {
                out.write(buffer, 0, n);
                bytes += n;
            }
        }
        return bytes;
    }
}
