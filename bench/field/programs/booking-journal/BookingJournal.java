package journal;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Books hotel rooms; a booking counts once its line is on disk. */
public final class BookingJournal {

    interface Journal {
        void append(String line);
    }

    private final Journal journal;
    private final AtomicLong numbers = new AtomicLong();

    BookingJournal(Journal journal) {
        this.journal = journal;
    }

    void book(HttpServerExchange exchange) {
        long number = numbers.incrementAndGet();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int room = 100 + random.nextInt(400);
        int nights = 1 + random.nextInt(14);
        int cents = nights * (6900 + room % 7 * 800) - (nights > 6 ? 5000 : 0);
        journal.append(number + ";" + room + ";" + nights + ";" + cents + "\n");
        exchange.getResponseSender().send("booking " + number + ": room " + room + ", " + cents + " cents\n");
    }

    /** One line, one write, one sync. */
    static final class LineJournal implements Journal {
        private final FileChannel file;

        LineJournal(FileChannel file) {
            this.file = file;
        }

        @Override
        public synchronized void append(String line) {
            try {
                file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
                file.force(false);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Takes what has come in meanwhile, writes it in one go and tells all of them. */
    static final class GroupJournal implements Journal {
        private record Entry(String line, CompletableFuture<Void> done) {}

        private final LinkedBlockingQueue<Entry> entries = new LinkedBlockingQueue<>();

        GroupJournal(FileChannel file) {
            Thread.ofPlatform().name("journal").daemon().start(() -> write(file));
        }

        @Override
        public void append(String line) {
            Entry entry = new Entry(line, new CompletableFuture<>());
            entries.add(entry);
            entry.done().join();
        }

        private void write(FileChannel file) {
            try {
                while (true) {
                    List<Entry> group = new ArrayList<>();
                    group.add(entries.take());
                    entries.drainTo(group);
                    StringBuilder lines = new StringBuilder();
                    group.forEach(entry -> lines.append(entry.line()));
                    file.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)));
                    file.force(false);
                    group.forEach(entry -> entry.done().complete(null));
                }
            } catch (IOException | InterruptedException e) {
                System.err.println("journal: " + e.getMessage());
            }
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Path path = Files.createTempFile("bookings", ".journal");
        path.toFile().deleteOnExit();
        FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        BookingJournal bookings = new BookingJournal(fixed ? new GroupJournal(file) : new LineJournal(file));
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(40)
                .setHandler(new BlockingHandler(bookings::book))
                .build()
                .start();
        System.out.println("ready");
    }
}
