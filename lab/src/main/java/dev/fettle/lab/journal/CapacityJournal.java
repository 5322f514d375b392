package dev.fettle.lab.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.insight.capacity.CapacityResult;
import dev.fettle.insight.capacity.CapacityResult.Judged;
import dev.fettle.lab.machine.LabException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of a {@link Journal} that holds capacity searches: what was asked, and each probe with its verdict, committed as it
 * ends. The run itself is begun in the journal like any other. Valid until the journal is closed.
 */
public final class CapacityJournal {
    /** The kind of such a run. */
    public static final String KIND = "capacity";

    static final String ASKED = """
            CREATE TABLE IF NOT EXISTS capacity (
              run TEXT PRIMARY KEY REFERENCES run(id), asked TEXT NOT NULL) STRICT""";
    static final String PROBES = """
            CREATE TABLE IF NOT EXISTS probe (
              run TEXT NOT NULL REFERENCES run(id), ordinal INTEGER NOT NULL, judged TEXT NOT NULL,
              PRIMARY KEY (run, ordinal)) STRICT""";

    private final Connection db;
    private final ObjectMapper json;
    private final Path file;

    CapacityJournal(Connection db, ObjectMapper json, Path file) {
        this.db = db;
        this.json = json;
        this.file = file;
    }

    /** Writes what was asked of a run that has just begun. */
    public void begin(String runId, CapacityAsked asked) throws LabException {
        write("INSERT INTO capacity VALUES (?1, ?2)", runId, asked);
    }

    /** Adds a probe; when this returns it is on disk. */
    public void add(String runId, int ordinal, Judged probe) throws LabException {
        write("INSERT INTO probe VALUES (?1, " + ordinal + ", ?2)", runId, probe);
    }

    /** Writes what was found: the run is done. Its probes are in the journal already, and are not written again. */
    public void conclude(String runId, CapacityFindings found) throws LabException {
        write("UPDATE run SET conclusion = ?2 WHERE id = ?1", runId, with(found, List.of()));
    }

    /**
     * What was asked.
     *
     * @throws LabException also if the run is none of a capacity search
     */
    public CapacityAsked asked(String runId) throws LabException {
        return texts("SELECT asked FROM capacity WHERE run = ?1", runId, CapacityAsked.class).stream()
                .findFirst()
                .orElseThrow(
                        () -> new LabException("the journal " + file + " does not say what " + runId + " was asked"));
    }

    /** The probes of a run in order. */
    public List<Judged> probes(String runId) throws LabException {
        return texts("SELECT judged FROM probe WHERE run = ?1 ORDER BY ordinal", runId, Judged.class);
    }

    /** What was found, if the run is done. */
    public Optional<CapacityFindings> findings(String runId) throws LabException {
        List<CapacityFindings> found = texts(
                "SELECT conclusion FROM run WHERE id = ?1 AND conclusion IS NOT NULL", runId, CapacityFindings.class);
        return found.isEmpty() ? Optional.empty() : Optional.of(with(found.getFirst(), probes(runId)));
    }

    private static CapacityFindings with(CapacityFindings found, List<Judged> probes) {
        Optional<CapacityResult> result = found.result().map(r -> r.withProbes(probes));
        return new CapacityFindings(found.idleMillis(), result, found.overload(), found.notes());
    }

    private void write(String sql, String runId, Object value) throws LabException {
        try (PreparedStatement s = db.prepareStatement(sql)) {
            s.setString(1, runId);
            s.setString(2, json.writeValueAsString(value));
            s.executeUpdate();
        } catch (SQLException | JsonProcessingException e) {
            throw Journal.failure("write to", file, e);
        }
    }

    private <T> List<T> texts(String sql, String runId, Class<T> type) throws LabException {
        var all = new ArrayList<T>();
        try (PreparedStatement s = db.prepareStatement(sql)) {
            s.setString(1, runId);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    all.add(json.readValue(r.getString(1), type));
                }
            }
            return all;
        } catch (SQLException | JsonProcessingException e) {
            throw Journal.failure("read", file, e);
        }
    }
}
