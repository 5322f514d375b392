package dev.fettle.load.script;

import dev.fettle.load.bytes.ByteText;
import org.jspecify.annotations.Nullable;

/** How a protocol writes the head of a request. Keeps nothing: for all threads. */
public interface HeadFormat {

    /**
     * Writes the request line, or what stands in its place.
     *
     * @param host what the Host field says; written by a protocol that has it here and not among the fields
     */
    void begin(ByteText out, byte[] method, ByteText host, ByteText path);

    /** A field's name as {@link #field} takes it; null: requests of this protocol have no such field. */
    byte @Nullable [] name(String name);

    void field(ByteText out, byte[] name, ByteText value);

    /** Writes what follows the last field. */
    void end(ByteText out);
}
