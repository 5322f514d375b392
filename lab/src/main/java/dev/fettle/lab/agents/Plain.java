package dev.fettle.lab.agents;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * Writes and reads what is plain data: records and constants of Fettle's own, collections, numbers, texts, times, histograms. All else is
 * refused, in both directions: what is read makes nothing but values, whose constructors check them. Who reads bounds the length.
 */
public final class Plain {
    private static final String OURS = "dev.fettle.";

    /** Deeper than any value of ours is nested. */
    private static final int DEEPEST = 40;

    private Plain() {}

    /** What is named, and stays on its side. */
    public record Handle(int id, String type) {}

    /**
     * Writes a value.
     *
     * @throws IllegalArgumentException if it is not plain data
     */
    public static void write(DataOutputStream out, Object value) throws IOException {
        switch (value) {
            case Boolean b -> {
                out.writeByte('b');
                out.writeBoolean(b);
            }
            case Integer i -> {
                out.writeByte('i');
                out.writeInt(i);
            }
            case Long l -> {
                out.writeByte('l');
                out.writeLong(l);
            }
            case Double d -> {
                out.writeByte('d');
                out.writeDouble(d);
            }
            case String s -> text(out, 's', s);
            case Path p -> text(out, 'p', p.toString());
            case URI u -> text(out, 'u', u.toString());
            case Duration d -> text(out, 'D', d.toString());
            case Instant t -> text(out, 'I', t.toString());
            case Enum<?> e -> {
                text(out, 'e', e.getDeclaringClass().getName());
                text(out, e.name());
            }
            case Optional<?> o -> all(out, 'o', o.stream().toList());
            case OptionalInt o -> all(out, '1', o.stream().boxed().toList());
            case OptionalLong o -> all(out, '2', o.stream().boxed().toList());
            case OptionalDouble o -> all(out, '4', o.stream().boxed().toList());
            case OptionalFigure o -> {
                text(out, '3', o.why());
                write(out, o.stream().boxed().toList());
            }
            case List<?> list -> all(out, 'L', list);
            case Set<?> set -> all(out, 'S', set);
            case Map<?, ?> map -> {
                var flat = new ArrayList<Object>();
                map.forEach((k, v) -> {
                    flat.add(k);
                    flat.add(v);
                });
                all(out, 'M', flat);
            }
            case InetSocketAddress a -> {
                text(out, 'a', a.getHostString());
                bytes(out, a.getAddress().getAddress());
                out.writeInt(a.getPort());
            }
            case byte[] b -> {
                out.writeByte('B');
                bytes(out, b);
            }
            case Histogram h -> {
                ByteBuffer bytes = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
                int length = h.encodeIntoByteBuffer(bytes);
                out.writeByte('H');
                bytes(out, Arrays.copyOf(bytes.array(), length));
            }
            case Timeline t -> {
                out.writeByte('T');
                bytes(out, Json.mapper().writeValueAsBytes(t));
            }
            case TrialFailure f -> {
                text(out, 'x', "trial");
                write(out, f.asFailure().kind());
                write(out, String.valueOf(f.getMessage()));
                write(out, f.asFailure().seen());
            }
            case Exception e -> {
                text(
                        out,
                        'x',
                        e instanceof LabException
                                ? "lab"
                                : e instanceof IOException
                                        ? "io"
                                        : e instanceof UncheckedIOException
                                                ? "unchecked"
                                                : e instanceof IllegalArgumentException ? "argument" : "other");
                write(out, String.valueOf(e.getMessage()));
            }
            case Record r -> {
                text(out, 'r', r.getClass().getName());
                for (RecordComponent c : r.getClass().getRecordComponents()) {
                    try {
                        c.getAccessor().setAccessible(true);
                        write(out, c.getAccessor().invoke(r));
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            default -> throw new IllegalArgumentException("no plain data: " + value.getClass());
        }
    }

    private static void text(DataOutputStream out, char tag, String text) throws IOException {
        out.writeByte(tag);
        text(out, text);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        bytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(Math.max(0, length));
        if (bytes.length != length) {
            throw new EOFException("it ends in the middle of a value");
        }
        return bytes;
    }

    private static void all(DataOutputStream out, char tag, Collection<?> values) throws IOException {
        out.writeByte(tag);
        out.writeInt(values.size());
        for (Object v : values) {
            write(out, v);
        }
    }

    private static List<Object> all(DataInputStream in, int depth) throws IOException {
        int n = in.readInt();
        var all = new ArrayList<Object>();
        for (int i = 0; i < n; i++) {
            all.add(read(in, depth));
        }
        return all;
    }

    /**
     * Reads a value.
     *
     * @throws IOException if there is none, or one that is not plain data
     */
    public static Object read(DataInputStream in) throws IOException {
        try {
            return read(in, 0);
        } catch (IllegalArgumentException | ClassCastException | NullPointerException | DateTimeException e) {
            throw new IOException("no plain data: " + e.getMessage(), e);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object read(DataInputStream in, int above) throws IOException {
        int depth = above + 1;
        if (depth > DEEPEST) {
            throw new IOException("a value is nested too deeply");
        }
        try {
            char tag = (char) in.readByte();
            return switch (tag) {
                case 'b' -> in.readBoolean();
                case 'i' -> in.readInt();
                case 'l' -> in.readLong();
                case 'd' -> in.readDouble();
                case 's' -> text(in);
                case 'p' -> Path.of(text(in));
                case 'u' -> URI.create(text(in));
                case 'D' -> Duration.parse(text(in));
                case 'I' -> Instant.parse(text(in));
                case 'e' -> Enum.valueOf((Class) ours(text(in), Class::isEnum), text(in));
                case 'o' -> all(in, depth).stream().findFirst();
                case '1' -> all(in, depth).stream().mapToInt(v -> (Integer) v).findFirst();
                case '2' -> all(in, depth).stream().mapToLong(v -> (Long) v).findFirst();
                case '4' -> all(in, depth).stream().mapToDouble(v -> (Double) v).findFirst();
                case '3' -> {
                    var missing = OptionalFigure.missing(text(in));
                    yield ((List<Double>) read(in, depth))
                            .stream().map(OptionalFigure::of).findFirst().orElse(missing);
                }
                case 'L' -> all(in, depth);
                case 'S' -> new LinkedHashSet<>(all(in, depth));
                case 'M' -> {
                    List<Object> flat = all(in, depth);
                    var map = new LinkedHashMap<Object, Object>();
                    for (int i = 0; i < flat.size(); i += 2) {
                        map.put(flat.get(i), flat.get(i + 1));
                    }
                    yield map;
                }
                case 'a' -> new InetSocketAddress(InetAddress.getByAddress(text(in), bytes(in)), in.readInt());
                case 'B' -> bytes(in);
                case 'H' -> {
                    Histogram h = Histogram.decodeFromByteBuffer(ByteBuffer.wrap(bytes(in)), 0);
                    h.setAutoResize(true);
                    yield h;
                }
                case 'T' -> Json.mapper().readValue(bytes(in), Timeline.class);
                case 'x' -> exception(in, depth);
                case 'r' -> record(ours(text(in), Class::isRecord), in, depth);
                default -> throw new IOException("no such tag: " + tag);
            };
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Exception exception(DataInputStream in, int depth) throws IOException {
        return switch (text(in)) {
            case "trial" ->
                new TrialFailure((Kind) read(in, depth), (String) read(in, depth), (List<Sighting>) read(in, depth));
            case "lab" -> new LabException((String) read(in, depth));
            case "unchecked" -> {
                String why = (String) read(in, depth);
                yield new UncheckedIOException(why, new IOException(why));
            }
            case "argument" -> new IllegalArgumentException((String) read(in, depth));
            case "io" -> new IOException((String) read(in, depth));
            default -> new IllegalStateException((String) read(in, depth));
        };
    }

    /** A class of Fettle's own that is plain data; it is not initialised before that is known. */
    private static Class<?> ours(String name, Predicate<Class<?>> plain)
            throws ReflectiveOperationException, IOException {
        if (!name.startsWith(OURS)) {
            throw new IOException("no plain data: " + name);
        }
        Class<?> type = Class.forName(name, false, Plain.class.getClassLoader());
        if (!plain.test(type)) {
            throw new IOException("no plain data: " + name);
        }
        return type;
    }

    private static Object record(Class<?> type, DataInputStream in, int depth)
            throws IOException, ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Constructor<?> made = type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        made.setAccessible(true);
        var values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            Object value = read(in, depth);
            values[i] = components[i].getType() == SortedMap.class ? new TreeMap<>((Map<?, ?>) value) : value;
        }
        return made.newInstance(values);
    }
}
