package dev.fettle.model.load;

import dev.fettle.model.text.NamedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Rows of a CSV file (RFC 4180): values separated by commas, in double quotes if they contain commas, quotes or line breaks.
 * The first row names the columns; empty lines are skipped.
 *
 * @param rows each with as many values as there are columns
 */
public record Csv(List<String> columns, List<List<String>> rows) {
    /** Largest file in bytes. */
    public static final long MOST_BYTES = 64L << 20;

    /** Copies the lists. */
    public Csv {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * Reads a file in UTF-8.
     *
     * @throws IllegalArgumentException if it can't be read or is not such a table; the message says why and contains no values
     */
    public static Csv read(Path file) {
        try {
            NamedFile.check(file);
            if (Files.size(file) > MOST_BYTES) {
                throw new IllegalArgumentException(file + " is larger than 64 MiB");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            return parse(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is not UTF-8 text", e);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("no such file: " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file.getFileName() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if it is not such a table; the message says where and why and contains no values
     */
    public static Csv parse(String text) {
        List<List<String>> rows = new Parser(text).rows();
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("it is empty: the first row names the columns");
        }
        List<String> columns = rows.getFirst().stream().map(String::strip).toList();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            if (!Templates.isName(column)) {
                throw new IllegalArgumentException(
                        "column " + (i + 1) + ": the first row names the columns, with letters, digits and _ . -");
            }
            if (columns.indexOf(column) < i) {
                throw new IllegalArgumentException("two columns are named '" + column + "'");
            }
        }
        if (rows.size() == 1) {
            throw new IllegalArgumentException("it has no rows below the columns' names");
        }
        for (int i = 1; i < rows.size(); i++) {
            if (rows.get(i).size() != columns.size()) {
                throw new IllegalArgumentException("row %d has %d values for %d columns"
                        .formatted(i, rows.get(i).size(), columns.size()));
            }
        }
        return new Csv(columns, rows.subList(1, rows.size()));
    }

    /**
     * All rows of a text as they are, whatever the first one says.
     *
     * @throws IllegalArgumentException if a quote is never closed
     */
    public static List<List<String>> lines(String text) {
        return new Parser(text).rows();
    }

    /**
     * The same one by one, without keeping them.
     *
     * @throws IllegalArgumentException if a quote is never closed
     */
    public static void each(String text, Consumer<List<String>> row) {
        new Parser(text).each(row);
    }

    /** One pass over a text. */
    private static final class Parser {
        private final String text;
        private int rows;
        private List<String> row = new ArrayList<>();
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<List<String>> rows() {
            var all = new ArrayList<List<String>>();
            each(all::add);
            return all;
        }

        void each(Consumer<List<String>> to) {
            while (at < text.length()) {
                boolean quoted = text.charAt(at) == '"';
                String value = quoted ? quoted() : plain();
                char next = at < text.length() ? text.charAt(at) : '\n';
                if (next == ',') {
                    row.add(value);
                    at++;
                } else if (next == '\r' || next == '\n') {
                    boolean blank = row.isEmpty() && value.isEmpty() && !quoted;
                    if (!blank) {
                        row.add(value);
                        endRow(to);
                    }
                    at += text.startsWith("\r\n", at) ? 2 : 1;
                } else {
                    throw new IllegalArgumentException("row " + rows + ": text after a closing quote");
                }
            }
            if (!row.isEmpty()) {
                row.add("");
                endRow(to);
            }
        }

        private void endRow(Consumer<List<String>> to) {
            rows++;
            to.accept(row);
            row = new ArrayList<>();
        }

        private String plain() {
            int from = at;
            while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
                if (text.charAt(at) == '"') {
                    throw new IllegalArgumentException(
                            "row " + rows + ": a quote within a value (put the value in quotes, and double it)");
                }
                at++;
            }
            return text.substring(from, at);
        }

        private String quoted() {
            var value = new StringBuilder();
            at++;
            while (true) {
                int quote = text.indexOf('"', at);
                if (quote < 0) {
                    throw new IllegalArgumentException("row " + rows + ": a quote is not closed");
                }
                value.append(text, at, quote);
                at = quote + 1;
                if (at == text.length() || text.charAt(at) != '"') {
                    return value.toString();
                }
                value.append('"');
                at++;
            }
        }
    }
}
