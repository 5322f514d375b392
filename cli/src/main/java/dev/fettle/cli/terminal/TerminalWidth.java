package dev.fettle.cli.terminal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalInt;

/** The terminal's size as the kernel knows it: {@code ioctl(2)}, {@code TIOCGWINSZ}. Linux only. */
final class TerminalWidth {
    private static final long GET_WINDOW_SIZE = 0x5413;
    private static final int LEAST = 20;

    private TerminalWidth() {}

    /** Columns of the terminal on standard output or standard error; empty if there is none. */
    static OptionalInt columns() {
        OptionalInt columns = size(1, 1, 2);
        return columns.isPresent() && columns.getAsInt() < LEAST ? OptionalInt.empty() : columns;
    }

    /** Lines of that terminal; empty if there is none. */
    static OptionalInt rows() {
        OptionalInt rows = size(0, 1, 2);
        return rows.isPresent() && rows.getAsInt() < 2 ? OptionalInt.empty() : rows;
    }

    /** Whether a stream of this process is a terminal: 1 for standard output, 2 for standard error; not if that can't be known. */
    static boolean isTerminal(int stream) {
        return size(0, stream).isPresent();
    }

    /** @param index 0 for the lines, 1 for the columns */
    @SuppressWarnings("restricted") // one native call; without it the size is a guess
    private static OptionalInt size(int index, int... streams) {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle call = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("ioctl"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.firstVariadicArg(2));
            MemorySegment size = arena.allocate(4 * JAVA_SHORT.byteSize());
            for (int stream : streams) {
                if ((int) call.invokeExact(stream, GET_WINDOW_SIZE, size) == 0) {
                    return OptionalInt.of(Short.toUnsignedInt(size.getAtIndex(JAVA_SHORT, index)));
                }
            }
            return OptionalInt.empty();
        } catch (Throwable e) {
            // a guessed width is good enough, whatever the reason
            return OptionalInt.empty();
        }
    }
}
