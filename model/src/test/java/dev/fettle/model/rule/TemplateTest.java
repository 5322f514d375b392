package dev.fettle.model.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.text.OptionalFigure;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
    private static final Map<String, Object> FIGURES = RuleEntry.figures(
            "share",
            0.314,
            "n",
            1200,
            "one",
            1.0,
            "who",
            "the pool",
            "none",
            OptionalFigure.empty(),
            "nobody",
            Optional.empty(),
            "blank",
            "",
            "yes",
            true,
            "no",
            false,
            "maybe",
            OptionalFigure.of(0.25),
            "at",
            Optional.of("A.b"),
            "bound",
            Bound.of("10 %, as measured"));

    private static String filled(String text) {
        return Template.fill(text, name -> {
            Object value = FIGURES.get(name);
            if (value == null) {
                throw new IllegalStateException("no " + name);
            }
            return value;
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            {share:share} of {n} > 31 % of 1,200
            {n:count}, {maybe:number}, {maybe:seconds}, {maybe:nanos} > 1,200, 0.250, 250 ms, 0.250 ns
            {bound}, {bound:number} > 10 %, 0.100
            {n|one call was|# calls were} > 1,200 calls were
            {one|one call was|# calls were} > one call was
            {one||the oldest }done > done
            {n||the oldest }done > the oldest done
            a[, as in {at}] > a, as in A.b
            a[, as in {nobody}] > a
            a[ {blank}][ {none:share}][ {no?}!] > a
            a[{yes?}, and so] > a, and so
            a[!yes: b][!no: c] > ac
            a[{yes?}b[ {nobody}]c[ {who}]] > abc the pool
            a[{no?}b[ {who}]c] > a
            a[!nobody: b[ {maybe:share}]] > ab 25 %
            a[!who: b[ {maybe:share}]]c > ac
            """)
    void figuresAreFilledInAndPartsLeftOut(String text, String expected) {
        assertThat(filled(text.strip())).isEqualTo(expected.strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{unknown}", "{share}", "{share:miles}", "{who:share}", "{none:share}", "a[b", "a{b"})
    void whatCanNotBeFilledInIsRefused(String text) {
        assertThatThrownBy(() -> filled(text)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "30 %, 0.3, 30 %",
        "0.1 %, 0.001, 0.1 %",
        "5 ms, 0.005, 5.00 ms",
        "2 s, 2, 2.00 s",
        "256 KiB, 262144, 256 KiB",
        "1.02, 1.02, 1.02",
        "36, 36, 36"
    })
    void aBoundIsReadAndWritten(String written, double value, String text) {
        assertThat(Bound.of(written).value()).isEqualTo(value);
        assertThat(Bound.of(written + ", why, and where: there").text()).isEqualTo(text);
        assertThat(Bound.of(written + ", why, and where: there").why()).isEqualTo("why, and where: there");
    }

    @Test
    void whatIsNoBoundIsRefused() {
        assertThatThrownBy(() -> Bound.of("many")).hasMessageContaining("no bound");
        assertThatThrownBy(() -> Bounds.value("nothing-of-that-name")).hasMessageContaining("no bound");
        assertThatThrownBy(() -> RuleTable.read("gate").get("none")).hasMessageContaining("no entry");
    }

    /** Each has a value, and those of one table are found by the rules of another. */
    @Test
    void aRuleFindsItsOwnBoundsAndTheSharedOnes() {
        RuleEntry rule = RuleTable.read("gate").get("send-lag");
        assertThat(rule.bound("of-slo")).isEqualTo(0.05);
        assertThat(rule.bound("send-lag")).isEqualTo(Bounds.value("send-lag"));
        assertThat(rule.text("what")).contains("5 %");
    }
}
