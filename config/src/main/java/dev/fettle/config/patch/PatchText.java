package dev.fettle.config.patch;

import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.Patch;
import com.github.difflib.patch.PatchFailedException;
import dev.fettle.config.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Applies a patch in unified format like {@code patch -p1}, but without guessing: every line must be where the patch
 * says.
 */
public final class PatchText {
    /** Where the patch of a file begins; a removed line may look like the first half of this. */
    private static final Pattern FILE = Pattern.compile("(?md)^--- a/(?=.*\n\\+\\+\\+ b/)");

    private PatchText() {}

    /**
     * The changed texts.
     *
     * @param before texts by their paths
     * @throws ConfigException if it is not a patch of these texts
     */
    public static Map<String, String> applied(String patch, Map<String, String> before) throws ConfigException {
        var out = new LinkedHashMap<String, String>();
        for (String file : Stream.of(FILE.split(patch)).skip(1).toList()) {
            String path = file.substring(0, file.indexOf('\n'));
            String text = before.get(path);
            if (text == null) {
                throw new ConfigException("the patch changes " + path + ", which is not there");
            }
            List<String> old = UnifiedDiff.lines(text);
            Patch<String> changes = UnifiedDiffUtils.parseUnifiedDiff(lines(file));
            try {
                out.put(path, text(changes.applyTo(old)));
            } catch (PatchFailedException e) {
                throw misfit(path, changes, old);
            }
        }
        if (out.isEmpty()) {
            throw new ConfigException("the patch changes nothing");
        }
        return out;
    }

    private static ConfigException misfit(String path, Patch<String> changes, List<String> old) {
        for (var delta : changes.getDeltas()) {
            int at = delta.getSource().getPosition();
            for (String line : delta.getSource().getLines()) {
                if (at >= old.size()) {
                    return new ConfigException("the patch is longer than " + path);
                }
                if (!old.get(at++).equals(line)) {
                    return new ConfigException("the patch does not fit %s:%d".formatted(path, at));
                }
            }
        }
        return new ConfigException("the patch does not fit " + path);
    }

    /**
     * A patch's lines, each with the marker for a missing line feed at its end; a carriage return is part of its line.
     */
    private static List<String> lines(String patch) {
        var lines = new ArrayList<String>();
        for (String line : patch.split("\n")) {
            if (line.startsWith("\\")) {
                lines.add(lines.removeLast() + UnifiedDiff.NO_NEWLINE);
            } else {
                lines.add(line);
            }
        }
        return lines;
    }

    private static String text(List<String> lines) {
        return lines.stream()
                .map(l -> l.endsWith(UnifiedDiff.NO_NEWLINE)
                        ? l.substring(0, l.length() - UnifiedDiff.NO_NEWLINE.length())
                        : l + "\n")
                .collect(Collectors.joining());
    }
}
