package dev.fettle.config.audit;

import dev.fettle.model.audit.SettingKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** nginx.conf: each directive with its arguments and its enclosing blocks. */
final class NginxReader {
    private static final int DEEPEST = 50;

    private final Source in;
    private final String text;
    private final int from;
    private final int to;
    private final Deque<String> blocks = new ArrayDeque<>();
    private int at;

    private NginxReader(Source in, int from, int to) {
        this.in = in;
        this.text = in.text();
        this.from = from;
        this.to = to;
    }

    static void read(Source in, int from, int to) {
        new NginxReader(in, from, to).all();
    }

    private void all() {
        at = from;
        var words = new ArrayList<String>();
        int start = -1;
        while (at < to) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? to : end;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (c == ';') {
                at++;
                directive(words, start, at);
                words.clear();
            } else if (c == '{') {
                at++;
                if (blocks.size() < DEEPEST) {
                    blocks.addLast(String.join(" ", words));
                }
                words.clear();
            } else if (c == '}') {
                at++;
                blocks.pollLast();
                words.clear();
            } else {
                if (words.isEmpty()) {
                    start = at;
                }
                words.add(word());
            }
        }
    }

    private String word() {
        char quote = text.charAt(at);
        if (quote == '"' || quote == '\'') {
            int end = text.indexOf(quote, at + 1);
            end = end < 0 || end >= to ? to : end + 1;
            String w = text.substring(at, end);
            at = end;
            return w;
        }
        int begin = at;
        while (at < to && !Character.isWhitespace(text.charAt(at)) && ";{}".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(begin, at);
    }

    private void directive(List<String> words, int start, int end) {
        if (words.isEmpty()) {
            return;
        }
        String name = words.getFirst();
        boolean upstream = blocks.stream().anyMatch(b -> b.startsWith("upstream"));
        boolean header = name.equals("proxy_set_header") && words.size() > 1;
        in.add(
                SettingKind.NGINX,
                header ? name + " " + words.get(1) : name.equals("keepalive") || !upstream ? name : "upstream." + name,
                String.join(" ", words.subList(header ? 2 : 1, words.size())),
                in.place(start, end),
                String.join(" > ", blocks));
    }
}
