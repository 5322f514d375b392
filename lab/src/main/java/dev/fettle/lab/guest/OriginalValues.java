package dev.fettle.lab.guest;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.process.Guest;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The values that a process's live knobs had before Fettle changed them, as one of its {@link Debts}. */
final class OriginalValues {
    private static final String PORT = "port";

    private final Debts debts;
    private final Guest guest;
    private Debts.@Nullable Own owed;

    OriginalValues(Debts debts, Guest guest) {
        this.debts = debts;
        this.guest = guest;
    }

    /**
     * The recorded values.
     *
     * @param port the server's port
     * @param values by common knob name, canonical
     */
    record Kept(int port, Map<String, String> values) {
        /** What {@link #keep} wrote. */
        static Kept of(Debts.Entry entry) throws LabException {
            Map<String, String> values = entry.content();
            String port = values.remove(PORT);
            try {
                return new Kept(Integer.parseInt(port == null ? "" : port), values);
            } catch (NumberFormatException e) {
                throw new LabException("cannot read " + entry.file() + ": " + e.getMessage(), e);
            }
        }
    }

    /**
     * Writes the values; they are on disk when this returns.
     *
     * @throws LabException if that can't be done, or another Fettle has values set there now
     */
    void keep(Kept kept) throws LabException {
        var content = new TreeMap<>(kept.values());
        content.put(PORT, Integer.toString(kept.port()));
        owed = debts.owe(guest, Debts.Kind.VALUES, content);
    }

    /** All values are as they were. */
    void delete() throws LabException {
        if (owed != null) {
            owed.settle();
        }
    }

    @Override
    public String toString() {
        return String.valueOf(owed);
    }
}
