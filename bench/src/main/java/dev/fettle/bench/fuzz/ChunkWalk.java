package dev.fettle.bench.fuzz;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The chunks of a body, walked in the simplest way for as long as they are well-formed. Only for judging a difference
 * after the fact.
 *
 * @param bareLf whether one of their lines ends in LF without CR
 * @param largest largest announced chunk size
 * @param trailers lines after the last chunk, if it has come
 */
record ChunkWalk(boolean bareLf, long largest, List<String> trailers) {

    private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,15}");

    static ChunkWalk of(Anatomy anatomy) {
        String text = anatomy.text();
        int at = anatomy.bodyAt();
        boolean bare = false;
        long largest = 0;
        while (true) {
            int lf = text.indexOf('\n', at);
            Matcher size = SIZE.matcher(lf < 0 ? "" : text.substring(at, lf));
            if (!size.lookingAt()) {
                return new ChunkWalk(bare, largest, List.of());
            }
            bare |= text.charAt(lf - 1) != '\r';
            long length = Long.parseLong(size.group(), 16);
            largest = Math.max(largest, length);
            if (length == 0) {
                List<String> lines = Stream.of(text.substring(lf + 1).split("\n"))
                        .takeWhile(line -> !line.isEmpty() && !line.equals("\r"))
                        .toList();
                return new ChunkWalk(bare, largest, lines);
            }
            long end = lf + 1 + length;
            if (end >= text.length()) {
                return new ChunkWalk(bare, largest, List.of());
            }
            at = (int) end;
            boolean bareEnd = text.charAt(at) == '\n';
            bare |= bareEnd;
            if (!bareEnd && !text.startsWith("\r\n", at)) {
                return new ChunkWalk(bare, largest, List.of());
            }
            at += bareEnd ? 1 : 2;
        }
    }
}
