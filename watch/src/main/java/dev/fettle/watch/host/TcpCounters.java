package dev.fettle.watch.host;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The TCP counters of {@code /proc/net/netstat} and {@code snmp} that are asked for: {@code ListenOverflows},
 * {@code TCPSynRetrans}, {@code RetransSegs}, {@code OutRsts}, {@code ActiveOpens}. The two-line format is read by header name, because order and
 * number of fields differ between kernels.
 */
final class TcpCounters {
    /** Of some 150, the others are left out. */
    private static final List<String> WANTED =
            List.of("ListenOverflows", "TCPSynRetrans", "RetransSegs", "OutRsts", "ActiveOpens");

    private TcpCounters() {}

    /** Those in the texts of such files, by name. */
    static Map<String, Long> in(List<String> files) {
        var all = new HashMap<String, Long>();
        for (String text : files) {
            for (int names = 0; names < text.length(); ) {
                int values = Fields.end(text, names) + 1;
                if (text.startsWith("Tcp", names)) {
                    read(text, names, values, all);
                }
                names = Fields.end(text, values) + 1;
            }
        }
        return all;
    }

    /** Those of a line of names and a line of values. */
    private static void read(String text, int names, int values, Map<String, Long> into) {
        int end = Fields.end(text, values);
        int value = values;
        for (int name = names; name < values && value < end; ) {
            int nameEnd = Fields.blank(text, name, values);
            int valueEnd = Fields.blank(text, value, end);
            for (String wanted : WANTED) {
                if (wanted.length() == nameEnd - name && text.startsWith(wanted, name)) {
                    into.put(wanted, Long.parseLong(text, value, valueEnd, 10));
                }
            }
            name = nameEnd + 1;
            value = valueEnd + 1;
        }
    }
}
