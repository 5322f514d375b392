package dev.fettle.lab.remote;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The arguments of a command that runs on another machine, as one word that every shell passes on unchanged. Files that the command
 * writes are named on the other side, in a folder of its own there, and fetched afterwards.
 */
public final class RemoteCommand {
    private static final String TEXT = "a";
    private static final String FILE = "f";

    /** As start.sh calls it, which deletes it. */
    private static final String SCRATCH = "scratch";

    private final List<String> words = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();
    private final List<Boolean> fresh = new ArrayList<>();

    /** Adds an argument. */
    public RemoteCommand add(String argument) {
        words.add(TEXT + coded(argument));
        return this;
    }

    /**
     * Adds an option that names a file to be written.
     *
     * @param option {@code --out}
     * @param here where the file belongs on this machine in the end
     * @param isNew whether it must not take the place of another
     */
    public RemoteCommand addFile(String option, Path here, boolean isNew) {
        words.add(FILE + coded(option + "=") + "," + coded(there(files.size(), here)));
        files.add(here);
        fresh.add(isNew);
        return this;
    }

    /** Adds an option that names a folder for what is not kept. */
    public RemoteCommand addScratch(String option) {
        words.add(FILE + coded(option + "=") + "," + coded(SCRATCH + "/of-it"));
        return this;
    }

    /** Whether a file must not take the place of another. */
    boolean isNew(int index) {
        return fresh.get(index);
    }

    /** Whether something of it is on the other side when it has ended. */
    boolean leaves() {
        return !files.isEmpty();
    }

    /** Each has a folder of its own: two files of one name don't meet; and none is hidden there. */
    static String there(int index, Path here) {
        String name = String.valueOf(here.getFileName());
        return index + "/" + (name.startsWith(".") ? "_" + name : name);
    }

    /** The files that it writes, where they belong on this machine. */
    List<Path> files() {
        return List.copyOf(files);
    }

    /** All of it in one word. */
    String word() {
        return words.isEmpty() ? "-" : String.join(".", words);
    }

    private static String coded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String plain(String coded) {
        return new String(Base64.getUrlDecoder().decode(coded), StandardCharsets.UTF_8);
    }

    /**
     * The arguments, on the other side.
     *
     * @param folder of the files that are written
     * @throws IllegalArgumentException if the word is none
     * @throws IOException if the folders of the files can't be made
     */
    public static List<String> read(String word, Path folder) throws IOException {
        var arguments = new ArrayList<String>();
        for (String part : word.equals("-") ? List.<String>of() : List.of(word.split("\\.", -1))) {
            if (part.startsWith(TEXT)) {
                arguments.add(plain(part.substring(1)));
            } else if (part.startsWith(FILE) && part.indexOf(',') > 0) {
                int comma = part.indexOf(',');
                Path file = folder.resolve(plain(part.substring(comma + 1)));
                Files.createDirectories(file.getParent());
                arguments.add(plain(part.substring(1, comma)) + file);
            } else {
                throw new IllegalArgumentException("no argument: " + part);
            }
        }
        return arguments;
    }
}
