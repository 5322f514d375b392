package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.Budget.OverBudget;
import dev.fettle.load.bytes.ByteText;
import dev.fettle.load.http1.ResponseParser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Many connections whose servers send much and never end share one budget, and give back what they took. */
class BudgetTest {
    private static final int MIB = 1 << 20;

    @Test
    void unfinishedHeadsShareIt() {
        Budget budget = new Budget(MIB);
        int refused = 0;
        var parsers = new ResponseParser[100];
        for (int i = 0; i < parsers.length; i++) {
            parsers[i] = new ResponseParser(budget);
            try {
                parsers[i].feed(bytes("HTTP/1.1 200 OK\r\nX: " + "a".repeat(60_000)));
            } catch (OverBudget e) {
                refused++;
                assertThat(e.what()).contains("1024 KiB");
            }
            assertThat(budget.used()).isLessThanOrEqualTo(MIB);
        }
        assertThat(refused).isBetween(80, 90);
        for (ResponseParser p : parsers) {
            p.release();
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void aConnectionGivesBackWhatItTookAndReadsOn() {
        Budget budget = new Budget(MIB);
        ResponseParser parser = new ResponseParser(budget);
        for (int i = 0; i < 100; i++) {
            parser.begin(false, null);
            parser.feed(bytes("HTTP/1.1 200 OK\r\nX: " + "a".repeat(30_000)));
            assertThat(parser.feed(bytes("b\r\nContent-Length: 0\r\n\r\n"))).isEqualTo(ResponseParser.DONE);
            assertThat(budget.used()).isPositive();
            parser.release();
            assertThat(budget.used()).isZero();
        }
    }

    @Test
    void longValuesShareItToo() {
        Budget budget = new Budget(MIB);
        ByteText text = new ByteText(budget);
        byte[] half = new byte[MIB / 2];
        text.copy(half, 0, half.length);
        assertThrows(OverBudget.class, () -> new ByteText(budget).copy(new byte[MIB], 0, MIB));
        assertThat(text.length()).isEqualTo(half.length);
        text.release();
        assertThat(budget.used()).isZero();
    }

    private static ByteBuffer bytes(String text) {
        byte[] all = text.getBytes(ISO_8859_1);
        return ByteBuffer.allocateDirect(all.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(all)
                .flip();
    }
}
