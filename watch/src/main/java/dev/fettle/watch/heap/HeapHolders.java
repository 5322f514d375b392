package dev.fettle.watch.heap;

import dev.fettle.model.rule.Bounds;
import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.Sighting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who holds most of a heap, by a dump of it: a sample of its bytes is followed from object to holder. The holder is the field in which the
 * lowest object lies that holds half of them or more; where each of many holds a part, the field that these have in common. What a thread-local
 * variable holds is held by the field in which that variable is, as its threads only keep it. The file is read once for each step, in memory that does not depend on its size.
 */
public final class HeapHolders {
    /** Evenly over all bytes; a share of 30 % of as many has a standard error of 1.5 %. */
    private static final int SAMPLES = 1000;

    /** Steps from an object to what holds it: a table of a map is three, an entry that collided one more. */
    private static final int STEPS = 16;

    /** Steps in a row from an object to one of the same class, from which on it is in a chain of them: a list, a queue. */
    private static final int CHAIN = 4;

    private static final int STEPS_TOLD = 6;
    private static final double MOST = Bounds.value("heap-holder");
    private static final String THREAD_LOCAL_ENTRY = "java.lang.ThreadLocal$ThreadLocalMap$Entry";
    private static final String REFERENCE = "java.lang.ref.Reference";
    private static final String SOFT = "java.lang.ref.SoftReference";
    private static final String LAMBDA = "$$Lambda";
    private static final String REFERENT = "referent";

    /** An {@code int}, in the format. */
    private static final int INT = 10;

    private static final Set<String> COUNTS = Set.of("size", "count", "value");

    /** What the JVM adds to the fields of an object. */
    private static final int HEADER = 16;

    /** More classes and fields than this are no program's: they are left out. */
    private static final int MOST_NAMES = 2_000_000;

    /**
     * What holds most of a heap.
     *
     * @param field {@code shop.Prices.cache}; of a field in each of many objects theirs
     * @param through what lies between, from what fills the heap on, the first steps
     * @param holders how many objects hold it by that field
     * @param share of all bytes, 0 to 1
     * @param bytes of all objects
     */
    public record Held(String field, List<String> through, int holders, double share, double bytes) {
        public Held {
            through = List.copyOf(through);
        }

        /** The same, as a watch reports it. */
        public List<Sighting> sightings() {
            return List.of(
                    new Sighting(
                            Sighting.HOLDER,
                            field,
                            share,
                            through.stream().limit(STEPS_TOLD).collect(Collectors.joining(" < "))),
                    new Sighting(Sighting.HOLDER_OBJECTS, field, holders),
                    new Sighting(Sighting.HOLDER_HEAP, Sighting.HISTOGRAM_ALL, bytes));
        }
    }

    private record Step(long holder, String field, String type, int rank) {}

    private record Reference(int offset, String field, String declared) {}

    private final HeapDumpReader dump;
    private final Map<Long, HeapDumpReader.Type> types = new HashMap<>();
    private final Map<Long, Long> typeNames = new HashMap<>();
    private final Map<Long, String> names = new HashMap<>();
    private final Map<Long, List<Reference>> references = new HashMap<>();
    private final Map<Long, Double> samples = new HashMap<>();
    private final Map<Long, Long> typeOf = new HashMap<>();
    private final Map<Long, Step> holders = new HashMap<>();
    private final Map<Long, Integer> inChain = new HashMap<>();
    private final Map<String, Optional<Long>> lists = new HashMap<>();
    private double bytes;
    private long fields;

