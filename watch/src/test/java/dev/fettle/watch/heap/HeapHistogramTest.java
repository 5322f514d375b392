package dev.fettle.watch.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.watch.heap.HeapHistogram.Held;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapHistogramTest {
    private static final String MODULES = """
            6089:
             num     #instances         #bytes  class name (module)
            -------------------------------------------------------
               1:          8771         390192  [B (java.base@25.0.3)
               2:          1697         224568  java.lang.Class (java.base@25.0.3)
               3:            10          40000  shop.Cart$Item
               4:             2             64  [[Lshop.Cart;
            Total         10480         654824
            """;
    private static final String JAVA_8 = """

             num     #instances         #bytes  class name
            ----------------------------------------------
               1:          8771         390192  [C
               2:           100           1600  shop.Cart
            Total          8871         391792
            """;

    private static List<HeapHistogram> read(String text) throws IOException {
        return HeapHistogram.read(new BufferedReader(new StringReader(text)));
    }

    @Test
    void withModulesAndWithout() throws Exception {
        HeapHistogram h = read(MODULES).getFirst();
        assertThat(h.classes())
                .containsExactly(
                        Map.entry("byte[]", new Held(8771, 390_192)),
                        Map.entry("java.lang.Class", new Held(1697, 224_568)),
                        Map.entry("shop.Cart$Item", new Held(10, 40_000)),
                        Map.entry("shop.Cart[][]", new Held(2, 64)));
        assertThat(h.bytes()).isEqualTo(654_824);
        assertThat(h.whole()).isTrue();
        assertThat(read(JAVA_8).getFirst().classes()).containsKeys("char[]", "shop.Cart");
    }

    /** What stands around them belongs to none. */
    @Test
    void severalInOneText() throws Exception {
        List<HeapHistogram> all = read("some log\n" + MODULES + "1: 5 5 no.Class\n" + JAVA_8);
        assertThat(all).hasSize(2);
        assertThat(all.getFirst().classes()).doesNotContainKey("no.Class");
        assertThat(all.get(1).bytes()).isEqualTo(391_792);
    }

    @Test
    void oneThatWasCutOffIsReadUpToThere() throws Exception {
        HeapHistogram h = read(MODULES.substring(0, MODULES.indexOf("   3:"))).getFirst();
        assertThat(h.whole()).isFalse();
        assertThat(h.classes()).hasSize(2);
        assertThat(h.bytes()).isEqualTo(390_192 + 224_568);
    }

    /** Two class loaders may have a class of one name. */
    @Test
    void twoOfANameAreAddedUp() throws Exception {
        HeapHistogram h = read(JAVA_8.replace("[C", "shop.Cart")).getFirst();
        assertThat(h.classes()).containsExactly(Map.entry("shop.Cart", new Held(8871, 391_792)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no table",
                " num     #instances         #bytes  class name\n",
                " num #instances #bytes class name\n 1: x 5 a.B\n",
                " num #instances #bytes class name\n 1: 5 99999999999999999999999 a.B\n"
            })
    void whereNoClassIsReadThatIsSaid(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class).hasMessageContaining("no class");
    }

    @Test
    void linesWithoutEndAndNamesOfBracketsAreBounded() throws Exception {
        String head = " num #instances #bytes class name\n";
        assertThat(read(head + "   1: 5 80 [B\n   2: 1 16 " + "[".repeat(500_000) + "B\n")
                        .getFirst()
                        .classes())
                .hasSize(1);
        assertThat(read(head + "   1: 1 16 " + "[".repeat(60_000) + "B\n")
                        .getFirst()
                        .classes()
                        .keySet()
                        .iterator()
                        .next())
                .hasSizeLessThan(1_000);
    }

    @ParameterizedTest
    @CsvSource({"[B, byte[]", "[[J, long[][]", "[La.B;, a.B[]", "a.B, a.B", "[, [", "[X, X[]"})
    void names(String printed, String name) {
        assertThat(HeapHistogram.name(printed)).isEqualTo(name);
    }
}
