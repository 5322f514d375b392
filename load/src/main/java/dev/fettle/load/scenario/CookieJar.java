package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.ByteText;
import dev.fettle.load.bytes.Scan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * One user's cookies for one host (RFC 6265): name, value, path and Secure; deletion by Max-Age or a past Expires.
 * Cookies for other hosts are ignored; a cookie that expires later is kept as long as the jar. Once warm, it allocates
 * nothing.
 */
final class CookieJar {

    /** Most cookies kept; beyond that, each new one replaces another. RFC 6265, section 6.1 asks for 50. */
    static final int MOST = 50;
    /** Longest name, value and path together, in bytes. */
    static final int LONGEST = 4096;

    private static final int KEEP = 0;
    private static final int DELETE = 1;
    private static final int REFUSE = 2;

    private static final class Cookie {
        final ByteText name;
        final ByteText value;
        final ByteText path;
        boolean secure;

        Cookie(Budget budget) {
            name = new ByteText(budget);
            value = new ByteText(budget);
            path = new ByteText(budget);
        }
    }

    private final byte[] host;
    private final boolean hostIsName;
    private final boolean secure;
    private final LongSupplier epochSeconds;
    private final Budget budget;
    /** The longer path first; among equals, the older cookie first. */
    private final List<Cookie> cookies = new ArrayList<>();

    private final List<Cookie> spare = new ArrayList<>();

    /**
     * An empty jar.
     *
     * @param host where the requests go to, a name or an IP address
     * @param secure whether they go over TLS
     * @param epochSeconds the time
     * @param budget of which long cookies take what they need
     */
    CookieJar(String host, boolean secure, LongSupplier epochSeconds, Budget budget) {
        this.budget = budget;
        this.host = host.toLowerCase(Locale.ROOT).getBytes(US_ASCII);
        this.hostIsName = !host.matches("[0-9.]+") && host.indexOf(':') < 0;
        this.secure = secure;
        this.epochSeconds = epochSeconds;
    }

    void clear() {
        // addAll would copy them into an array first
        for (int i = 0; i < cookies.size(); i++) {
            spare.add(cookies.get(i));
        }
        cookies.clear();
    }

    /**
     * Takes the value of a Set-Cookie header.
     *
     * @param path the request's, up to {@code pathTo} without its query
     */
    void take(ByteBuffer b, int from, int to, ByteText path, int pathTo) {
        int end = semicolon(b, from, to);
        int equals = indexOf(b, from, end, '=');
        int nameTo = equals < 0 ? from : Scan.trimBlanks(b, from, equals);
        int nameFrom = Scan.skipBlanks(b, from, nameTo);
        if (nameFrom == nameTo || to - from > LONGEST || hasControls(b, from, to)) {
            return;
        }
        int valueFrom = Scan.skipBlanks(b, equals + 1, end);
        Cookie fresh = spare.isEmpty() ? new Cookie(budget) : spare.removeLast();
        int what;
        try {
            fresh.name.copy(b, nameFrom, nameTo);
            fresh.value.copy(b, valueFrom, Scan.trimBlanks(b, valueFrom, end));
            fresh.secure = false;
            defaultPath(fresh, path.bytes(), pathTo);
            what = attributes(fresh, b, end, to, path.bytes(), pathTo);
        } catch (Budget.OverBudget e) {
            spare.add(fresh);
            throw e;
        }
        store(fresh, what);
    }

