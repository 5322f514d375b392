package dev.fettle.load.script;

import dev.fettle.load.bytes.ByteText;
import org.jspecify.annotations.Nullable;

/** How a protocol writes the head of a request. Stateless: shared by all threads. */
public interface HeadFormat {

    /**
     * Writes the request line, or its equivalent.
     *
     * @param host value of the Host field; written here by protocols that do not have it among the fields
     */
    void begin(ByteText out, byte[] method, ByteText host, ByteText path);

    /** A field's name as {@link #field} takes it; null: requests of this protocol have no such field. */
    byte @Nullable [] name(String name);

    void field(ByteText out, byte[] name, ByteText value);

    /** Writes what comes after the last field. */
    void end(ByteText out);
}
