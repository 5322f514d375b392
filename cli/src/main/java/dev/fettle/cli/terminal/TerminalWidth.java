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

/** The terminal's width as the kernel knows it: {@code ioctl(2)}, {@code TIOCGWINSZ}. Linux only. */
final class TerminalWidth {
    private static final long GET_WINDOW_SIZE = 0x5413;
    private static final int LEAST = 20;

    private TerminalWidth() {}

    /** Columns of the terminal behind standard output or standard error; empty where there is none. */
    @SuppressWarnings("restricted") // one native call; without it the width is a guess
    static OptionalInt columns() {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle call = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("ioctl"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.firstVariadicArg(2));
            MemorySegment size = arena.allocate(4 * JAVA_SHORT.byteSize());
            for (int stream = 1; stream <= 2; stream++) {
                if ((int) call.invokeExact(stream, GET_WINDOW_SIZE, size) == 0) {
                    int columns = Short.toUnsignedInt(size.getAtIndex(JAVA_SHORT, 1));
                    return columns < LEAST ? OptionalInt.empty() : OptionalInt.of(columns);
                }
            }
            return OptionalInt.empty();
        } catch (Throwable e) {
            // a guessed width will do, whatever the reason
            return OptionalInt.empty();
        }
    }
}
