package dev.fettle.config.patch;

import dev.fettle.config.ConfigException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Applies a patch in the unified format as {@code patch -p1} does, but without guessing: every line must be where it says. */
public final class PatchText {
    private static final Pattern HUNK = Pattern.compile("@@ -(\\d+)(?:,(\\d+))? \\+\\d+(?:,\\d+)? @@.*");
    private static final String BEFORE = "--- a/";
    private static final String AFTER = "+++ b/";

    private final List<String> patch;
    private int at;

    private PatchText(String patch) {
        this.patch = List.of(patch.split("\n")); // a carriage return is a part of its line
    }

    /**
     * The texts that a patch changes, as it makes them.
     *
     * @param before texts by their paths
     * @throws ConfigException if it is no patch of these texts
     */
    public static Map<String, String> applied(String patch, Map<String, String> before) throws ConfigException {
        var reader = new PatchText(patch);
        var out = new LinkedHashMap<String, String>();
        while (reader.nextFile()) {
            String path = reader.patch.get(reader.at).substring(BEFORE.length());
            String text = before.get(path);
            if (text == null) {
                throw new ConfigException("the patch changes " + path + ", which is not there");
            }
            reader.at += 2;
            out.put(path, reader.file(path, text));
        }
        if (out.isEmpty()) {
            throw new ConfigException("the patch changes nothing");
        }
        return out;
    }

    /** Passes over what stands in front of a file's hunks, comments among it. */
    private boolean nextFile() {
        while (at + 1 < patch.size()
                && !(patch.get(at).startsWith(BEFORE) && patch.get(at + 1).startsWith(AFTER))) {
            at++;
        }
        return at + 1 < patch.size();
    }

    private String file(String path, String text) throws ConfigException {
        List<String> old = UnifiedDiff.split(text);
        var out = new StringBuilder();
        int taken = 0;
        Matcher hunk;
        while (at < patch.size() && (hunk = HUNK.matcher(patch.get(at))).matches()) {
            at++;
            boolean inserts = "0".equals(hunk.group(2));
            int begin = Integer.parseInt(hunk.group(1))
                    - (inserts ? 0 : 1); // an empty range is named by the line before it
            while (taken < begin) {
                out.append(line(path, old, taken++));
            }
            taken = hunk(path, old, taken, out);
        }
        while (taken < old.size()) {
            out.append(old.get(taken++));
        }
        return out.toString();
    }

    private int hunk(String path, List<String> old, int from, StringBuilder out) throws ConfigException {
        int taken = from;
        while (at < patch.size()
                && !patch.get(at).isEmpty()
                && " +-".indexOf(patch.get(at).charAt(0)) >= 0) {
            if (patch.get(at).startsWith(BEFORE)) {
                break;
            }
            char sign = patch.get(at).charAt(0);
            String line = patch.get(at++).substring(1);
            boolean ends = at < patch.size() && patch.get(at).startsWith("\\");
            if (ends) {
                at++;
            }
            if (sign != '+') {
                String there = line(path, old, taken++);
                if (!there.equals(ends ? line : line + "\n")) {
                    throw new ConfigException("the patch does not fit %s:%d".formatted(path, taken));
                }
                if (sign == '-') {
                    continue;
                }
                out.append(there);
            } else {
                out.append(line).append(ends ? "" : "\n");
            }
        }
        return taken;
    }

    private static String line(String path, List<String> old, int i) throws ConfigException {
        if (i >= old.size()) {
            throw new ConfigException("the patch is longer than " + path);
        }
        return old.get(i);
    }
}
