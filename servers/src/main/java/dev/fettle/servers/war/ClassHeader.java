package dev.fettle.servers.war;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a class file says of itself before its fields, by the class file format of the Java Virtual Machine Specification, chapter
 * 4. The class is not loaded: a WAR may hold thousands.
 *
 * @param name with dots
 * @param parents the superclass and the interfaces, with dots
 * @param mentions which of the descriptors that were asked for stand in its constant pool, as those of its annotations do
 */
record ClassHeader(String name, List<String> parents, Set<String> mentions) {
    ClassHeader {
        parents = List.copyOf(parents);
        mentions = Set.copyOf(mentions);
    }

    /** Reads the head of a class file; an {@link IOException} if it is none. */
    static ClassHeader read(InputStream file, Set<String> wanted) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(file));
        if (in.readInt() != 0xCAFEBABE) {
            throw new IOException("no class file");
        }
        in.readInt(); // the version
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        int[] classes = new int[count];
        Set<String> mentions = new HashSet<>();
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> {
                    texts[i] = in.readUTF();
                    if (wanted.contains(texts[i])) {
                        mentions.add(texts[i]);
                    }
                }
                case 7 -> classes[i] = in.readUnsignedShort();
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++; // long and double take two places
                }
                default -> throw new IOException("a constant of kind " + tag);
            }
        }
        in.readUnsignedShort(); // its modifiers
        String name = name(texts, classes, in.readUnsignedShort());
        List<String> parents = new ArrayList<>();
        int parent = in.readUnsignedShort();
        if (parent != 0) {
            parents.add(name(texts, classes, parent));
        }
        int interfaces = in.readUnsignedShort();
        for (int i = 0; i < interfaces; i++) {
            parents.add(name(texts, classes, in.readUnsignedShort()));
        }
        return new ClassHeader(name, parents, mentions);
    }

    private static String name(String[] texts, int[] classes, int index) throws IOException {
        if (index < classes.length && classes[index] < texts.length && texts[classes[index]] != null) {
            return texts[classes[index]].replace('/', '.');
        }
        throw new IOException("a constant that is not there");
    }
}
