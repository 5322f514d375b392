package dev.fettle.report.document;

import dev.fettle.report.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A table: what each column is called, and what each row says in it. Terminal, page and other outputs draw the same one.
 *
 * @param sortable whether its order may be changed by a reader
 */
public record Table(List<Column> columns, List<Row> rows, boolean sortable) {
    /** Copies the lists. */
    public Table {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * A column.
     *
     * @param figures whether it has figures, which are aligned to the right
     * @param unlessEmpty whether it is left out where no row has anything to say in it
     * @param json the name of its figures in JSON, which ends in their unit if they have one; empty: JSON has them elsewhere
     */
    public record Column(String heading, boolean figures, Where where, boolean unlessEmpty, String json) {
        Column(String heading, boolean figures, Where where, boolean unlessEmpty) {
            this(heading, figures, where, unlessEmpty, "");
        }

        /** A figure in the unit that its name ends in; latencies are in nanoseconds elsewhere. */
        public double scaled(double figure) {
            return json.endsWith("Millis") ? figure / 1e6 : figure;
        }
    }

    /**
     * A row, with a value for each column.
     *
     * @param tone of the row as a whole: strong for the best or a difference that is shown, quiet for one without a valid trial
     */
    public record Row(List<Value> values, Tone tone) {
        /** Copies the values. */
        public Row {
            values = List.copyOf(values);
        }
    }

    /** The same with no more than its first rows. */
    public Table first(int most) {
        return new Table(columns, rows.subList(0, Math.min(most, rows.size())), sortable);
    }

    /** The same with no more than these rows next to each other: those around the first strong one, or where the tone first changes. */
    public Table around(int most) {
        int at = (int) rows.stream().takeWhile(r -> r.tone() != Tone.STRONG).count();
        if (at == rows.size()) {
            at = (int) rows.stream()
                            .takeWhile(r -> r.tone() == rows.getFirst().tone())
                            .count()
                    % rows.size();
        }
        int from = Math.clamp(at - most / 2, 0, Math.max(0, rows.size() - most));
        return new Table(columns, rows.subList(from, Math.min(rows.size(), from + most)), sortable);
    }

    /** The columns that have a name in JSON, by index. */
    public int[] named() {
        return IntStream.range(0, columns.size())
                .filter(i -> !columns.get(i).json().isEmpty())
                .toArray();
    }

    /** Adds a row's figures that have a name in JSON, and are known: times in the unit that the name ends in. */
    public JsonFields json(JsonFields to, int row) {
        for (int i : named()) {
            Column column = columns.get(i);
            to.known(column.json(), column.scaled(rows.get(row).values().get(i).figure()));
        }
        return to;
    }

    /** Starts a table with a row for each of these. */
    public static <R> Builder<R> of(List<? extends R> rows) {
        return new Builder<>(rows);
    }

    /**
     * A table without rows yet: each column is said once, with what a row has in it.
     *
     * @param <R> what a row is about
     */
    public static final class Builder<R> {
        private final List<R> about;
        private final List<Column> columns = new ArrayList<>();
        private final List<Function<R, Value>> values = new ArrayList<>();
        private Function<R, Tone> tone = r -> Tone.PLAIN;
        private boolean sortable;

        private Builder(List<? extends R> about) {
            this.about = List.copyOf(about);
        }

        /** A column of words. */
        public Builder<R> words(String heading, Function<R, String> text) {
            return add(new Column(heading, false, Where.EVERYWHERE, false), r -> Value.words(text.apply(r)));
        }

        /** A column of words with a tone of their own. */
        public Builder<R> cells(String heading, Function<R, Value> value) {
            return add(new Column(heading, false, Where.EVERYWHERE, false), value);
        }

        /** A column of words with a tone or a link of their own, that only some outputs show, and that is left out where there are none. */
        public Builder<R> cells(String heading, Where where, Function<R, Value> value) {
            return add(new Column(heading, false, where, true), value);
        }

        /** A column of words that only some outputs show. */
        public Builder<R> words(String heading, Where where, Function<R, String> text) {
            return add(new Column(heading, false, where, false), r -> Value.words(text.apply(r)));
        }

        /** A column of words that is left out where there are none. */
        public Builder<R> remarks(String heading, Where where, Function<R, String> text) {
            return add(new Column(heading, false, where, true), r -> Value.words(text.apply(r)));
        }

        /** A column of figures. */
        public Builder<R> figure(String heading, Function<R, Value> figure) {
            return add(new Column(heading, true, Where.EVERYWHERE, false), figure);
        }

        /** A column of figures that only some outputs show. */
        public Builder<R> figure(String heading, Where where, Function<R, Value> figure) {
            return add(new Column(heading, true, where, false), figure);
        }

        /** A column of figures that is left out where none is known, or where a terminal has no room. */
        public Builder<R> known(String heading, Function<R, Value> figure) {
            return add(new Column(heading, true, Where.IF_ROOM, true), figure);
        }

        /** A column of figures, if it has a heading. */
        public Builder<R> figure(Optional<String> heading, Function<R, Value> figure) {
            heading.ifPresent(h -> add(new Column(h, true, Where.EVERYWHERE, true), figure));
            return this;
        }

        /** Names the figures of the last column in JSON: {@code p99Millis}, {@code errorShare}. */
        public Builder<R> json(String name) {
            Column last = columns.removeLast();
            columns.add(new Column(last.heading(), last.figures(), last.where(), last.unlessEmpty(), name));
            return this;
        }

        /** A column of figures that programs alone read. */
        public Builder<R> data(String json, ToDoubleFunction<R> figure) {
            return add(
                    new Column("", true, Where.FOR_PROGRAMS, false, json), r -> new Value("", figure.applyAsDouble(r)));
        }

        /** A column of text that programs alone read. */
        public Builder<R> text(String json, Function<R, String> text) {
            return add(new Column("", false, Where.FOR_PROGRAMS, false, json), r -> Value.words(text.apply(r)));
        }

        private Builder<R> add(Column column, Function<R, Value> value) {
            columns.add(column);
            values.add(value);
            return this;
        }

        /** What a row is as a whole. */
        public Builder<R> tone(Function<R, Tone> of) {
            tone = of;
            return this;
        }

        /** The table; a reader may change its order. */
        public Table sortable() {
            sortable = true;
            return build();
        }

        /** The table. */
        public Table build() {
            return new Table(
                    columns,
                    about.stream()
                            .map(r ->
                                    new Row(values.stream().map(v -> v.apply(r)).toList(), tone.apply(r)))
                            .toList(),
                    sortable);
        }
    }

    /**
     * The columns that an output draws, by index: those that have anything to say, or are there anyway.
     *
     * @param medium what the output is
     */
    public int[] drawn(Medium medium) {
        return IntStream.range(0, columns.size())
                .filter(i -> columns.get(i).where().isOn(medium))
                .filter(i -> !columns.get(i).unlessEmpty()
                        || rows.stream().anyMatch(r -> !r.values().get(i).isMissing()))
                .toArray();
    }
}
