package dev.fettle.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.bench.fuzz.Check.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** The fuzzer on a small scale; {@code bench/fuzz-parser.sh} runs millions. It must also find what it is supposed to find. */
class ParserAgreementTest {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private final Check check = new Check();

    @Property(tries = 1500)
    void nobodyCrashesAndEveryDifferenceIsIntended(@ForAll @LongRange(min = 0) long number) {
        Input input = StreamMaker.make(3, number);
        Verdict verdict = check.run(input, number);
        assertThat(verdict).as(input.escaped()).isNotInstanceOf(Verdict.Failure.class);
    }

    @Example
    void theSameNumberMakesTheSameStream() {
        assertThat(StreamMaker.make(1, 42).bytes())
                .isEqualTo(StreamMaker.make(1, 42).bytes());
        assertThat(StreamMaker.make(1, 42).bytes())
                .isNotEqualTo(StreamMaker.make(2, 42).bytes());
    }

    @Example
    void aGoodStreamIsReadTheSameByBoth() {
        assertThat(check.run(input(OK + OK), 1)).isEqualTo(new Verdict.Same(2));
    }

    @Example
    void aDifferenceThatNobodyMeansIsNoneOfTheIntended() {
        Input input = input(OK + OK);
        Reading right = NettyReader.read(input);
        Reading.Answer first = right.answers().getFirst();
        Reading wrong = new Reading(List.of(first), Reading.End.TORN, Reading.Answer.NONE, "", 0);
        assertThat(IntendedDifference.of(Case.of(input, wrong, right))).isEmpty();
        Reading refusing = new Reading(
                List.of(first), Reading.End.BAD, Reading.Answer.NONE, "no header line: 'x'", OK.length() + 36);
        assertThat(IntendedDifference.of(Case.of(input, refusing, right))).isEmpty();
    }

    @Example
    void theTableJudgesByTheBytes() {
        assertThat(difference("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"))
                .isEqualTo(IntendedDifference.STATUS_LINE);
        assertThat(difference("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\n0\n\n"))
                .isEqualTo(IntendedDifference.BARE_LF);
        assertThat(difference("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nx"))
                .isEqualTo(IntendedDifference.CHUNKED_NOT_LAST);
    }

    @Example
    void shrinkingKeepsWhatFails() {
        Input small = Shrinker.shrink(input("abcXdef"), it -> it.text().contains("X"));
        assertThat(small.text()).isEqualTo("X");
    }

    private IntendedDifference difference(String text) {
        Verdict verdict = check.run(input(text), 1);
        assertThat(verdict).isInstanceOf(Verdict.Intended.class);
        return ((Verdict.Intended) verdict).difference();
    }

    private static Input input(String text) {
        return new Input(text.getBytes(StandardCharsets.ISO_8859_1), false);
    }
}
