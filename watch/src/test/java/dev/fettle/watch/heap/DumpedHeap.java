package dev.fettle.watch.heap;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a heap dump as HotSpot does, of objects that a test makes. */
final class DumpedHeap {
    private static final int OBJECT = 2;
    private static final int INT = 10;
    private static final int BYTE = 8;

    private final ByteArrayOutputStream records = new ByteArrayOutputStream();
    private final ByteArrayOutputStream heap = new ByteArrayOutputStream();
    private final Map<String, Long> names = new HashMap<>();
    private final Map<String, List<String>> fields = new LinkedHashMap<>();
    private final Map<String, Long> types = new HashMap<>();
    private long next = 1000;

    private interface Writes {
        void to(DataOutputStream out) throws IOException;
    }

    private static void write(ByteArrayOutputStream to, Writes what) {
        try {
            what.to(new DataOutputStream(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void record(int tag, Writes body) {
        var bytes = new ByteArrayOutputStream();
        write(bytes, body);
        write(records, out -> {
            out.writeByte(tag);
            out.writeInt(0);
            out.writeInt(bytes.size());
            bytes.writeTo(out);
        });
    }

    private long name(String text) {
        return names.computeIfAbsent(text, t -> {
            long id = next++;
            record(1, out -> {
                out.writeLong(id);
                out.write(t.getBytes(StandardCharsets.UTF_8));
            });
            return id;
        });
    }

    /** A class; of its fields those that begin with # are ints. */
    DumpedHeap type(String name, String parent, String... of) {
        return type(name, parent, Map.of(), of);
    }

    DumpedHeap type(String name, String parent, Map<String, Long> constants, String... of) {
        long id = next++;
        types.put(name, id);
        fields.put(name, List.of(of));
        long nameId = name(name.replace('.', '/'));
        List.of(of).forEach(f -> name(plain(f)));
        constants.keySet().forEach(this::name);
        record(2, out -> {
            out.writeInt(1);
            out.writeLong(id);
            out.writeInt(0);
            out.writeLong(nameId);
        });
        write(heap, out -> {
            out.writeByte(0x20);
            out.writeLong(id);
            out.writeInt(0);
            out.writeLong(types.getOrDefault(parent, 0L));
            out.write(new byte[5 * Long.BYTES + Integer.BYTES + Short.BYTES]);
            out.writeShort(constants.size());
            for (var c : constants.entrySet()) {
                out.writeLong(name(c.getKey()));
                out.writeByte(OBJECT);
                out.writeLong(c.getValue());
            }
            out.writeShort(of.length);
            for (String f : of) {
                out.writeLong(name(plain(f)));
                out.writeByte(f.startsWith("#") ? INT : OBJECT);
            }
        });
        return this;
    }

    private static String plain(String field) {
        return field.startsWith("#") ? field.substring(1) : field;
    }

    /** An object with the values of its fields, those of its own class first. */
    long object(String type, long... values) {
        long id = next++;
        objectAs(id, type, values);
        return id;
    }

    /** The same, of an object that another refers to already. */
    void objectAs(long id, String type, long... values) {
        var bytes = new ByteArrayOutputStream();
        List<String> own = fields.getOrDefault(type, List.of());
        write(bytes, out -> {
            for (int i = 0; i < values.length; i++) {
                if (i < own.size() && own.get(i).startsWith("#")) {
                    out.writeInt((int) values[i]);
                } else {
                    out.writeLong(values[i]);
                }
            }
        });
        write(heap, out -> {
            out.writeByte(0x21);
            out.writeLong(id);
            out.writeInt(0);
            out.writeLong(types.getOrDefault(type, 0L));
            out.writeInt(bytes.size());
            bytes.writeTo(out);
        });
    }

    long reserve() {
        return next++;
    }

    long array(String type, long... values) {
        long id = next++;
        write(heap, out -> {
            out.writeByte(0x22);
            out.writeLong(id);
            out.writeInt(0);
            out.writeInt(values.length);
            out.writeLong(types.getOrDefault(type, 0L));
            for (long v : values) {
                out.writeLong(v);
            }
        });
        return id;
    }

    long bytes(int n) {
        long id = next++;
        write(heap, out -> {
            out.writeByte(0x23);
            out.writeLong(id);
            out.writeInt(0);
            out.writeInt(n);
            out.writeByte(BYTE);
            out.write(new byte[n]);
        });
        return id;
    }

    byte[] written() {
        var all = new ByteArrayOutputStream();
        write(all, out -> {
            out.write("JAVA PROFILE 1.0.2\0".getBytes(StandardCharsets.US_ASCII));
            out.writeInt(Long.BYTES);
            out.writeLong(0);
            records.writeTo(out);
            out.writeByte(0x1c);
            out.writeInt(0);
            out.writeInt(heap.size());
            heap.writeTo(out);
            out.writeByte(0x2c);
            out.writeInt(0);
            out.writeInt(0);
        });
        return all.toByteArray();
    }

    Path in(Path folder) throws IOException {
        return Files.write(folder.resolve("heap.hprof"), written());
    }
}
