package dev.fettle.load.scenario;

import java.nio.ByteBuffer;

/** Parses the dates of cookies by RFC 6265, section 5.1.1: leniently, and token by token. Allocates nothing. */
final class CookieDate {

    static final long NONE = Long.MIN_VALUE;

    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private CookieDate() {}

    /** Seconds since 1970 in UTC; {@link #NONE} if it is not a date. */
    static long seconds(ByteBuffer b, int from, int to) {
        int day = -1;
        int month = -1;
        int year = -1;
        int time = -1;
        int at = from;
        while (at < to) {
            if (isDelimiter(b.get(at))) {
                at++;
                continue;
            }
            int end = at;
            while (end < to && !isDelimiter(b.get(end))) {
                end++;
            }
            int digits = digits(b, at, end);
            if (time < 0 && (time = time(b, at, end)) >= 0) {
                at = end;
                continue;
            }
            if (day < 0 && (digits == 1 || digits == 2)) {
                day = number(b, at, digits);
            } else if (month < 0 && month(b, at, end) > 0) {
                month = month(b, at, end);
            } else if (year < 0 && digits >= 2 && digits <= 4) {
                year = number(b, at, digits);
            }
            at = end;
        }
        if (year >= 0 && year < 100) {
            year += year < 70 ? 2000 : 1900;
        }
        boolean all = day >= 1 && day <= 31 && month > 0 && year >= 1601 && time >= 0;
        return all ? days(year, month, day) * 86_400 + time : NONE;
    }

    /** Days since 1970-01-01 in the Gregorian calendar: whole years, counted from March, then days. */
    private static long days(int year, int month, int day) {
        long y = month <= 2 ? year - 1 : year;
        long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        return y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468;
    }

    private static boolean isDelimiter(int b) {
        boolean digit = b >= '0' && b <= '9';
        boolean letter = (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
        return !digit && !letter && b != ':' && b >= 0 && b < 127;
    }

    private static int digits(ByteBuffer b, int from, int to) {
        int i = from;
        while (i < to && b.get(i) >= '0' && b.get(i) <= '9') {
            i++;
        }
        return i - from;
    }

    private static int number(ByteBuffer b, int from, int digits) {
        int n = 0;
        for (int i = 0; i < digits; i++) {
            n = n * 10 + b.get(from + i) - '0';
        }
        return n;
    }

    private static int month(ByteBuffer b, int from, int to) {
        if (to - from < 3) {
            return -1;
        }
        for (int m = 0; m < 12; m++) {
            boolean same = true;
            for (int i = 0; i < 3; i++) {
                same &= (b.get(from + i) | 0x20) == MONTHS.charAt(m * 3 + i);
            }
            if (same) {
                return m + 1;
            }
        }
        return -1;
    }

    /** {@code h:m:s} as seconds of the day; -1 if it is not a time. */
    private static int time(ByteBuffer b, int from, int to) {
        int sum = 0;
        int at = from;
        for (int part = 0; part < 3; part++) {
            int digits = digits(b, at, to);
            if (digits < 1 || digits > 2 || number(b, at, digits) > (part == 0 ? 23 : 59)) {
                return -1;
            }
            sum = sum * 60 + number(b, at, digits);
            at += digits;
            if (part < 2 && (at >= to || b.get(at++) != ':')) {
                return -1;
            }
        }
        return sum;
    }
}
