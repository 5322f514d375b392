package dev.fettle.config.audit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The objects that Jetty's XML configures, by where they begin and end in the text. */
final class JettyObjects {
    private static final Pattern TAG = Pattern.compile("<(/?)(Configure|New|Call|Get|Ref)\\b([^<>]{0,1000})>");
    private static final Pattern CLASS =
            Pattern.compile("\\bclass=\"org\\.eclipse\\.jetty\\.[\\w.]{1,200}?\\.(\\w+(?:\\$\\w+)?)\"");

    private final TreeMap<Integer, String> at = new TreeMap<>();

    JettyObjects(String text) {
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = TAG.matcher(text);
        while (tag.find()) {
            if (!tag.group(1).isEmpty()) {
                open.poll();
            } else if (!tag.group(3).endsWith("/")) {
                Matcher c = CLASS.matcher(tag.group(3));
                // what a call or a reference gives is not known from the text
                open.push(!tag.group(2).equals("Call") && c.find() ? c.group(1).replace('$', '.') : "");
            }
            at.put(tag.end(), open.isEmpty() ? "" : open.peek());
        }
    }

    /** The simple name of the class of Jetty's that is configured at an offset; empty if it is not known. */
    String of(int offset) {
        Map.Entry<Integer, String> entry = at.floorEntry(offset);
        return entry == null ? "" : entry.getValue();
    }
}
