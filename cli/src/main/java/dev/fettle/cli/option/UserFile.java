package dev.fettle.cli.option;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.machine.Folders;
import dev.fettle.model.text.NamedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file named on the command line. If it can't be read or written, one line says which and why. */
public final class UserFile {
    /** What some programs put in front of a text. */
    public static final String BYTE_ORDER_MARK = "\uFEFF";

    private UserFile() {}

    /** A file that an argument names, if it is one that can be read; it may be a URL or a run instead. */
    public static Optional<Path> named(String argument) {
        try {
            return Optional.of(Path.of(argument)).filter(f -> Files.isReadable(f) && !Files.isDirectory(f));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Whether the standard input is meant. */
    public static boolean isStandardInput(Path file) {
        return file.toString().equals("-");
    }

    /**
     * The text of a file, or of the standard input for {@code -}; invalid bytes are replaced, and a
     * byte order mark, which some programs put in front, is left out.
     *
     * @param most the largest size in MiB
     */
    public static String read(Path file, int most) {
        if (isStandardInput(file)) {
            return standardInput(most);
        }
        try (InputStream in = NamedFile.open(file)) {
            return text(file.toString(), in, most);
        } catch (NoSuchFileException e) {
            throw Parse.usage("no such file: " + file);
        } catch (IOException e) {
            throw new CliException(ExitCodes.USAGE, file + " can't be read: " + reason(file, e), e);
        }
    }

    /** The text of the standard input. */
    public static String standardInput(int most) {
        try {
            return text("the standard input", System.in, most);
        } catch (IOException e) {
            throw new CliException(ExitCodes.USAGE, "the standard input can't be read: " + e.getMessage(), e);
        }
    }

    private static String text(String name, InputStream in, int most) throws IOException {
        int bytes = most << 20;
        byte[] read = in.readNBytes(bytes + 1);
        if (read.length > bytes) {
            throw Parse.usage(name + " is larger than " + most + " MiB");
        }
        String text = new String(read, StandardCharsets.UTF_8);
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    /** Writes a file that an option names: as a whole, or not at all. */
    public static void write(Path file, String text) {
        try {
            Folders.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** Writes a file that no option names, next to one of another user perhaps: a link there is not followed. */
    public static void writeBeside(Path file, String text) {
        try {
            Folders.replace(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** Writes a new file, named by {@code --out} or in the folder that it names. One that exists is left alone. */
    public static void create(Path file, String text) {
        create(file, text, Set.of());
    }

    /** The same for this user only. */
    public static void createPrivate(Path file, String text) {
        create(file, text, PosixFilePermissions.fromString("rw-------"));
    }

    private static void create(Path file, String text, Set<PosixFilePermission> permissions) {
        try {
            Folders.create(file, text.getBytes(StandardCharsets.UTF_8), permissions);
        } catch (FileAlreadyExistsException e) {
            throw Parse.usage(file + " exists already and was left alone: choose another --out, or delete it");
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** The error for a file that can't be written. */
    public static CliException unwritable(Path file, IOException e) {
        return new CliException(ExitCodes.USAGE, file + " can't be written: " + reason(file, e), e);
    }

    /** Why a file could not be used, in words: the message of an exception is often no more than its name. */
    public static String reason(Path file, IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            Path folder = file.toAbsolutePath().getParent();
            return folder == null || Files.isDirectory(folder)
                    ? "there is no such file"
                    : "there is no folder " + folder;
        }
        if (e instanceof FileAlreadyExistsException) {
            return e.getMessage() + " is no folder";
        }
        if (e instanceof FileSystemException f && f.getReason() != null) {
            return f.getReason();
        }
        return Files.isDirectory(file) ? "it is a folder" : String.valueOf(e.getMessage());
    }

    /** Checks before a run whether a file can be written at its end. */
    public static void checkWritable(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path parent = file.toAbsolutePath().getParent();
        boolean can = Files.exists(file)
                ? !Files.isDirectory(file) && Files.isWritable(file)
                : parent != null && Files.isWritable(parent);
        if (!can) {
            throw Parse.usage(option + " " + file + ": no file can be written there");
        }
    }

    /** The same for a file that must not exist. */
    public static void checkNew(String option, @Nullable Path file) {
        checkWritable(option, file);
        // nothing is overwritten in a pipe
        if (file != null && Files.isRegularFile(file)) {
            throw Parse.usage(file + " exists already and was left alone: choose another " + option + ", or delete it");
        }
    }

    /** The same where nothing may be: no pipe, no device, and no link that leads nowhere. */
    public static void checkNothing(String option, @Nullable Path file) {
        checkWritable(option, file);
        if (file != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw Parse.usage(file + " exists already and was left alone: choose another " + option + ", or delete it");
        }
    }

    /** Two outputs in one file would leave one of them, or a mixture. What is no regular file, such as /dev/null, takes any number. */
    public static void checkApart(@Nullable Path... files) {
        var seen = new HashSet<Path>();
        for (Path file : files) {
            if (file != null
                    && (!Files.exists(file) || Files.isRegularFile(file))
                    && !seen.add(file.toAbsolutePath().normalize())) {
                throw Parse.usage(file + " is named for two outputs: each needs a file of its own");
            }
        }
    }
}
