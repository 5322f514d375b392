package dev.fettle.lab.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.insight.Conclusion;
import dev.fettle.lab.machine.KeptName;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.OwnKey;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.text.WrittenTime;
import dev.fettle.model.trial.TrialOutcome;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteLimits;

/**
 * The durable record of every run: SQLite in WAL mode, each trial committed with {@code synchronous=FULL} as it ends, so that a
 * crash at any moment loses at most the running trial. Contains no secrets: callers redact before writing. Only this version's form is
 * read: others, older or newer, are refused.
 */
public final class Journal implements AutoCloseable {
    private static final int VERSION = 6;

    /** Bytes of a value: a trial, a plan or a conclusion; a trial's is some 100 KB. */
    private static final int LONGEST_VALUE = 64 << 20;

    private static final List<String> SCHEMA = List.of("""
            CREATE TABLE IF NOT EXISTS run (
              id TEXT PRIMARY KEY, sequence INTEGER NOT NULL UNIQUE, kind TEXT NOT NULL, plan_file TEXT NOT NULL,
              plan_hash TEXT NOT NULL, plan TEXT NOT NULL, environment TEXT NOT NULL, started TEXT NOT NULL,
              conclusion TEXT) STRICT""", """
            CREATE TABLE IF NOT EXISTS trial (
              run TEXT NOT NULL REFERENCES run(id), ordinal INTEGER NOT NULL, outcome TEXT NOT NULL,
              PRIMARY KEY (run, ordinal)) STRICT""");

    /** What this user's Fettle has begun, sealed; another's journal has seals of another key. */
    private static final String SEALS =
            "CREATE TABLE IF NOT EXISTS seal (run TEXT PRIMARY KEY, seal TEXT NOT NULL) STRICT";

    private final Connection db;
    private final OwnKey key = OwnKey.in(OwnKey.state(System.getenv()));
    private final ObjectMapper json = Json.mapper();
    private final Path file;

    private Journal(Connection db, Path file) throws SQLException {
        this.db = db;
        this.file = file;
    }

    /** Opens the journal of a workspace; creates it if missing. */
    public static Journal open(Path file) throws LabException {
        return open(file, 0);
    }

    /**
     * Opens a journal that exists, to read it. Where nothing can be written (this user may not, the disk is full), nothing is, not even
     * the files that SQLite keeps next to an open database.
     */
    public static Journal read(Path file) throws LabException {
        if (!Files.isWritable(file) || !Files.isWritable(file.toAbsolutePath().getParent())) {
            return readOnly(file);
        }
        try {
            return open(file);
        } catch (LabException e) {
            try {
                return readOnly(file);
            } catch (LabException second) {
                e.addSuppressed(second);
                throw e;
            }
        }
    }

    /**
     * Opens a journal without writing anything, wherever it lies: it may be a copy that somebody kept, or no journal of Fettle's at all.
     *
     * @throws LabException if it can't be read
     */
    public static Journal readOnly(Path file) throws LabException {
        SqliteLibrary.load();
        checkFiles(file);
        // a WAL holds what is not yet in the database: then another Fettle is writing, or was killed
        String how = Path.of(file + "-wal").toFile().length() > 0 ? "?mode=ro" : "?immutable=1";
        try {
            Connection db = connect(file, how);
            try {
                checkVersion(db, file);
            } catch (SQLException e) {
                db.close();
                throw e;
            }
            return new Journal(db, file);
        } catch (SQLException e) {
            throw failure("open", file, e);
        }
    }

    /** Opens a journal limited to a number of database pages, so that tests can simulate a full disk. */
    static Journal open(Path file, int maxPages) throws LabException {
        SqliteLibrary.load();
        checkFiles(file);
        try {
            if (!Files.exists(file)) {
                make(file);
            }
            Connection db = connect(file, "");
            try (var s = db.createStatement()) {
                s.execute("PRAGMA busy_timeout=5000");
                s.execute("PRAGMA journal_mode=WAL");
                s.execute("PRAGMA synchronous=FULL");
                s.execute("PRAGMA foreign_keys=ON");
                if (maxPages > 0) {
                    s.execute("PRAGMA max_page_count=" + maxPages);
                }
                if (checkVersion(db, file) < VERSION) {
                    for (String sql : SCHEMA) {
                        s.execute(sql);
                    }
                    s.execute("PRAGMA user_version=" + VERSION);
                }
            } catch (SQLException e) {
                db.close();
                throw e;
            }
            return new Journal(db, file);
        } catch (SQLException | IOException e) {
            throw failure("open", file, e);
        }
    }

