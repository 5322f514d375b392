package dev.fettle.watch.jvm.answer;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Read from what a {@link java.util.HashSet} has written; asks no element for its hash code. */
final class HashSet extends AbstractSet<Object> implements Serializable {
    /** That of {@link java.util.HashSet}. */
    @Serial
    private static final long serialVersionUID = -5024744406713321676L;

    private transient List<Object> elements = List.of();

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        in.readInt(); // its capacity
        in.readFloat(); // how full it gets
        int size = in.readInt();
        if (size < 0) {
            throw new InvalidObjectException("a set of " + size);
        }
        var read = new ArrayList<Object>(); // grows by what comes, not by what is announced
        for (int i = 0; i < size; i++) {
            read.add(in.readObject());
        }
        elements = read;
    }

    @Override
    public Iterator<Object> iterator() {
        return elements.iterator();
    }

    @Override
    public int size() {
        return elements.size();
    }
}
