package dev.fettle.model.trial;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * A set of frames by their names: {@code CLASS.METHOD}, {@code PACKAGE.*} and {@code CLASS.*} with all that is in them, and {@code *.METHOD}
 * of any class.
 */
final class FrameSet {
    private final Set<String> whole = new HashSet<>();
    private final Set<String> below = new HashSet<>();
    private final Set<String> methods = new HashSet<>();

    FrameSet(Collection<String> patterns) {
        for (String p : patterns) {
            if (!p.matches("\\*\\.[\\w<>]+|[\\w.$]+\\.([\\w<>$]+|\\*)")) {
                throw new IllegalArgumentException("'" + p + "' is no frame: write CLASS.METHOD or PACKAGE.*");
            }
            if (p.startsWith("*.")) {
                methods.add(p.substring(2));
            } else if (p.endsWith(".*")) {
                below.add(p.substring(0, p.length() - 2));
            } else {
                whole.add(p);
            }
        }
    }

    boolean isEmpty() {
        return whole.isEmpty() && below.isEmpty() && methods.isEmpty();
    }

    /** Whether a frame is one of them. */
    boolean has(String frame) {
        return whole.contains(frame) || !methods.isEmpty() && methods.contains(method(frame)) || hasAbove(frame);
    }

    private static String method(String frame) {
        return frame.substring(frame.lastIndexOf('.') + 1);
    }

    // each of a frame's packages and classes, and not each of the set: a sample of the threads asks for each frame
    private boolean hasAbove(String frame) {
        if (below.isEmpty()) {
            return false;
        }
        for (int i = 0; i < frame.length(); i++) {
            char c = frame.charAt(i);
            if ((c == '.' || c == '$') && below.contains(frame.substring(0, i))) {
                return true;
            }
        }
        return false;
    }
}
