package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.cli.option.Range;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class OptionRangesTest {
    /** A value of an option that has a range, and whether it lies in it. */
    private record Row(String command, String option, String value, boolean inside) {
        @Override
        public String toString() {
            return command + " " + option + " " + value;
        }
    }

    private static final CommandLine LINE = Main.commandLine();

    static Stream<Row> rows() {
        return LINE.getSubcommands().entrySet().stream()
                .flatMap(c -> c.getValue().getCommandSpec().options().stream().flatMap(o -> rows(c.getKey(), o)));
    }

    /** At both ends, and beyond them, with the bound's own unit. */
    private static Stream<Row> rows(String command, OptionSpec option) {
        Range range = option.userObject() instanceof Field f ? f.getAnnotation(Range.class) : null;
        if (range == null) {
            return Stream.empty();
        }
        String name = option.longestName();
        var all = new ArrayList<Row>();
        if (!range.least().isEmpty()) {
            all.add(new Row(command, name, range.least(), true));
            all.add(new Row(command, name, below(range.least()), false));
        }
        if (!range.most().isEmpty()) {
            all.add(new Row(command, name, range.most(), true));
            all.add(new Row(command, name, above(range.most()), false));
        }
        return all.stream();
    }

    private static String below(String bound) {
        return bound.equals("0") ? "-1" : "0" + bound.replaceAll("[0-9.]", "");
    }

    private static String above(String bound) {
        return bound.contains("e") ? bound + "0" : bound.replaceFirst("^([0-9]+)", "$15");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aValueIsRefusedOutsideItsRangeOnly(Row row) {
        var err = new StringWriter();
        boolean needsUrl = List.of("bench", "capacity").contains(row.command());
        int code = LINE.setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(Stream.of(row.command(), needsUrl ? "http://192.0.2.1/" : "", row.option(), row.value())
                        .filter(a -> !a.isEmpty())
                        .toArray(String[]::new));
        String first = err.toString().lines().findFirst().orElse("");
        if (row.inside()) {
            assertThat(first).doesNotContain(row.value() + ": ");
        } else {
            assertThat(code).as(first).isEqualTo(2);
            assertThat(first).contains(" " + row.value() + ": ");
            assertThat(err.toString().lines()).hasSize(1);
        }
    }
}
