package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.terminal.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where a CI file is put: where CI looks, or next to a file of the project's own that is there. Neither is ever overwritten. */
public final class CiFiles {
    private final Path root;
    private final CiDraft draft;
    private final Path file;

    /**
     * Looks, and writes nothing.
     *
     * @throws dev.fettle.cli.terminal.CliException if both places are taken, or there can be no CI file of this program
     */
    public CiFiles(Path root, CiDraft.Platform platform, Path plan, String program) {
        this.root = root;
        this.draft = CiDraft.of(platform, root, plan, program);
        List<String> places = Stream.of(platform.file(), platform.otherwise())
                .filter(p -> !p.isEmpty())
                .toList();
        this.file = places.stream()
                .map(root::resolve)
                .filter(f -> !Files.exists(f))
                .findFirst()
                .orElseThrow(() -> Parse.usage(String.join(" and ", places)
                        + (places.size() > 1 ? " exist already and were" : " exists already and was")
                        + " left alone: delete it, or take the jobs from docs/ci.md"));
    }

    /** Writes it and says where, what was left alone, and what is still to be done. */
    public void write(Screen screen) {
        try {
            Files.createDirectories(file.getParent());
        } catch (IOException e) {
            throw UserFile.unwritable(file, e);
        }
        UserFile.create(file, draft.text());
        screen.say("Written: " + root.relativize(file) + " (in " + root + "): it builds each revision with '"
                + draft.build() + "' and takes " + draft.artifact());
        CiDraft.Platform platform = draft.platform();
        if (!file.equals(root.resolve(platform.file()))) {
            screen.say(platform.file() + " exists already and was left alone: " + platform.then());
        }
    }
}
