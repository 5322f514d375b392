package dev.fettle.bench.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Makes streams of responses: built from the grammar of RFC 9112 with occasional odd choices; half of them are then
 * damaged byte by byte or slice by slice. The same seed and number make the same stream.
 */
final class StreamMaker {

    private static final String[] ODD_EOLS = {"\r", "\r\r\n", "\n\r", "", " \r\n", "\0\r\n", "\u000b\r\n"};
    private static final String[] VERSIONS = {"HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0"};
    private static final String[] ODD_VERSIONS = {
        "HTTP/1.2",
        "HTTP/2",
        "HTTP/2.0",
        "HTTP/0.9",
        "http/1.1",
        "HTTP/1.",
        "HTTP/11",
        "HTTP/1,1",
        "ICY",
        " HTTP/1.1",
        "HTTPS/1.1",
        ""
    };
    private static final String[] STATUSES = {"200", "200", "200", "404", "503", "204", "304", "205", "302", "599"};
    private static final String[] ODD_STATUSES = {
        "000", "099", "600", "999", "20", "2000", "2x0", "-20", "+200", " 200", "101", ""
    };
    private static final String[] REASONS = {" OK", " OK", " OK", "", " ", " Not Found", " \u00e4 \0", "\tOK", "OK"};
    private static final String[] HEADERS = {
        "Server: nginx/1.22.1",
        "Date: Sat, 21 Nov 2026 10:00:00 GMT",
        "Content-Type: text/html; charset=utf-8",
        "Set-Cookie: a=b; Path=/",
        "X:",
        "ETag: \"x\"",
        "Content-Lengthy: 9",
        "Trailer: T",
        "Upgrade: h2c",
        "Connection: keep-alive",
        "connection: Keep-Alive",
        "Keep-Alive: timeout=5",
        "Vary: *"
    };
    private static final String[] ODD_HEADERS = {
        "Connection: close",
        "Connection: x , Close",
        "Connection: close, keep-alive",
        "Connection: closed",
        "Connection:\r\n close",
        "no colon",
        ": no name",
        "Content-Length : 3",
        "Content Length: 3",
        "X: a\r\n b: c",
        " X: folded",
        "X\0Y: z",
        "X: a\0b",
        "X:\u000ba",
        "\u00e4: b",
        "Content-Length: 3",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked",
        "Sec-WebSocket-Origin: x",
        "Transfer-Encoding\t: chunked"
    };
    private static final String[] ODD_LENGTHS = {
        "-1",
        "+3",
        "3 ",
        " 3",
        "\t3",
        "03",
        "0x3",
        "3.0",
        "3,3",
        "3, 3",
        "3 3",
        "",
        "3\0",
        "3\r",
        "9223372036854775807",
        "9223372036854775808",
        "999999999999999999",
        "18446744073709551619",
        "0000000000000000000000003",
        "\u0663",
        "3;",
        "1e1"
    };
    private static final String[] ODD_CODINGS = {
        "gzip, chunked",
        "chunked, gzip",
        "chunked,chunked",
        "Chunked",
        "CHUNKED",
        "xchunked",
        "chunked;q=1",
        "identity",
        "",
        ",chunked",
        "chunked,",
        " chunked ",
        "\tchunked",
        "\"chunked\"",
        "chunked\0",
        "gzip,,chunked",
        "gzip\tchunked"
    };
    private static final String[] ODD_SIZES = {
        "-1",
        "+3",
        "0x3",
        "",
        " 3",
        "3 ",
        "3\t",
        "g",
        "fffffffffffffff",
        "ffffffffffffffff",
        "10000000000000000",
        "80000000",
        "7fffffff",
        "000000000000000003",
        "00000003",
        "3 3",
        "3;",
        "3 ;a",
        "3;a=\"b;\"",
        "3\0",
        "3,",
        "3\r",
        "3;\n",
        "A",
        "a"
    };
    private static final String[] BYTES = {
        "\0",
        "\r",
        "\n",
        "\t",
        " ",
        ":",
        ";",
        ",",
        "0",
        "9",
        "-",
        "\u007f",
        "\u0080",
        "\u00ff",
        "H",
        "\r\n",
        "\r\n\r\n",
        "\"",
        "\u000b",
        "\u000c"
    };

    private final SplittableRandom random;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    /** One choice in this many is odd. */
    private final int oddness;
    /** How many line ends in a hundred have no CR. */
    private final int bareLf;

    private StreamMaker(SplittableRandom random) {
        this.random = random;
        this.oddness = random.nextInt(4) == 0 ? 6 : 60;
        int style = random.nextInt(20);
        this.bareLf = style == 0 ? 100 : style == 1 ? 20 : 0;
    }

