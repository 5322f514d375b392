package dev.fettle.bench.fuzz;

import java.util.function.Predicate;

/** Shortens a failing stream as long as it still fails. */
final class Shrinker {

    private Shrinker() {}

    static Input shrink(Input input, Predicate<Input> fails) {
        Input best = input;
        for (int size = Math.max(1, input.bytes().length / 2); size >= 1; size /= 2) {
            for (int at = 0; at + size <= best.bytes().length; ) {
                Input shorter = without(best, at, size);
                if (fails.test(shorter)) {
                    best = shorter;
                } else {
                    at += size;
                }
            }
        }
        return best;
    }

    private static Input without(Input input, int at, int size) {
        byte[] bytes = input.bytes();
        byte[] rest = new byte[bytes.length - size];
        System.arraycopy(bytes, 0, rest, 0, at);
        System.arraycopy(bytes, at + size, rest, at, rest.length - at);
        return new Input(rest, input.head());
    }
}
