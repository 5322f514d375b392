package dev.fettle.lab.machine;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the first failure to write: a {@link java.io.PrintStream} above it reports that there was one, but not which. */
public final class KeptFailure extends FilterOutputStream {
    private volatile @Nullable IOException first;

    public KeptFailure(OutputStream out) {
        super(out);
    }

    /** Why something could not be written; empty if all was. */
    public Optional<IOException> failure() {
        return Optional.ofNullable(first);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            first = first == null ? e : first;
            throw e;
        }
    }
}