    /** The stream with this number. */
    static Input make(long seed, long number) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number);
        return new StreamMaker(random).make();
    }

    private Input make() {
        boolean head = random.nextInt(16) == 0;
        int messages = 1 + random.nextInt(3);
        for (int i = 0; i < messages; i++) {
            message(head);
        }
        byte[] bytes = out.toByteArray();
        for (int i = random.nextInt(8) - 4; i > 0 && bytes.length > 0; i--) {
            bytes = mutilate(bytes);
        }
        return new Input(bytes, head);
    }

    private void message(boolean head) {
        while (random.nextInt(12) == 0) {
            statusLine(pick("100", "103", "102", "199"));
            headers(random.nextInt(2));
            put(eol());
        }
        String status = odd() ? pick(ODD_STATUSES) : pick(STATUSES);
        statusLine(status);
        headers(random.nextInt(4));
        int length = random.nextInt(3) == 0 ? 0 : random.nextInt(40);
        int framing = random.nextInt(20);
        boolean chunked = framing < 8;
        boolean endless = framing == 19;
        if (chunked) {
            header("Transfer-Encoding", odd() ? pick(ODD_CODINGS) : "chunked");
        } else if (!endless) {
            header("Content-Length", odd() ? pick(ODD_LENGTHS) : Integer.toString(length));
            if (odd()) {
                header("Content-Length", Integer.toString(length + random.nextInt(2)));
            }
        }
        headers(random.nextInt(3));
        put(eol());
        boolean bodiless = head || status.equals("204") || status.equals("304");
        if (bodiless && !odd()) {
            return;
        }
        if (chunked) {
            chunks();
        } else {
            body(length + (odd() ? 1 : 0) - (odd() && length > 0 ? 1 : 0));
        }
    }

    private void statusLine(String status) {
        put(odd() ? pick(ODD_VERSIONS) : pick(VERSIONS));
        put(odd() ? pick("", "  ", "\t") : " ");
        put(status);
        put(odd() ? pick(REASONS) : " OK");
        put(eol());
    }

    private void headers(int count) {
        for (int i = 0; i < count; i++) {
            put(odd() ? pick(ODD_HEADERS) : pick(HEADERS));
            put(eol());
        }
        if (random.nextInt(200_000) == 0) {
            // around the limits of a line
            put("Long: " + "l".repeat(65_536 - 40 + random.nextInt(60)));
            put(eol());
        }
        if (random.nextInt(2_000_000) == 0) {
            // around the limits of a head
            put(("Long: " + "l".repeat(1000) + "\r\n").repeat(1020 + random.nextInt(30)));
        }
    }

    private void header(String name, String value) {
        put(random.nextInt(8) == 0 ? name.toLowerCase(java.util.Locale.ROOT) : name);
        put(odd() ? pick(":", " : ", ":\t ", "\t:", ":\r\n ") : ": ");
        put(value);
        put(eol());
    }

    private void chunks() {
        for (int i = random.nextInt(4); i > 0; i--) {
            int length = 1 + random.nextInt(20);
            put(odd() ? pick(ODD_SIZES) : Integer.toHexString(length));
            put(random.nextInt(6) == 0 ? pick(";a", ";a=b", " ; a=\"b\"", ";") : "");
            put(eol());
            body(length);
            put(eol());
        }
        put(odd() ? pick("00", "0;a", "0 ", "0\t;", "") : "0");
        put(eol());
        if (random.nextInt(6) == 0) {
            headers(1 + random.nextInt(2));
        }
        put(eol());
    }

    private void body(int length) {
        for (int i = 0; i < length; i++) {
            int b = random.nextInt(40);
            out.write(b < 26 ? 'a' + b : b < 30 ? '\n' : b < 33 ? '\r' : b < 36 ? '0' : random.nextInt(256));
        }
    }

    private byte[] mutilate(byte[] bytes) {
        int at = random.nextInt(bytes.length);
        int to = Math.min(bytes.length, at + 1 + random.nextInt(16));
        byte[] before = Arrays.copyOf(bytes, at);
        return switch (random.nextInt(8)) {
            case 0 ->
                join(before, new byte[] {(byte) random.nextInt(256)}, Arrays.copyOfRange(bytes, at + 1, bytes.length));
            case 1 ->
                join(
                        before,
                        pick(BYTES).getBytes(StandardCharsets.ISO_8859_1),
                        Arrays.copyOfRange(bytes, at, bytes.length));
            case 2 ->
                join(
                        before,
                        pick(BYTES).getBytes(StandardCharsets.ISO_8859_1),
                        Arrays.copyOfRange(bytes, at + 1, bytes.length));
            case 3 -> join(before, new byte[0], Arrays.copyOfRange(bytes, at + 1, bytes.length));
            case 4 -> join(before, new byte[0], Arrays.copyOfRange(bytes, to, bytes.length));
            case 5 ->
                join(
                        Arrays.copyOf(bytes, to),
                        Arrays.copyOfRange(bytes, at, to),
                        Arrays.copyOfRange(bytes, to, bytes.length));
            case 6 -> before;
            default -> {
                byte[] flipped = bytes.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                yield flipped;
            }
        };
    }

    private static byte[] join(byte[] a, byte[] b, byte[] c) {
        byte[] all = Arrays.copyOf(a, a.length + b.length + c.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        System.arraycopy(c, 0, all, a.length + b.length, c.length);
        return all;
    }

    private boolean odd() {
        return random.nextInt(oddness) == 0;
    }

    private String eol() {
        if (random.nextInt(400) == 0) {
            return pick(ODD_EOLS);
        }
        return random.nextInt(100) < bareLf ? "\n" : "\r\n";
    }

    private String pick(String... some) {
        return some[random.nextInt(some.length)];
    }

    private void put(String text) {
        for (int i = 0; i < text.length(); i++) {
            out.write(text.charAt(i));
        }
    }
}
