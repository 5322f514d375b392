package dev.fettle.lab.fake;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Writes and reads what is plain data: records, collections, numbers, texts, times, histograms. All else is refused. */
final class Plain {
    private Plain() {}

    /** What is named, and stays on its side. */
    record Handle(int id, String type) {}

    static void write(DataOutputStream out, Object value) throws IOException {
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
                out.writeUTF(e.name());
            }
            case Optional<?> o -> all(out, 'o', o.stream().toList());
            case OptionalInt o -> all(out, '1', o.stream().boxed().toList());
            case OptionalLong o -> all(out, '2', o.stream().boxed().toList());
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
                text(out, 'a', a.getAddress().getHostAddress());
                out.writeInt(a.getPort());
            }
            case Histogram h -> {
                ByteBuffer bytes = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
                int length = h.encodeIntoByteBuffer(bytes);
                out.writeByte('H');
                out.writeInt(length);
                out.write(bytes.array(), 0, length);
            }
            case Timeline t -> {
                byte[] bytes = Json.mapper().writeValueAsBytes(t);
                out.writeByte('T');
                out.writeInt(bytes.length);
                out.write(bytes);
            }
            case TrialFailure f -> {
                text(out, 'x', "trial");
                write(out, f.asFailure().kind());
                write(out, String.valueOf(f.getMessage()));
                write(out, f.asFailure().seen());
            }
            case Exception e -> {
                text(out, 'x', e instanceof LabException ? "lab" : e instanceof IOException ? "io" : "other");
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
        out.writeUTF(text);
    }

    private static void all(DataOutputStream out, char tag, Collection<?> values) throws IOException {
        out.writeByte(tag);
        out.writeInt(values.size());
        for (Object v : values) {
            write(out, v);
        }
    }

    private static List<Object> all(DataInputStream in) throws IOException {
        int n = in.readInt();
        var all = new ArrayList<Object>();
        for (int i = 0; i < n; i++) {
            all.add(read(in));
        }
        return all;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static Object read(DataInputStream in) throws IOException {
        try {
            char tag = (char) in.readByte();
            return switch (tag) {
                case 'b' -> in.readBoolean();
                case 'i' -> in.readInt();
                case 'l' -> in.readLong();
                case 'd' -> in.readDouble();
                case 's' -> in.readUTF();
                case 'p' -> Path.of(in.readUTF());
                case 'u' -> URI.create(in.readUTF());
                case 'D' -> Duration.parse(in.readUTF());
                case 'I' -> Instant.parse(in.readUTF());
                case 'e' -> Enum.valueOf((Class) Class.forName(in.readUTF()), in.readUTF());
                case 'o' -> all(in).stream().findFirst();
                case '1' -> all(in).stream().mapToInt(v -> (Integer) v).findFirst();
                case '2' -> all(in).stream().mapToLong(v -> (Long) v).findFirst();
                case '3' -> {
                    var missing = OptionalFigure.missing(in.readUTF());
                    yield ((List<Double>) read(in))
                            .stream().map(OptionalFigure::of).findFirst().orElse(missing);
                }
                case 'L' -> all(in);
                case 'S' -> new LinkedHashSet<>(all(in));
                case 'M' -> {
                    List<Object> flat = all(in);
                    var map = new LinkedHashMap<Object, Object>();
                    for (int i = 0; i < flat.size(); i += 2) {
                        map.put(flat.get(i), flat.get(i + 1));
                    }
                    yield map;
                }
                case 'a' -> new InetSocketAddress(InetAddress.ofLiteral(in.readUTF()), in.readInt());
                case 'H' -> {
                    byte[] bytes = in.readNBytes(in.readInt());
                    Histogram h = Histogram.decodeFromByteBuffer(ByteBuffer.wrap(bytes), 0);
                    h.setAutoResize(true);
                    yield h;
                }
                case 'T' -> Json.mapper().readValue(in.readNBytes(in.readInt()), Timeline.class);
                case 'x' -> exception(in);
                case 'r' -> record(Class.forName(in.readUTF()), in);
                default -> throw new IOException("no such tag: " + tag);
            };
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Exception exception(DataInputStream in) throws IOException {
        return switch (in.readUTF()) {
            case "trial" -> new TrialFailure((Kind) read(in), (String) read(in), (List<Sighting>) read(in));
            case "lab" -> new LabException((String) read(in));
            case "io" -> new IOException((String) read(in));
            default -> new IllegalStateException((String) read(in));
        };
    }

    private static Object record(Class<?> type, DataInputStream in) throws IOException, ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Constructor<?> made = type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        made.setAccessible(true);
        var values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            Object value = read(in);
            values[i] = components[i].getType() == SortedMap.class ? new TreeMap<>((Map<?, ?>) value) : value;
        }
        return made.newInstance(values);
    }
}
