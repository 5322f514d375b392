package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a value in a JSON text, by members and indexes, a subset of RFC 9535: {@code $.items[0]['first name']}.
 */
final class JsonPath {

    private static final Pattern PART =
            Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_-]*)|\\[([0-9]{1,9})]|\\['([^']*)']|\\[\"([^\"]*)\"]");

    private final String text;
    /** For each part, the member's name in UTF-8; empty for an index. */
    private final byte[][] members;

    private final int[] indexes;

    JsonPath(String text) {
        this.text = text;
        List<byte[]> names = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        Matcher m = PART.matcher(text);
        int at = text.startsWith("$") ? 1 : -1;
        while (at >= 0 && at < text.length()) {
            if (!m.find(at) || m.start() != at) {
                at = -1;
                break;
            }
            String name = m.group(1) != null ? m.group(1) : m.group(3) != null ? m.group(3) : m.group(4);
            names.add(name == null ? new byte[0] : name.getBytes(UTF_8));
            numbers.add(name == null ? Integer.parseInt(m.group(2)) : -1);
            at = m.end();
        }
        if (at < 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no JSON path of members and indexes, such as $.items[0].id");
        }
        members = names.toArray(byte[][]::new);
        indexes = numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public String toString() {
        return text;
    }

    int depth() {
        return indexes.length;
    }

    /** The member's name of a part, in UTF-8, if it is not an index. */
    byte[] member(int part) {
        return members[part];
    }

    /** A part's index; -1 if it is a member. */
    int index(int part) {
        return indexes[part];
    }
}
