package dev.fettle.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** Folders and files in which runs were kept. */
public final class KeptPlaces {
    @Parameters(
            paramLabel = "DIR|FILE",
            arity = "0..*",
            description = "Where runs were kept; folders in it are looked into, too. Default: .fettle")
    private List<Path> places = new ArrayList<>();

    /** Those that were named; else this folder's own. */
    public List<Path> all() {
        return places.isEmpty() ? List.of(Path.of(".fettle")) : places;
    }
}
