package dev.fettle.watch.jvm.answer;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Read from what a {@link java.util.HashMap} has written; asks no key for its hash code, and looks one up by going through all. */
class HashMap extends AbstractMap<Object, Object> implements Serializable {
    /** That of {@link java.util.HashMap}. */
    @Serial
    private static final long serialVersionUID = 362498820763181265L;

    private transient List<Entry<Object, Object>> entries = List.of();

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        in.readInt(); // its buckets
        int size = in.readInt();
        if (size < 0) {
            throw new InvalidObjectException("a map of " + size);
        }
        var read = new ArrayList<Entry<Object, Object>>(); // grows by what comes, not by what is announced
        for (int i = 0; i < size; i++) {
            read.add(new SimpleImmutableEntry<>(in.readObject(), in.readObject()));
        }
        entries = read;
    }

    @Override
    public Set<Entry<Object, Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<Object, Object>> iterator() {
                return entries.iterator();
            }

            @Override
            public int size() {
                return entries.size();
            }
        };
    }
}
