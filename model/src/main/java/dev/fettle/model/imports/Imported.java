package dev.fettle.model.imports;

import java.util.List;

/**
 * A scenario made of something else.
 *
 * @param yaml the text of a scenario file
 * @param notes what was changed or left out, a line each; they are comments of the file, too
 */
public record Imported(String yaml, List<String> notes) {
    /** Copies the notes. */
    public Imported {
        notes = List.copyOf(notes);
    }
}
