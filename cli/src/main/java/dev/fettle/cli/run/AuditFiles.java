package dev.fettle.cli.run;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.config.ConfigException;
import dev.fettle.config.audit.SettingsText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files to audit, as named by the user. */
public final class AuditFiles {
    private static final int MOST_FILES = 500;
    private static final int DEEPEST = 6;

    private AuditFiles() {}

    /**
     * Reads files, folders, and standard input for {@code -}.
     *
     * @param notes receives what can't be read in a folder
     */
    public static List<SettingsText> read(List<String> names, List<String> notes) {
        var out = new ArrayList<SettingsText>();
        for (String name : names) {
            if (name.equals("-")) {
                out.add(text("standard input", System.in));
                continue;
            }
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                folder(path, out, notes);
            } else {
                out.add(file(path));
            }
        }
        return out;
    }

    private static SettingsText file(Path path) {
        if (!Files.exists(path)) {
            throw new CliException(ExitCodes.USAGE, "no such file: " + path);
        }
        try (InputStream in = Files.newInputStream(path)) {
            return text(path.toString(), in);
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    /** The files in a folder that look like configuration; unreadable ones become notes, since the user did not name them. */
    private static void folder(Path folder, List<SettingsText> out, List<String> notes) {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder, DEEPEST)) {
            files = all.filter(Files::isRegularFile)
                    .filter(f ->
                            !f.toString().contains("/.git/") && !f.toString().contains("/target/"))
                    .filter(f -> SettingsText.isConfiguration(f.toString()))
                    .sorted()
                    .limit(MOST_FILES)
                    .toList();
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "cannot read " + folder + ": " + e.getMessage(), e);
        }
        if (files.isEmpty()) {
            throw new CliException(ExitCodes.USAGE, "no configuration file in " + folder);
        }
        for (Path f : files) {
            try {
                out.add(file(f));
            } catch (CliException e) {
                notes.add(String.valueOf(e.getMessage()));
            }
        }
    }

    private static SettingsText text(String name, InputStream in) {
        try {
            byte[] bytes = in.readNBytes(4 * SettingsText.MOST_CHARACTERS + 1);
            return SettingsText.read(name, new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "cannot read " + name + ": " + e.getMessage(), e);
        } catch (ConfigException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
