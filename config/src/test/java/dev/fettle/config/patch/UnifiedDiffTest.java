package dev.fettle.config.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {
    private static final Pattern HUNK = Pattern.compile("@@ -(\\d+)(?:,(\\d+))? \\+(\\d+)(?:,(\\d+))? @@");

    @Test
    void oneChangedLineWithItsContext() {
        assertThat(UnifiedDiff.of("conf/server.xml", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"))
                .isEqualTo("""
                        --- a/conf/server.xml
                        +++ b/conf/server.xml
                        @@ -2,7 +2,7 @@
                         2
                         3
                         4
                        -5
                        +five
                         6
                         7
                         8
                        """);
    }

    @Test
    void changesFarApartAreHunksOfTheirOwnAndNearOnesAreOne() {
        String ten = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\n";
        assertThat(UnifiedDiff.of("f", ten, ten.replace("a\n", "A\n").replace("n\n", "N\n")))
                .containsOnlyOnce("@@ -1,4 +1,4 @@")
                .containsOnlyOnce("@@ -11,4 +11,4 @@");
        assertThat(UnifiedDiff.of("f", ten, ten.replace("a\n", "A\n").replace("f\n", "F\n")))
                .containsOnlyOnce("@@ -1,9 +1,9 @@");
    }

    @Test
    void theSameIsNothing() {
        assertThat(UnifiedDiff.of("f", "x\n", "x\n")).isEmpty();
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "b", "c", "")
                .list()
                .ofMaxSize(20)
                .flatMap(l -> Arbitraries.of("", "\n").map(end -> String.join("\n", l) + (l.isEmpty() ? "" : end)));
    }

    /** What patch(1) would do: each hunk is found where it says, and nothing else is touched. */
    @Property(tries = 2000)
    void appliedItGivesTheOther(@ForAll("texts") String before, @ForAll("texts") String after) {
        assertThat(apply(before, UnifiedDiff.of("f", before, after))).isEqualTo(after);
    }

    @Property(tries = 1000)
    void ourOwnPatchGivesTheOther(
            @ForAll("texts") String before, @ForAll("texts") String after, @ForAll boolean windows) throws Exception {
        String old = windows ? before.replace("\n", "\r\n") : before;
        String now = windows ? after.replace("\n", "\r\n") : after;
        String patch = "# why\n" + UnifiedDiff.of("f", old, now);
        if (old.equals(now)) {
            assertThatThrownBy(() -> PatchText.applied(patch, Map.of("f", old)))
                    .hasMessage("the patch changes nothing");
        } else {
            assertThat(PatchText.applied(patch, Map.of("f", old, "g", "x"))).isEqualTo(Map.of("f", now));
        }
    }

    @Test
    void aPatchOfAnotherTextIsRefused() {
        String patch = UnifiedDiff.of("f", "a\nb\nc\n", "a\nB\nc\n");
        assertThatThrownBy(() -> PatchText.applied(patch, Map.of("f", "a\nx\nc\n")))
                .hasMessage("the patch does not fit f:2");
        assertThatThrownBy(() -> PatchText.applied(patch, Map.of("f", "a\n"))).hasMessage("the patch is longer than f");
        assertThatThrownBy(() -> PatchText.applied(patch, Map.of()))
                .hasMessage("the patch changes f, which is not there");
    }

    private static String apply(String before, String patch) {
        if (patch.isEmpty()) {
            return before;
        }
        List<String> old = lines(before);
        var out = new StringBuilder();
        int done = 0;
        String[] all = patch.split("(?<=\n)");
        for (int i = 2; i < all.length; i++) {
            Matcher m = HUNK.matcher(all[i].strip());
            if (m.matches()) {
                int count = m.group(2) == null ? 1 : Integer.parseInt(m.group(2));
                int begin = Integer.parseInt(m.group(1)) - (count == 0 ? 0 : 1);
                old.subList(done, begin).forEach(out::append);
                done = begin;
                continue;
            }
            boolean cut = i + 1 < all.length && all[i + 1].startsWith("\\");
            String text = all[i].substring(1);
            text = cut ? text.substring(0, text.length() - 1) : text;
            switch (all[i].charAt(0)) {
                case ' ' -> {
                    assertThat(old.get(done++)).isEqualTo(text);
                    out.append(text);
                }
                case '-' -> assertThat(old.get(done++)).isEqualTo(text);
                case '+' -> out.append(text);
                default -> assertThat(all[i]).startsWith("\\");
            }
        }
        old.subList(done, old.size()).forEach(out::append);
        return out.toString();
    }

    private static List<String> lines(String text) {
        var lines = new ArrayList<String>();
        for (String line : text.split("(?<=\n)")) {
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        return lines;
    }
}
