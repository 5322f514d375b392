package dev.fettle.model.imports;

import java.util.List;

/**
 * A scenario converted from another format.
 *
 * @param yaml the text of a scenario file
 * @param notes what was changed or left out, one line each; also in the file as comments
 */
public record Imported(String yaml, List<String> notes) {
    /** Copies the notes. */
    public Imported {
        notes = List.copyOf(notes);
    }
}