    /** Whether a file begins as a heap dump does. */
    public static boolean is(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(HeapDumpReader.BEGINS.length()), StandardCharsets.US_ASCII)
                    .equals(HeapDumpReader.BEGINS);
        } catch (IOException e) {
            return false;
        }
    }

    private HeapHolders(HeapDumpReader dump) {
        this.dump = dump;
    }

    /**
     * Reads a dump.
     *
     * @return empty if no field of a class outside the JDK holds half of the heap
     * @throws IOException if the file is no heap dump or can't be read
     */
    public static Optional<Held> read(Path file) throws IOException {
        try (var dump = new HeapDumpReader(file)) {
            var all = new HeapHolders(dump);
            all.measure();
            all.name();
            all.sample();
            all.follow();
            return all.held().or(all::common);
        }
    }

    private void measure() throws IOException {
        dump.read(new Sizes() {
            @Override
            public void loaded(long type, long name) {
                typeNames.put(type, name);
            }

            @Override
            public void type(HeapDumpReader.Type type) {
                fields += type.fields().size() + 1;
                if (fields < MOST_NAMES) {
                    types.put(type.id(), type);
                }
            }

            @Override
            void object(long id, long type, long size) {
                bytes += size;
            }
        });
    }

    /** Objects with what they take, arrays and all. */
    private abstract class Sizes implements HeapDumpReader.Visitor {
        abstract void object(long id, long type, long size);

        @Override
        public void instance(long id, long type, int fields) {
            object(id, type, HEADER + fields);
        }

        @Override
        public void array(long id, long type, long length) {
            object(id, type, HEADER + length * Integer.BYTES);
        }

        @Override
        public void primitives(long id, int type, long size) {
            object(id, -type, HEADER + size);
        }
    }

    private void name() throws IOException {
        Set<Long> asked = new HashSet<>(typeNames.values());
        types.values().forEach(t -> t.fields().forEach(f -> asked.add(f.name())));
        dump.read(new HeapDumpReader.Visitor() {
            @Override
            public boolean names() {
                return true;
            }

            @Override
            public void name(long id, String text) {
                if (names.size() < MOST_NAMES && (asked.contains(id) || statics(text))) {
                    names.put(id, text);
                }
            }

            // names of static fields are not kept with their classes
            private boolean statics(String text) {
                return text.length() < Byte.MAX_VALUE && text.indexOf('/') < 0 && text.indexOf('(') < 0;
            }
        });
    }

    private void sample() throws IOException {
        double each = Math.max(1, bytes / SAMPLES);
        dump.read(new Sizes() {
            private double seen;
            private double next = each / 2;

            @Override
            void object(long id, long type, long size) {
                seen += size;
                double points = Math.floor((seen - next) / each) + 1;
                if (points > 0) {
                    samples.put(id, points * each);
                    typeOf.put(id, type);
                    next += points * each;
                }
            }
        });
    }

    /** Finds who holds the samples, then who holds these, and so on. */
    private void follow() throws IOException {
        long[] sought = sorted(samples.keySet());
        double before = 0;
        for (int step = 0; step < STEPS && sought.length > 0; step++) {
            long[] now = sought;
            dump.read(new Instances() {
                @Override
                public void constant(long type, long field, long value) {
                    if (Arrays.binarySearch(now, value) >= 0) {
                        held(
                                value,
                                new Step(0, typeName(type) + "." + names.getOrDefault(field, "?"), typeName(type), 0),
                                0);
                    }
                }

                @Override
                public void fields(long id, long type, ByteBuffer fields) {
                    for (Reference r : referencesOf(type)) {
                        if (r.offset + dump.idSize() > fields.limit()) {
                            return;
                        }
                        long value = at(fields, r.offset);
                        if (value != 0 && value != id && Arrays.binarySearch(now, value) >= 0) {
                            byField(id, type, value, r, fields);
                        }
                    }
                }

                @Override
                public void element(long array, long type, long value) {
                    if (value != 0 && Arrays.binarySearch(now, value) >= 0) {
                        held(value, new Step(array, "", typeName(type), 2), type);
                    }
                }
            });
            double share = held().map(Held::share).orElse(0.0);
            sought = share > 0 && share <= before ? new long[0] : sorted(next(now));
            before = share;
        }
    }

    /** Who is sought next. Of the objects of a chain that is its list. */
    private Set<Long> next(long[] found) throws IOException {
        var next = new HashSet<Long>();
        for (long id : found) {
            Step s = holders.get(id);
            if (s == null || s.holder == 0) {
                continue;
            }
            long type = typeOf.getOrDefault(id, 0L);
            int chain = typeOf.getOrDefault(s.holder, 0L) == type ? inChain.getOrDefault(id, 0) + 1 : 0;
            inChain.merge(s.holder, chain, Math::max);
            String node = typeName(type);
            int inner = node.lastIndexOf('$');
            Optional<Long> list = inner > 0 && (chain >= CHAIN || isInChain(id))
                    ? longest(node.substring(0, inner))
                    : Optional.empty();
            list.ifPresent(l -> holders.put(id, new Step(l, "", node, 2)));
            long holder = list.orElse(s.holder);
            if (!holders.containsKey(holder)) {
                next.add(holder);
            }
        }
        return next;
    }

    /** Whether an object is held by one of its class, that by another, and so on. */
    private boolean isInChain(long id) {
        long type = typeOf.getOrDefault(id, 0L);
        long at = id;
        for (int i = 0; i < CHAIN; i++) {
            Step s = holders.get(at);
            if (s == null || s.holder == 0 || typeOf.getOrDefault(s.holder, 0L) != type) {
                return false;
            }
            at = s.holder;
        }
        return true;
    }

    /** The object of a class that says to have most elements, or the only one: an {@code int}, or an {@code AtomicInteger}, with its count. */
    private Optional<Long> longest(String list) throws IOException {
        Optional<Long> known = lists.get(list);
        if (known == null) {
            known = search(list);
            lists.put(list, known);
        }
        return known;
    }

    private Optional<Long> search(String list) throws IOException {
        Set<Long> asked =
                types.keySet().stream().filter(t -> typeName(t).equals(list)).collect(Collectors.toSet());
        var counts = new HashMap<Long, Long>();
        var counters = new HashMap<Long, Long>();
        dump.read(new Instances() {
            @Override
            public void fields(long id, long type, ByteBuffer fields) {
                if (asked.contains(type)) {
                    counts.put(id, number(type, fields));
                    typeOf.put(id, type);
                    referencesOf(type).stream()
                            .filter(r -> COUNTS.contains(r.field))
                            .forEach(r -> counters.put(at(fields, r.offset), id));
                }
            }
        });
        if (!counters.isEmpty()) {
            dump.read(new Instances() {
                @Override
                public void fields(long id, long type, ByteBuffer fields) {
                    Long of = counters.get(id);
                    if (of != null) {
                        counts.put(of, number(type, fields));
                    }
                }
            });
        }
        return counts.entrySet().stream()
                .filter(e -> e.getValue() > 0 || counts.size() == 1)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    private abstract static class Instances implements HeapDumpReader.Visitor {
        @Override
        public boolean references() {
            return true;
        }
    }

    /** The value of an object's own field with a count; 0 if it has none. */
    private long number(long type, ByteBuffer fields) {
        int offset = 0;
        long at = type;
        for (int depth = 0; depth < Byte.MAX_VALUE && types.containsKey(at); depth++) {
            for (HeapDumpReader.Field f : types.get(at).fields()) {
                if (f.type() == INT
                        && COUNTS.contains(names.getOrDefault(f.name(), ""))
                        && offset + Integer.BYTES <= fields.limit()) {
                    return fields.getInt(offset);
                }
                offset += dump.size(f.type());
            }
            at = types.get(at).parent();
        }
        return 0;
    }

    private void byField(long id, long type, long value, Reference r, ByteBuffer fields) {
        String name = typeName(type);
        if (name.equals(THREAD_LOCAL_ENTRY)) {
            long variable = referencesOf(type).stream()
                    .filter(x -> x.field.equals(REFERENT))
                    .mapToLong(x -> at(fields, x.offset))
                    .findFirst()
                    .orElse(0);
            if (variable != 0 && value != variable) {
                held(value, new Step(variable, "", Sighting.OF_THREAD_LOCAL, 1), typeOf.getOrDefault(variable, 0L));
            }
            return;
        }
        if (r.field.equals(REFERENT) && r.declared.equals(REFERENCE) && !isA(type, SOFT)) {
            return; // it keeps nothing
        }
        held(value, new Step(id, r.declared + "." + r.field, name, JdkPackages.have(r.declared) ? 2 : 1), type);
    }

    private void held(long value, Step by, long type) {
        Step before = holders.get(value);
        if (before == null || by.rank < before.rank) {
            if (by.holder != 0 && isAbove(by.holder, value)) {
                return; // what it holds itself
            }
            holders.put(value, by);
            if (by.holder != 0) {
                typeOf.putIfAbsent(by.holder, type);
            }
        }
    }

    /** Whether the way up from an object comes through another. */
    private boolean isAbove(long from, long other) {
        long at = from;
        for (int i = 0; i < 2 * STEPS; i++) {
            if (at == other) {
                return true;
            }
            Step s = holders.get(at);
            if (s == null || s.holder == 0) {
                return false;
            }
            at = s.holder;
        }
        return true;
    }

    // -- the holder --------------------------------------------------------------------------------------------------

    /** The field above the lowest object that holds most. */
    private Optional<Held> held() {
        var weights = new HashMap<Long, Double>();
        var heights = new HashMap<Long, Integer>();
        samples.forEach((id, weight) -> {
            List<Long> way = way(id);
            for (int i = 0; i < way.size(); i++) {
                weights.merge(way.get(i), weight, Double::sum);
                heights.put(way.get(i), way.size() - i);
            }
        });
        Optional<Long> lowest = weights.entrySet().stream()
                .filter(e -> e.getValue() >= MOST * bytes)
                .max(Comparator.comparingInt(e -> heights.getOrDefault(e.getKey(), 0)))
                .map(Map.Entry::getKey);
        return lowest.flatMap(l -> ofProgram(l)
                .map(above -> new Held(
                        above.field, through(largest(l), above), 1, weights.getOrDefault(l, 0.0) / bytes, bytes)));
    }

    /** The field that most of what is held has in common, where no single object holds most. */
    private Optional<Held> common() {
        var fields = new HashMap<String, Double>();
        var objects = new HashMap<String, Set<Long>>();
        var first = new HashMap<String, Long>();
        samples.forEach((id, weight) -> ofProgram(id).ifPresent(s -> {
            fields.merge(s.field, weight, Double::sum);
            objects.computeIfAbsent(s.field, _ -> new HashSet<>()).add(s.holder);
            first.putIfAbsent(s.field, id);
        }));
        return fields.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(e -> e.getValue() >= MOST * bytes)
                .map(Map.Entry::getKey)
                .map(field -> new Held(
                        field,
                        through(
                                first.getOrDefault(field, 0L),
                                ofProgram(first.getOrDefault(field, 0L)).orElseThrow()),
                        objects.getOrDefault(field, Set.of()).size(),
                        fields.getOrDefault(field, 0.0) / bytes,
                        bytes));
    }

    /** The first step up from an object that is a field of a class outside the JDK. */
    private Optional<Step> ofProgram(long id) {
        return way(id).stream()
                .flatMap(x -> Optional.ofNullable(holders.get(x)).stream())
                .filter(HeapHolders::isOfProgram)
                .findFirst();
    }

    /** The largest sample that an object holds. */
    private long largest(long holder) {
        return samples.entrySet().stream()
                .filter(e -> way(e.getKey()).contains(holder))
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(holder);
    }

    private static boolean isOfProgram(Step s) {
        return !s.field.isEmpty() && !JdkPackages.have(s.field);
    }

    /** An object, its holder, and so on. */
    private List<Long> way(long id) {
        var way = new ArrayList<Long>();
        long at = id;
        for (int i = 0; i < 2 * STEPS && at != 0; i++) {
            way.add(at);
            Step s = holders.get(at);
            at = s == null ? 0 : s.holder;
        }
        return way;
    }

    /** From an object up to a step, each field once. */
    private List<String> through(long from, Step end) {
        var through = new LinkedHashSet<String>();
        through.add(typeName(typeOf.getOrDefault(from, 0L)));
        for (long id : way(from)) {
            Step s = holders.get(id);
            if (s == null || s == end) {
                break;
            }
            through.add(s.field.isEmpty() ? s.type : s.field);
        }
        return List.copyOf(through);
    }

    // -- names -------------------------------------------------------------------------------------------------------

    private String typeName(long type) {
        if (type < 0 && type > -PRIMITIVES.length) {
            return PRIMITIVES[(int) -type] + "[]";
        }
        String name = names.getOrDefault(typeNames.getOrDefault(type, 0L), "?").replace('/', '.');
        int lambda = name.indexOf(LAMBDA);
        if (lambda >= 0) {
            return name.substring(0, lambda + LAMBDA.length());
        }
        int arrays = 0;
        while (arrays < name.length() && name.charAt(arrays) == '[') {
            arrays++;
        }
        return arrays > 0 && name.endsWith(";")
                ? name.substring(arrays + 1, name.length() - 1) + "[]".repeat(arrays)
                : name;
    }

    private static final String[] PRIMITIVES = {
        "", "", "", "", "boolean", "char", "float", "double", "byte", "short", "int", "long"
    };

    private List<Reference> referencesOf(long type) {
        return references.computeIfAbsent(type, this::readReferences);
    }

    private List<Reference> readReferences(long type) {
        var all = new ArrayList<Reference>();
        int offset = 0;
        long at = type;
        for (int depth = 0; depth < Byte.MAX_VALUE; depth++) {
            HeapDumpReader.Type t = types.get(at);
            if (t == null || offset > HeapDumpReader.MOST_FIELD_BYTES) {
                break;
            }
            for (HeapDumpReader.Field f : t.fields()) {
                if (HeapDumpReader.isObject(f.type())) {
                    all.add(new Reference(offset, names.getOrDefault(f.name(), "?"), typeName(at)));
                }
                offset += dump.size(f.type());
            }
            at = t.parent();
        }
        return all;
    }

    private boolean isA(long type, String name) {
        long at = type;
        for (int depth = 0; depth < Byte.MAX_VALUE && types.containsKey(at); depth++) {
            if (typeName(at).equals(name)) {
                return true;
            }
            at = types.get(at).parent();
        }
        return false;
    }

    private long at(ByteBuffer fields, int offset) {
        return dump.idSize() == Long.BYTES ? fields.getLong(offset) : Integer.toUnsignedLong(fields.getInt(offset));
    }

    private static long[] sorted(Set<Long> ids) {
        return ids.stream().mapToLong(Long::longValue).sorted().toArray();
    }
}
