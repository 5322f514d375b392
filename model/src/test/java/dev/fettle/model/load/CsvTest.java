package dev.fettle.model.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTest {

    @Test
    void readsValuesWithAndWithoutQuotes() {
        Csv csv = Csv.parse("name, password\r\nada,\"a,\"\"b\"\"\nc\"\n\n\"\",\nlast,x");
        assertThat(csv.columns()).containsExactly("name", "password");
        assertThat(csv.rows()).containsExactly(List.of("ada", "a,\"b\"\nc"), List.of("", ""), List.of("last", "x"));
        assertThat(Csv.parse("a,b\n1,").rows()).containsExactly(List.of("1", ""));
        assertThat(Csv.parse("a\n\"\"\n").rows()).containsExactly(List.of(""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "''! it is empty: the first row names the columns",
                "a,b! it has no rows below the columns' names",
                "a,a~1,2! two columns are named 'a'",
                "1st~x! column 1: the first row names the columns, with letters, digits and _ . -",
                "a,b~1,2~hunter2! row 2 has 1 values for 2 columns",
                "a~x\"y! row 1: a quote within a value (put the value in quotes, and double it)",
                "a~\"x! row 1: a quote is not closed",
                "a~\"x\"y! row 1: text after a closing quote",
            })
    void saysWhatIsWrongWithoutTheValues(String text, String problem) {
        assertThatThrownBy(() -> Csv.parse(text.replace('~', '\n'))).hasMessage(problem);
    }

    @Test
    void readsFiles(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("u.csv"), "\uFEFFname\nada\n");
        assertThat(Csv.read(file).columns()).containsExactly("name");
        assertThatThrownBy(() -> Csv.read(folder.resolve("none.csv")))
                .hasMessage("no such file: " + folder.resolve("none.csv"));
        Files.write(file, new byte[] {'a', '\n', (byte) 0xC3});
        assertThatThrownBy(() -> Csv.read(file)).hasMessageEndingWith("u.csv is not UTF-8 text");
        Files.writeString(file, "a\n");
        assertThatThrownBy(() -> Csv.read(file)).hasMessage("u.csv: it has no rows below the columns' names");
    }

    /** What is written with every value in quotes is read back. */
    @Property(tries = 300)
    void readsBack(@ForAll("rows") List<List<String>> rows) {
        String text = "a,b\n"
                + rows.stream()
                        .map(row -> row.stream()
                                .map(v -> '"' + v.replace("\"", "\"\"") + '"')
                                .collect(Collectors.joining(",")))
                        .collect(Collectors.joining("\r\n"));
        assertThat(Csv.parse(text).rows()).isEqualTo(rows);
    }

    @Provide
    Arbitrary<List<List<String>>> rows() {
        return Arbitraries.strings()
                .withChars("ab\",;\r\n é")
                .ofMaxLength(6)
                .list()
                .ofSize(2)
                .list()
                .ofMinSize(1)
                .ofMaxSize(5);
    }
}
