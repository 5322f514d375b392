package dev.fettle.watch.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.heap.HeapHolders.Held;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapHoldersTest {
    @TempDir
    private Path folder;

    private static DumpedHeap heap() {
        return new DumpedHeap()
                .type("java.lang.Object", "")
                .type("[Ljava.lang.Object;", "java.lang.Object")
                .type("java.lang.ref.Reference", "java.lang.Object", "referent")
                .type("java.lang.ref.WeakReference", "java.lang.ref.Reference")
                .type("java.lang.ref.SoftReference", "java.lang.ref.Reference")
                .type("java.lang.ThreadLocal", "java.lang.Object")
                .type("java.lang.ThreadLocal$ThreadLocalMap$Entry", "java.lang.ref.WeakReference", "value")
                .type("java.util.ArrayList", "java.lang.Object", "#size", "elementData")
                .type("java.util.LinkedList", "java.lang.Object", "#size", "first", "last")
                .type("java.util.LinkedList$Node", "java.lang.Object", "item", "next", "prev")
                .type("java.util.concurrent.atomic.AtomicInteger", "java.lang.Object", "#value")
                .type("java.util.concurrent.LinkedBlockingQueue", "java.lang.Object", "count", "head")
                .type("java.util.concurrent.LinkedBlockingQueue$Node", "java.lang.Object", "item", "next")
                .type("shop.Cart", "java.lang.Object", "lines")
                .type("shop.Texts", "java.lang.Object", "own")
                .type("shop.Journal", "java.lang.Object", "lines")
                .type("shop.Desk", "java.lang.Object", "tasks");
    }

    /** One in each of ten threads, of which none holds most. */
    private static void threadLocals(DumpedHeap h) {
        long variable = h.object("java.lang.ThreadLocal");
        h.object("shop.Texts", variable);
        for (int i = 0; i < 10; i++) {
            long entry = h.object("java.lang.ThreadLocal$ThreadLocalMap$Entry", h.bytes(1000), variable);
            h.array("[Ljava.lang.Object;", entry, 0, 0);
        }
    }

    private static void staticField(DumpedHeap h) {
        long[] all = new long[20];
        Arrays.setAll(all, _ -> h.bytes(500));
        long list = h.object("java.util.ArrayList", 20, h.array("[Ljava.lang.Object;", all));
        h.type("shop.Prices", "java.lang.Object", Map.of("CACHE", list));
    }

    private static void manyRequests(DumpedHeap h) {
        for (int i = 0; i < 30; i++) {
            h.object("shop.Cart", h.bytes(400));
        }
    }

    private static void longList(DumpedHeap h) {
        long[] nodes = new long[200];
        Arrays.setAll(nodes, _ -> h.reserve());
        for (int i = 0; i < nodes.length; i++) {
            h.objectAs(
                    nodes[i],
                    "java.util.LinkedList$Node",
                    h.bytes(100),
                    i + 1 < nodes.length ? nodes[i + 1] : 0,
                    i > 0 ? nodes[i - 1] : 0);
        }
        h.object("java.util.LinkedList", 0, 0, 0);
        h.object("shop.Journal", h.object("java.util.LinkedList", 200, nodes[0], nodes[199]));
    }

    private static void longQueue(DumpedHeap h) {
        long next = 0;
        for (int i = 0; i < 200; i++) {
            next = h.object("java.util.concurrent.LinkedBlockingQueue$Node", h.bytes(100), next);
        }
        h.object(
                "java.util.concurrent.LinkedBlockingQueue",
                h.object("java.util.concurrent.atomic.AtomicInteger", 0),
                h.object("java.util.concurrent.LinkedBlockingQueue$Node", 0, 0));
        h.object(
                "shop.Desk",
                h.object(
                        "java.util.concurrent.LinkedBlockingQueue",
                        h.object("java.util.concurrent.atomic.AtomicInteger", 200),
                        next));
    }

    private static void softly(DumpedHeap h) {
        h.object("shop.Cart", h.object("java.lang.ref.SoftReference", h.bytes(5000)));
    }

    private static void weakly(DumpedHeap h) {
        h.object("shop.Cart", h.object("java.lang.ref.WeakReference", h.bytes(5000)));
    }

    private static void nobodyMost(DumpedHeap h) {
        h.object("shop.Cart", h.bytes(1000));
        h.object("shop.Texts", h.bytes(1000));
        h.object("shop.Journal", h.bytes(1000));
    }

    static Stream<Arguments> heaps() {
        return Stream.of(
                row("thread locals", "shop.Texts.own", 1, HeapHoldersTest::threadLocals),
                row("a static field", "shop.Prices.CACHE", 1, HeapHoldersTest::staticField),
                row("one in each of many", "shop.Cart.lines", 30, HeapHoldersTest::manyRequests),
                row("a list that is long", "shop.Journal.lines", 1, HeapHoldersTest::longList),
                row("a queue that is long", "shop.Desk.tasks", 1, HeapHoldersTest::longQueue),
                row("a soft reference", "shop.Cart.lines", 1, HeapHoldersTest::softly),
                row("a weak reference, which holds nothing", "", 0, HeapHoldersTest::weakly),
                row("no holder of most", "", 0, HeapHoldersTest::nobodyMost));
    }

    private static Arguments row(String name, String field, int objects, Consumer<DumpedHeap> fill) {
        return Arguments.of(name, field, objects, fill);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("heaps")
    void namesTheFieldThatHoldsMost(String name, String field, int objects, Consumer<DumpedHeap> fill)
            throws IOException {
        DumpedHeap h = heap();
        fill.accept(h);
        Optional<Held> held = HeapHolders.read(h.in(folder));
        assertThat(held.map(Held::field)).isEqualTo(Optional.of(field).filter(f -> !f.isEmpty()));
        held.ifPresent(x -> {
            assertThat(x.holders()).isEqualTo(objects);
            assertThat(x.share()).isBetween(0.5, 1.0);
        });
    }

    @Test
    void saysThatItIsAThreadLocal() throws IOException {
        DumpedHeap h = heap();
        threadLocals(h);
        assertThat(HeapHolders.read(h.in(folder)).orElseThrow().through())
                .containsExactly("byte[]", Sighting.OF_THREAD_LOCAL);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 40, 500, 3000})
    void oneThatIsCutOffIsReadAsFarAsItGoes(int length) throws IOException {
        DumpedHeap h = heap();
        longList(h);
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(h.written(), length));
        if (length < 40) {
            assertThatThrownBy(() -> HeapHolders.read(cut)).isInstanceOf(IOException.class);
        } else {
            assertThat(HeapHolders.read(cut)).isEmpty();
        }
    }

    @Test
    void whatIsNoDumpIsRefused() throws IOException {
        DumpedHeap h = heap();
        threadLocals(h);
        byte[] wrong = h.written();
        Arrays.fill(wrong, wrong.length / 2, wrong.length, (byte) 0x77);
        Path file = Files.write(folder.resolve("wrong"), wrong);
        assertThat(HeapHolders.is(file)).isTrue();
        assertThatThrownBy(() -> HeapHolders.read(file)).isInstanceOf(IOException.class);
        assertThat(HeapHolders.is(Files.writeString(folder.resolve("text"), "JAVA")))
                .isFalse();
    }
}
