package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.ByteText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CookieJarTest {

    /** Cookies set one after the other by an answer to {@code /a/b/c?d}, and what is then sent to a path. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "x=1! /a/b/z! x=1",
                "x=1! /a/b! x=1",
                "x=1! /a/bc! ''",
                "x=1! /! ''",
                "x=1; Path=/! /! x=1",
                "x=1; Path=/; Path=a! /! ''",
                "x=1; Path=/; Path=a! /a/b/z! x=1",
                "x=1; path=/a! /a/q?x! x=1",
                "x=1; path=/a/! /a! ''",
                "x=1; path=nonsense! /a/b/! x=1",
                "x=1; Path=/ | y=2; Path=/a | z=3; path=/! /a! y=2; x=1; z=3",
                "x=1; Path=/ | y=2; Path=/ | x=3; Path=/! /! x=3; y=2",
                "x=1; Path=/ | x=; Max-Age=0; Path=/! /! ''",
                "x=1; Path=/ | x=; Max-Age=-1; Path=/! /! ''",
                "x=1; Path=/ | x=2; Max-Age=nonsense; Path=/! /! x=2",
                "x=1; Path=/ | x=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/! /! ''",
                "x=1; Path=/ | x=; expires=Thu, 01-Jan-70 00:00:01 GMT; Path=/! /! ''",
                "x=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60! /! x=1",
                "x=1; Path=/; Expires=Thu, 01 Jan 2037 00:00:00 GMT! /! x=1",
                "x=1; Path=/; Secure! /! ''",
                "x=1; Path=/; HttpOnly; SameSite=Lax! /! x=1",
                "x = a b ; Path=/! /! x=a b",
                "x=\"q=1\"; Path=/! /! x=\"q=1\"",
                "x=; Path=/! /! x=",
                "=1; Path=/! /! ''",
                "nonsense; Path=/! /! ''",
                "x=1; Path=/; Domain=shop.example! /! x=1",
                "x=1; Path=/; Domain=.EXAMPLE! /! x=1",
                "x=1; Path=/; Domain=other.example! /! ''",
                "x=1; Path=/; Domain=hop.example! /! ''",
                "x=1; Path=/; Domain=! /! x=1",
                "x=a\u0001b; Path=/! /! ''",
            })
    void keepsWhatIsForTheHostAndSendsWhatIsForThePath(String set, String path, String sent) {
        CookieJar jar = new CookieJar("shop.example", false, () -> User.NOW, new Budget(1 << 20));
        for (String cookie : set.split(" \\| ")) {
            take(jar, cookie);
        }
        assertThat(sent(jar, path)).isEqualTo(sent);
    }

    @Test
    void secureCookiesGoOverTls() {
        CookieJar jar = new CookieJar("h", true, () -> User.NOW, new Budget(1 << 20));
        take(jar, "x=1; Path=/; Secure");
        assertThat(sent(jar, "/")).isEqualTo("x=1");
    }

    @Test
    void anAddressHasNoDomainsAboveIt() {
        CookieJar jar = new CookieJar("127.0.0.1", false, () -> User.NOW, new Budget(1 << 20));
        take(jar, "x=1; Path=/; Domain=0.0.1");
        take(jar, "y=1; Path=/; Domain=127.0.0.1");
        assertThat(sent(jar, "/")).isEqualTo("y=1");
    }

    @Test
    void isBounded() {
        CookieJar jar = new CookieJar("h", false, () -> User.NOW, new Budget(1 << 20));
        take(jar, "big=" + "x".repeat(CookieJar.LONGEST));
        assertThat(sent(jar, "/")).isEmpty();
        for (int i = 0; i < 3 * CookieJar.MOST; i++) {
            take(jar, "c" + i + "=1; Path=/");
        }
        assertThat(sent(jar, "/").split("; ")).hasSize(CookieJar.MOST);
        assertThat(sent(jar, "/")).endsWith("c149=1");
        jar.clear();
        assertThat(sent(jar, "/")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "Sun, 06 Nov 1994 08:49:37 GMT! 784111777",
                "Sunday, 06-Nov-94 08:49:37 GMT! 784111777",
                "Sun Nov  6 08:49:37 1994! 784111777",
                "Thu, 01 Jan 1970 00:00:00 GMT! 0",
                "Wed, 31 Dec 1969 23:59:59 GMT! -1",
                "Tue, 29 Feb 2000 12:00:00 GMT! 951825600",
                "Wed, 01 Jan 2031 00:00:00 GMT! 1924992000",
                "01 Jan 24 00:00:00! 1704067200",
                "0! none",
                "Thu, 32 Jan 1970 00:00:00 GMT! none",
                "Thu, 01 Jan 1970 24:00:00 GMT! none",
                "Thu, 01 Jam 1970 00:00:00 GMT! none",
                "yesterday! none",
            })
    void readsDates(String text, String seconds) {
        ByteBuffer b = direct(text);
        long read = CookieDate.seconds(b, 0, b.limit());
        assertThat(read == CookieDate.NONE ? "none" : Long.toString(read)).isEqualTo(seconds);
    }

    private static void take(CookieJar jar, String cookie) {
        ByteBuffer b = direct("Set-Cookie: " + cookie);
        var path = new ByteText();
        path.share("/a/b/c?d".getBytes(StandardCharsets.UTF_8));
        jar.take(b, 12, b.limit(), path, 6);
    }

    private static String sent(CookieJar jar, String path) {
        var request = new ByteText();
        request.append(path);
        var cookies = new ByteText();
        int to = path.indexOf('?') < 0 ? path.length() : path.indexOf('?');
        boolean any = jar.write(cookies, request, to, false);
        assertThat(any).isEqualTo(cookies.length() > 0);
        return cookies.text();
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return ByteBuffer.allocateDirect(bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes)
                .flip();
    }
}
