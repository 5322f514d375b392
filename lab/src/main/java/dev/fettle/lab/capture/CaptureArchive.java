package dev.fettle.lab.capture;

import dev.fettle.lab.machine.Archive;
import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** A capture as one file: a zip archive with a flat list of files. */
public final class CaptureArchive {
    /** The file that says what the others are. */
    public static final String ABOUT = "about.json";

    /** What it calls itself. */
    public static final String SCHEMA = "fettle.capture/1";

    private static final Pattern PART =
            Pattern.compile("^(?:watch\\.jsonl|recording\\.jfr|(?:threads|histogram)-[0-9]{1,2}\\.txt)$");
    private static final int MOST_ABOUT = 64 * 1024;
    private static final int MOST_FILES = 40;
    private static final long MOST_BYTES = 1L << 30;

    private CaptureArchive() {}

    /**
     * Writes it, for its owner's eyes only.
     *
     * @param to must not exist
     * @param files names of files in the folder
     * @return its size in bytes
     * @throws LabException if it can't be written; then there is none
     */
    public static long write(Path to, Path folder, List<String> files) throws LabException {
        boolean made = false;
        boolean done = false;
        try (OutputStream out = Channels.newOutputStream(Files.newByteChannel(
                to,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))))) {
            made = true;
            try (var zip = new ZipOutputStream(out)) {
                for (String file : files) {
                    var entry = new ZipEntry(file);
                    entry.setLastModifiedTime(Files.getLastModifiedTime(folder.resolve(file)));
                    zip.putNextEntry(entry);
                    Files.copy(folder.resolve(file), zip);
                    zip.closeEntry();
                }
            }
            done = true;
        } catch (IOException e) {
            throw new LabException("cannot write " + to + ": " + e.getMessage(), e);
        } finally {
            if (made && !done) {
                delete(to);
            }
        }
        try {
            return Files.size(to);
        } catch (IOException e) {
            throw new LabException("cannot read " + to + ": " + e.getMessage(), e);
        }
    }

    /** Whether a file is a capture: an archive that says so of itself. */
    public static boolean is(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (ZipFile zip = Archive.zip(file)) {
            ZipEntry about = zip.getEntry(ABOUT);
            return about != null
                    && new String(zip.getInputStream(about).readNBytes(MOST_ABOUT), StandardCharsets.UTF_8)
                            .contains(SCHEMA);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Unpacks what a diagnosis reads of one, which may be anybody's: only files with plain names, so many and so large as a capture has them.
     *
     * @param folder empty, and private
     * @throws LabException if it can't be read, or is larger than any capture
     */
    public static void unpack(Path archive, Path folder) throws LabException {
        long left = MOST_BYTES;
        int files = 0;
        try (ZipFile zip = Archive.zip(archive)) {
            for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
                if (!PART.matcher(entry.getName()).matches()) {
                    continue;
                }
                if (++files > MOST_FILES) {
                    throw new LabException(
                            archive + " is no capture of Fettle's: it has more than " + MOST_FILES + " files");
                }
                Path to = folder.resolve(entry.getName());
                try (InputStream in = zip.getInputStream(entry);
                        OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
                    left -= copy(in, out, left);
                }
                if (entry.getLastModifiedTime() != null) {
                    Files.setLastModifiedTime(to, entry.getLastModifiedTime());
                }
            }
        } catch (FileAlreadyExistsException e) {
            throw new LabException(archive + " is no capture of Fettle's: it has two files of one name", e);
        } catch (IOException e) {
            throw new LabException("cannot read the capture " + archive + ": " + e.getMessage(), e);
        }
        if (files == 0) {
            throw new LabException("the capture " + archive + " has nothing that a diagnosis reads");
        }
    }

    /** How many bytes it copied. */
    private static long copy(InputStream in, OutputStream out, long most) throws IOException {
        var block = new byte[1 << 16];
        long all = 0;
        for (int n = in.read(block); n >= 0; n = in.read(block)) {
            all += n;
            if (all > most) {
                throw new IOException("unpacked it is larger than " + (MOST_BYTES >> 20) + " MiB");
            }
            out.write(block, 0, n);
        }
        return all;
    }

    private static void delete(Path half) {
        try {
            Files.deleteIfExists(half);
        } catch (IOException e) {
            return; // half of it stays, and the error says that it is not whole
        }
    }
}