    /**
     * Makes an empty one next to its place, and then puts it there whole: while SQLite brings a new database into the mode of this journal, it
     * keeps a file next to it that every other Fettle refuses, and that one that is killed leaves.
     */
    private static void make(Path file) throws IOException, SQLException {
        // SQLite gives its other files the same permissions: this user's alone
        Path made = Files.createTempFile(file.toAbsolutePath().getParent(), "journal", ".new");
        try {
            try (Connection db = connect(made, "");
                    var s = db.createStatement()) {
                s.execute("PRAGMA journal_mode=WAL");
            }
            link(file, made);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /** If another Fettle was quicker, its journal stays. */
    private static void link(Path file, Path made) throws IOException {
        try {
            Files.createLink(file, made);
        } catch (FileAlreadyExistsException e) {
            return;
        } catch (UnsupportedOperationException | FileSystemException e) { // a file system without links
            Files.move(made, file);
        }
    }

    /**
     * Refuses what is no file of Fettle's: SQLite writes through links; and what it keeps while it writes in its other mode, which this
     * journal is never in, can name any file, which is then deleted.
     */
    private static void checkFiles(Path file) throws LabException {
        for (String ending : List.of("", "-wal", "-shm")) {
            Path one = Path.of(file + ending);
            if (Files.isSymbolicLink(one)) {
                throw new LabException(one + " is a link: that is no journal of Fettle's");
            }
        }
        Path rollback = Path.of(file + "-journal");
        try {
            if (Files.exists(rollback, LinkOption.NOFOLLOW_LINKS) && Files.size(rollback) > 0) {
                throw new LabException(
                        rollback + " is none of Fettle's files, and SQLite would act on it: delete it if you don't know"
                                + " it");
            }
        } catch (IOException e) {
            throw new LabException("cannot read " + rollback + ": " + e.getMessage(), e);
        }
    }

    /** Whatever the file says, nothing in it is run, and no value in it is larger than what Fettle writes. */
    private static Connection connect(Path file, String how) throws SQLException {
        Connection db = DriverManager.getConnection(url(file) + how);
        try (var s = db.createStatement()) {
            s.execute("PRAGMA trusted_schema=OFF");
            s.execute("PRAGMA cell_size_check=ON");
            db.unwrap(SQLiteConnection.class).setLimit(SQLiteLimits.SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
            return db;
        } catch (SQLException e) {
            db.close();
            throw e;
        }
    }

    /** A URI, as the driver takes what follows a '?' in a path for options. */
    private static String url(Path file) {
        return "jdbc:sqlite:" + file.toUri();
    }

    /** The version of what is there. */
    private static int checkVersion(Connection db, Path file) throws SQLException, LabException {
        try (var s = db.createStatement()) {
            int version = s.executeQuery("PRAGMA user_version").getInt(1);
            try (ResultSet r = s.executeQuery("SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')"
                    + " OR (type = 'table' AND sql LIKE '%VIRTUAL%') LIMIT 1")) {
                if (r.next()) {
                    String what = OneLine.of(r.getString(1) + " " + r.getString(2));
                    db.close();
                    throw new LabException(file + " has a " + what + ": that is no journal of Fettle's");
                }
            }
            if (version != 0 && version != VERSION) {
                db.close();
                throw new LabException(file + " was written by " + (version > VERSION ? "a newer" : "an older")
                        + " Fettle (journal version " + version + ", this one reads " + VERSION
                        + "): use that one, or another folder");
            }
            return version;
        }
    }

    /** Starts a run and gives it an id: the plan's name and a number new in this journal. */
    public RunRecord begin(
            String kind, Path planFile, String planHash, Plan redacted, Map<String, String> environment, Instant now)
            throws LabException {
        String sql = "INSERT INTO run SELECT ?||'-'||n, n, ?, ?, ?, ?, ?, ?, NULL FROM"
                + " (SELECT COALESCE(MAX(sequence),0)+1 AS n FROM run) RETURNING id";
        try (PreparedStatement s = db.prepareStatement(sql)) {
            s.setString(1, KeptName.of(redacted.name()));
            s.setString(2, kind);
            s.setString(3, planFile.toString());
            s.setString(4, planHash);
            s.setString(5, json.writeValueAsString(redacted));
            s.setString(6, json.writeValueAsString(environment));
            s.setString(7, now.toString());
            String id;
            try (ResultSet r = s.executeQuery()) {
                id = r.getString(1);
            }
            seal(id);
            return find(id).orElseThrow();
        } catch (SQLException | JsonProcessingException e) {
            throw failure("write to", file, e);
        }
    }

    /** Without a key of this user's the run is one that anybody may have begun. */
    private void seal(String id) throws SQLException {
        String seal;
        try {
            seal = key.seal(begun(id));
        } catch (LabException e) {
            return;
        }
        try (var s = db.createStatement()) {
            s.execute(SEALS);
        }
        try (PreparedStatement s = db.prepareStatement("INSERT OR REPLACE INTO seal VALUES (?, ?)")) {
            s.setString(1, id);
            s.setString(2, seal);
            s.executeUpdate();
        }
    }

    /** What a run was begun with, as it is written there. */
    private List<String> begun(String id) throws SQLException {
        try (PreparedStatement s =
                db.prepareStatement("SELECT id, kind, plan_file, plan_hash, plan, environment FROM run WHERE id = ?")) {
            s.setString(1, id);
            var texts = new ArrayList<String>();
            try (ResultSet r = s.executeQuery()) {
                r.next();
                for (int i = 1; i <= r.getMetaData().getColumnCount(); i++) {
                    texts.add(String.valueOf(r.getString(i)));
                }
            }
            return texts;
        }
    }

    /**
     * Whether this user's Fettle began a run, with the very plan that the journal now has; otherwise anybody may have written it there.
     *
     * @throws LabException if this user's key may be another's
     */
    public boolean isOwn(String runId) throws LabException {
        try (PreparedStatement s = db.prepareStatement("SELECT seal FROM seal WHERE run = ?")) {
            s.setString(1, runId);
            try (ResultSet r = s.executeQuery()) {
                return r.next() && key.isSeal(String.valueOf(r.getString(1)), begun(runId));
            }
        } catch (SQLException e) {
            return false; // nothing was ever sealed there
        }
    }

    /** Adds trials atomically; they are on disk when this returns. */
    public void add(String runId, List<TrialOutcome> outcomes) throws LabException {
        // one statement is one transaction
        String rows = String.join(", ", Collections.nCopies(outcomes.size(), "(?, ?, ?)"));
        try (PreparedStatement s = db.prepareStatement("INSERT INTO trial VALUES " + rows)) {
            int at = 1;
            for (TrialOutcome outcome : outcomes) {
                s.setString(at++, runId);
                s.setInt(at++, outcome.ordinal());
                s.setString(at++, json.writeValueAsString(outcome));
            }
            s.executeUpdate();
        } catch (SQLException | JsonProcessingException e) {
            throw failure("write to", file, e);
        }
    }

    /** Writes the conclusion: the run is done. */
    public void conclude(String runId, Conclusion conclusion) throws LabException {
        try (PreparedStatement s = db.prepareStatement("UPDATE run SET conclusion = ? WHERE id = ?")) {
            s.setString(1, json.writeValueAsString(conclusion));
            s.setString(2, runId);
            s.executeUpdate();
        } catch (SQLException | JsonProcessingException e) {
            throw failure("write to", file, e);
        }
    }

    /** All runs, newest first; those that can't be read included. */
    public List<KeptRun> runs() throws LabException {
        return query("SELECT * FROM run ORDER BY sequence DESC", List.of());
    }

    /** A run by its id, its number, or {@code latest}. */
    public Optional<RunRecord> find(String name) throws LabException {
        Optional<KeptRun> found;
        if (name.equals("latest")) {
            found = query("SELECT * FROM run ORDER BY sequence DESC LIMIT 1", List.of()).stream()
                    .findFirst();
        } else {
            Optional<KeptRun> one = query(
                            "SELECT * FROM run WHERE id = ? OR sequence = CAST(? AS INTEGER) AND ? NOT GLOB '*[^0-9]*'",
                            List.of(name, name, name))
                    .stream()
                    .findFirst();
            found = one.isPresent()
                    ? one
                    : runs().stream()
                            .filter(r -> r.id().matches(Pattern.quote(name) + "-[0-9]+"))
                            .findFirst();
        }
        if (found.isPresent() && found.get().run().isEmpty()) {
            throw new LabException("cannot read the journal " + file + ": "
                    + found.get().id() + ": " + found.get().why());
        }
        return found.flatMap(KeptRun::run);
    }

    /** The trials of a run, in order. */
    public List<TrialOutcome> trials(String runId) throws LabException {
        return trials(runId, "");
    }

    /** The first trials of a run, in order. */
    public List<TrialOutcome> firstTrials(String runId, int most) throws LabException {
        return trials(runId, " LIMIT " + most);
    }

    private List<TrialOutcome> trials(String runId, String limit) throws LabException {
        try {
            var outcomes = new ArrayList<TrialOutcome>();
            for (String text : texts(db, "SELECT outcome FROM trial WHERE run = ? ORDER BY ordinal" + limit, runId)) {
                outcomes.add(json.readValue(text, TrialOutcome.class));
            }
            return outcomes;
        } catch (SQLException | JsonProcessingException e) {
            throw failure("read", file, e);
        }
    }

    /** The conclusion of a run, if it is done. */
    public Optional<Conclusion> conclusion(String runId) throws LabException {
        try {
            for (String text : texts(db, "SELECT conclusion FROM run WHERE id = ? AND conclusion IS NOT NULL", runId)) {
                return Optional.of(json.readValue(text, Conclusion.class));
            }
            return Optional.empty();
        } catch (SQLException | JsonProcessingException e) {
            throw failure("read", file, e);
        }
    }

    /** The single column of a query about a run. */
    static List<String> texts(Connection db, String sql, String runId) throws SQLException {
        var texts = new ArrayList<String>();
        try (PreparedStatement s = db.prepareStatement(sql)) {
            s.setString(1, runId);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    texts.add(r.getString(1));
                }
            }
        }
        return texts;
    }

    private List<KeptRun> query(String sql, List<String> arguments) throws LabException {
        var runs = new ArrayList<KeptRun>();
        try (PreparedStatement s = db.prepareStatement(sql)) {
            for (int i = 0; i < arguments.size(); i++) {
                s.setString(i + 1, arguments.get(i));
            }
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    runs.add(kept(r));
                }
            }
            return runs;
        } catch (SQLException e) {
            throw failure("read", file, e);
        }
    }

    private KeptRun kept(ResultSet r) throws SQLException {
        String id = String.valueOf(r.getString("id"));
        if (!KeptName.fits(id, r.getLong("sequence"))) {
            return KeptRun.unreadable(OneLine.of(id), "that is no id of a run");
        }
        try {
            return KeptRun.read(new RunRecord(
                    id,
                    r.getString("kind"),
                    Path.of(r.getString("plan_file")),
                    r.getString("plan_hash"),
                    json.readValue(r.getString("plan"), Plan.class),
                    json.readValue(r.getString("environment"), new TypeReference<Map<String, String>>() {}),
                    WrittenTime.of(r.getString("started")),
                    r.getString("conclusion") == null ? RunRecord.State.OPEN : RunRecord.State.DONE));
        } catch (JsonProcessingException | RuntimeException e) { // whatever somebody has written there
            return KeptRun.unreadable(id, message(e));
        }
    }

    /** Jackson's whole message has a line of its own for the place. */
    private static String message(Exception e) {
        return String.valueOf(e instanceof JsonProcessingException j ? j.getOriginalMessage() : e.getMessage());
    }

    static LabException failure(String verb, Path file, Exception e) {
        String message = message(e);
        boolean full = message.contains("SQLITE_FULL") || message.contains("SQLITE_IOERR");
        return new LabException(
                "cannot " + verb + " the journal " + file + ": " + message
                        + (full ? "; free some disk space: what was journalled before is safe" : ""),
                e);
    }

    @Override
    public void close() throws LabException {
        try {
            db.close();
        } catch (SQLException e) {
            throw failure("close", file, e);
        }
    }
}
