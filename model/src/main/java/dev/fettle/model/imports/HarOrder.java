package dev.fettle.model.imports;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The order in which the requests of a recording were sent; the file's may be another one. */
final class HarOrder {
    /** As HAR 1.2 wants it, and as some tools write it: with a zone without a colon, or with none, which is taken for UTC. */
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
            "yyyy-MM-dd['T'][' ']HH:mm:ss[.SSSSSSSSS][.SSSSSSSS][.SSSSSSS][.SSSSSS][.SSSSS][.SSSS][.SSS][.SS][.S][XXX][XX][X]");

    private record Sent(Instant at, JsonNode entry) {}

    private HarOrder() {}

    /** The entries by the time at which each was sent. One without a time stays behind the one in front of it. */
    static List<JsonNode> of(JsonNode entries, Set<String> notes) {
        var all = new ArrayList<Sent>();
        Instant last = Instant.MIN;
        int timeless = 0;
        boolean sorted = true;
        for (JsonNode entry : entries) {
            Optional<Instant> at = time(entry);
            timeless += at.isEmpty() ? 1 : 0;
            sorted &= at.isEmpty() || !at.get().isBefore(last);
            last = at.orElse(last);
            all.add(new Sent(last, entry));
        }
        if (!sorted) {
            all.sort(Comparator.comparing(Sent::at));
            notes.add("the requests are in the order in which they were sent, which is not that of the file");
        }
        if (timeless > 0) {
            notes.add(
                    timeless + " of " + all.size()
                            + " requests have no time that can be read (startedDateTime): each follows the one before it in the file");
        }
        return all.stream().map(Sent::entry).toList();
    }

    /** When a request was sent; empty if that can't be read. */
    static Optional<Instant> time(JsonNode entry) {
        try {
            TemporalAccessor read = FORM.parseBest(
                    entry.path("startedDateTime").asText().strip(), OffsetDateTime::from, LocalDateTime::from);
            return Optional.of(
                    read instanceof OffsetDateTime o
                            ? o.toInstant()
                            : ((LocalDateTime) read).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
