package dev.fettle.load.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.AnswerCounts;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.RoughLength;
import dev.fettle.load.Window;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.load.engine.LoadEngine;
import dev.fettle.load.engine.TinyServer;
import dev.fettle.load.engine.TransportKinds;
import dev.fettle.load.script.Fingerprint;
import dev.fettle.load.script.ResponseSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What answers look like is taken down, all of them by length and a sample by content. */
class AnswersTest {

    private static int crc(String body) {
        var crc = new CRC32C();
        crc.update(body.getBytes(ISO_8859_1));
        return (int) crc.getValue();
    }

    @ParameterizedTest
    @CsvSource({"NIO, 1, false", "NIO, 8, true", "IO_URING, 1, true"})
    void allByLengthAndSomeByContent(TransportKind transport, int inFlight, boolean chunked) throws Exception {
        org.junit.jupiter.api.Assumptions.assumeTrue(TransportKinds.usable().contains(transport));
        String answer = chunked
                ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        try (TinyServer server = new TinyServer(answer);
                LoadRun run = LoadEngine.start(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                        .connections(3)
                        .wire(Wire.PLAIN.withTransport(transport).withInFlight(inFlight))
                        .maxRequests(5_000)
                        .maxDuration(Duration.ofMinutes(2))
                        .build())) {
            assertThat(run.awaitDone(Duration.ofMinutes(2))).isTrue();
            Window window = run.takeWindow();
            assertThat(window.responses()).isEqualTo(5_000);
            AnswerCounts answers = window.answers().getFirst();
            assertThat(answers.shapes()).isEqualTo(Map.of(new AnswerCounts.Shape(200, 5, 5), 5_000L));
            assertThat(answers.contents()).containsOnlyKeys(new AnswerCounts.Content(200, 5, crc("hello"), false));
            long sampled = answers.contents().values().iterator().next();
            int clients = 3 * inFlight;
            assertThat(sampled)
                    .isBetween(
                            (long) clients * Fingerprint.FIRST,
                            (long) clients * (Fingerprint.FIRST + 1) + 5_000 / Fingerprint.EVERY);
        }
    }

    private static byte[] gzip(String body) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            zip.write(body.getBytes(ISO_8859_1));
        }
        return out.toByteArray();
    }

    /** The first clients' samples are those of the page, as without compression; the others' are left out. */
    @Test
    void whatComesAsGzipIsUnpacked() throws Exception {
        String page = "a page that packs well. ".repeat(2_000);
        byte[] packed = gzip(page);
        String answer = "HTTP/1.1 200 OK\r\ncontent-Encoding: GZIP\r\nContent-Length: " + packed.length + "\r\n\r\n"
                + new String(packed, ISO_8859_1);
        try (TinyServer server = new TinyServer(answer);
                LoadRun run = LoadEngine.start(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                        .connections(12)
                        .maxRequests(2_000)
                        .maxDuration(Duration.ofMinutes(2))
                        .build())) {
            assertThat(run.awaitDone(Duration.ofMinutes(2))).isTrue();
            AnswerCounts answers = run.takeWindow().answers().getFirst();
            assertThat(answers.shapes())
                    .isEqualTo(Map.of(new AnswerCounts.Shape(200, packed.length, packed.length), 2_000L));
            assertThat(answers.contents())
                    .containsOnlyKeys(new AnswerCounts.Content(200, page.length(), crc(page), true));
            assertThat(answers.otherContents()).isZero();
        }
    }

    @Test
    void oneInSoManyIsHashedWhicheverPiecesItComesIn() {
        var print = new Fingerprint();
        int sampled = 0;
        ByteBuffer b = ByteBuffer.allocateDirect(64).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        b.put("..hello..".getBytes(ISO_8859_1)).flip().position(1);
        for (int i = 0; i < 6_100; i++) {
            ResponseSink sink = print.on(null);
            if (sink != null) {
                sink.begin();
                sink.body(b, 2, 4);
                sink.body(b, 4, 7);
                assertThat(print.hash()).isEqualTo(crc("hello"));
                assertThat(b.position()).isEqualTo(1);
                assertThat(b.limit()).isEqualTo(9);
            }
            assertThat(print.isSampled()).isEqualTo(sink != null);
            sampled += print.isSampled() ? 1 : 0;
        }
        assertThat(sampled).isEqualTo(Fingerprint.FIRST + 6_100 / Fingerprint.EVERY - 1);
    }

    @Test
    void whatFindsNoRoomIsCountedRoughly() {
        var table = new AnswerTable();
        for (int i = 0; i < 1_000; i++) {
            table.add(200, 1_000 + i);
            table.add(200, 1_000 + i, i, false);
        }
        AnswerCounts answers = table.answers();
        assertThat(answers.shapes().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(1_000);
        assertThat(answers.shapes().keySet())
                .filteredOn(s -> s.shortest() < s.longest())
                .isNotEmpty()
                .allMatch(s -> s.shortest() <= 1_999 && s.longest() >= 1_000 && s.longest() < 1.26 * s.shortest());
        assertThat(answers.contents()).hasSize(32);
        assertThat(answers.otherContents()).isEqualTo(968);
        AnswerCounts twice = answers.plus(answers);
        assertThat(twice.shapes().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(2_000);
        assertThat(twice.otherContents()).isEqualTo(2 * 968);
        table.clear();
        assertThat(table.answers()).isEqualTo(AnswerCounts.NONE);
    }

    @Property
    void everyLengthHasARoughOne(@ForAll @LongRange(min = 0, max = 1L << 40) long length) {
        AnswerCounts.Shape rough = RoughLength.shape(RoughLength.index(length));
        assertThat(length).isBetween(rough.shortest(), rough.longest());
    }
}
