package dev.fettle.config.audit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The conditions under which lines of a script run: {@code if}, {@code case}, {@code [ … ] &&}, and in batch files labels that are only
 * reached by a jump. Tests whether something is set or exists, and for the command "start", are not counted: those lines usually run.
 */
final class ShellBranches {
    /** Longer lines are not analysed: they are data, and matching them would be slow. */
    static final int LONGEST = 2_000;

    private static final Pattern IF =
            Pattern.compile("(?:el)?if\\s++(.{1,200}?)(?<!\\s)\\s*+(?:;\\s*+then\\b.*|\\bthen\\b.*)?");
    private static final Pattern CASE = Pattern.compile("case\\s++(.{1,100}?)(?<!\\s)\\s++in\\b.*");
    private static final Pattern LABEL = Pattern.compile("\\(?([^()\\s][^()]{0,80})\\)(?:\\s.*)?");
    private static final Pattern AND = Pattern.compile("((?:\\[|test\\s).{1,150}?)(?<!\\s)\\s++&&\\s.*");
    private static final Pattern JUMPED = Pattern.compile(":([A-Za-z]\\w{0,60})");
    private static final Pattern LEAVES = Pattern.compile("(?i)(?:goto|exit)\\b.*");
    /** A test whether something is set or exists. */
    private static final Pattern SET = Pattern.compile(
            ".*(?:\\s-[znfderwxs]\\s|\\[\\[?+\\s++(?:!\\s*+)?+\"?+\\$\\{?+\\w++\\}?+\"?+\\s++\\]|[\"']\\s*+=\\s*+[\"']{2}|=\\s++\"?x\"?\\s*+\\]|==?+\\s*+[\"']{2}).*");

    private static final Pattern STARTS = Pattern.compile(".*\\b(?:start|run|restart)\\b.*");

    /** @param shown the condition under which its lines run: its own, or else that of the branch around it */
    private record Branch(boolean isCase, String of, String condition, String shown) {}

    private final boolean batch;
    private final Deque<Branch> open = new ArrayDeque<>();
    private String jumped = "";
    private String before = "";

    ShellBranches(boolean batch) {
        this.batch = batch;
    }

    /** The condition of the next line; empty if there is none, or it is not known. Call it for each line in order. */
    Optional<String> of(String line) {
        String l = line.length() > LONGEST ? "" : line.strip();
        if (batch) {
            return labelled(l);
        }
        Matcher m;
        if ((m = IF.matcher(l)).matches()) {
            if (l.startsWith("elif")) {
                open.poll();
            }
            push(false, m.group(1), condition(m.group(1)));
        } else if (l.matches("else\\b.*") && !open.isEmpty() && !open.peek().isCase()) {
            Branch was = open.pop();
            push(false, was.of(), was.condition().isEmpty() ? "" : "not " + was.condition());
        } else if ((m = CASE.matcher(l)).matches()) {
            push(true, m.group(1), "");
        } else if (!open.isEmpty() && open.peek().isCase() && (m = LABEL.matcher(l)).matches()) {
            Branch was = open.pop();
            boolean runs = m.group(1).equals("*") || STARTS.matcher(m.group(1)).matches();
            push(true, was.of(), runs ? "" : was.of() + " is " + m.group(1));
        }
        String here = shown();
        if (l.matches("(?:fi|esac)\\b.*|.*;\\s*(?:fi|esac)")) {
            open.poll();
        }
        m = AND.matcher(l);
        if (m.matches() && !condition(m.group(1)).isEmpty()) {
            return Optional.of(m.group(1));
        }
        return Optional.of(here).filter(h -> !h.isEmpty());
    }

    private void push(boolean isCase, String of, String condition) {
        open.push(new Branch(isCase, of, condition, condition.isEmpty() ? shown() : condition));
    }

    private String shown() {
        Branch inner = open.peek();
        return inner == null ? "" : inner.shown();
    }

    /** For batch files: a label after a line that leaves is only reached by a jump. */
    private Optional<String> labelled(String l) {
        Matcher m = JUMPED.matcher(l);
        if (m.matches()) {
            jumped = LEAVES.matcher(before).matches() ? "it jumps to " + m.group(1) : "";
        }
        if (!l.isEmpty()) {
            before = l;
        }
        return Optional.of(jumped).filter(j -> !j.isEmpty());
    }

    private static String condition(String test) {
        boolean starts = test.contains("$1") && STARTS.matcher(test).matches();
        return SET.matcher(test).matches() || starts ? "" : test;
    }
}