    /** Reads the attributes; Max-Age takes precedence over Expires, and the last of equal ones counts. */
    private int attributes(Cookie cookie, ByteBuffer b, int from, int to, byte[] request, int requestTo) {
        boolean ours = true;
        int maxAge = -1;
        boolean past = false;
        int at = from;
        while (at < to) {
            int end = semicolon(b, at + 1, to);
            int nameFrom = Scan.skipBlanks(b, at + 1, end);
            int equals = indexOf(b, nameFrom, end, '=');
            int nameTo = Scan.trimBlanks(b, nameFrom, equals < 0 ? end : equals);
            int valueFrom = Scan.skipBlanks(b, equals < 0 ? end : equals + 1, end);
            int valueTo = Scan.trimBlanks(b, valueFrom, end);
            if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "path")) {
                if (valueFrom < valueTo && b.get(valueFrom) == '/') {
                    cookie.path.copy(b, valueFrom, valueTo);
                } else {
                    defaultPath(cookie, request, requestTo); // RFC 6265, 5.2.4, whatever an earlier one said
                }
            } else if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "secure")) {
                cookie.secure = true;
            } else if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "domain")) {
                ours = valueFrom == valueTo || isOurs(b, valueFrom, valueTo);
            } else if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "max-age")) {
                maxAge = maxAge(b, valueFrom, valueTo, maxAge);
            } else if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "expires")) {
                long when = CookieDate.seconds(b, valueFrom, valueTo);
                past = when != CookieDate.NONE && when <= epochSeconds.getAsLong();
            }
            at = end;
        }
        return !ours ? REFUSE : maxAge == 0 || maxAge < 0 && past ? DELETE : KEEP;
    }

    private void store(Cookie fresh, int what) {
        if (what == REFUSE) {
            spare.add(fresh);
            return;
        }
        for (int i = 0; i < cookies.size(); i++) {
            Cookie old = cookies.get(i);
            if (same(old.name, fresh.name) && same(old.path, fresh.path)) {
                // a cookie that replaces another takes over its age
                if (what == KEEP) {
                    cookies.set(i, fresh);
                } else {
                    cookies.remove(i);
                    spare.add(fresh);
                }
                spare.add(old);
                return;
            }
        }
        if (what == DELETE) {
            spare.add(fresh);
            return;
        }
        int at = 0;
        while (at < cookies.size() && cookies.get(at).path.length() >= fresh.path.length()) {
            at++;
        }
        cookies.add(at, fresh);
        if (cookies.size() > MOST) {
            spare.add(cookies.remove(at == 0 ? 1 : 0));
        }
    }

    /**
     * Appends the cookies for a path, {@code a=b; c=d}.
     *
     * @param goOn whether there are some already
     * @return whether there are any now
     */
    boolean write(ByteText out, ByteText path, int pathTo, boolean goOn) {
        boolean any = goOn;
        for (int i = 0; i < cookies.size(); i++) {
            Cookie cookie = cookies.get(i);
            if (cookie.secure && !secure || !matches(cookie.path, path.bytes(), pathTo)) {
                continue;
            }
            if (any) {
                out.append("; ");
            }
            any = true;
            out.append(cookie.name);
            out.append('=');
            out.append(cookie.value);
        }
        return any;
    }

    /** RFC 6265, section 5.1.4. */
    private static boolean matches(ByteText path, byte[] request, int to) {
        int length = path.length();
        byte[] prefix = path.bytes();
        return to >= length
                && Arrays.equals(prefix, 0, length, request, 0, length)
                && (to == length || prefix[length - 1] == '/' || request[length] == '/');
    }

    /** Sets the request's folder as the path. */
    private static void defaultPath(Cookie cookie, byte[] path, int to) {
        int slash = to - 1;
        while (slash > 0 && path[slash] != '/') {
            slash--;
        }
        cookie.path.clear();
        if (slash <= 0) {
            cookie.path.append('/');
        } else {
            cookie.path.append(path, 0, slash);
        }
    }

    /** Whether the host is that domain or below it. */
    private boolean isOurs(ByteBuffer b, int from, int to) {
        int start = b.get(from) == '.' ? from + 1 : from;
        int offset = host.length - (to - start);
        if (start == to || offset < 0 || offset > 0 && (!hostIsName || host[offset - 1] != '.')) {
            return false;
        }
        for (int i = start; i < to; i++) {
            int c = b.get(i);
            int lower = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
            if (lower != host[offset + i - start]) {
                return false;
            }
        }
        return true;
    }

    /** 1 if it is over 0, else 0; {@code before} if it is not a number. */
    private static int maxAge(ByteBuffer b, int from, int to, int before) {
        boolean minus = from < to && b.get(from) == '-';
        boolean positive = false;
        for (int i = minus ? from + 1 : from; i < to; i++) {
            int c = b.get(i);
            if (c < '0' || c > '9') {
                return before;
            }
            positive |= c != '0';
        }
        return from == to ? before : positive && !minus ? 1 : 0;
    }

    private static boolean same(ByteText a, ByteText b) {
        return a.equalTo(b.bytes(), 0, b.length());
    }

    private static boolean hasControls(ByteBuffer b, int from, int to) {
        for (int i = from; i < to; i++) {
            int c = b.get(i);
            if (c >= 0 && c < ' ' && c != '\t' || c == 127) {
                return true;
            }
        }
        return false;
    }

    private static int semicolon(ByteBuffer b, int from, int to) {
        int at = indexOf(b, from, to, ';');
        return at < 0 ? to : at;
    }

    private static int indexOf(ByteBuffer b, int from, int to, char wanted) {
        return from >= to ? -1 : Scan.indexOf(b, from, to, (byte) wanted);
    }
}
