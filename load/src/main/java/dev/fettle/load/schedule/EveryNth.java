package dev.fettle.load.schedule;

import dev.fettle.load.Part;

/** Of a schedule that several processes follow together, the arrivals that belong to one of them. */
final class EveryNth implements Schedule {

    private final Schedule whole;
    private final int of;

    EveryNth(Schedule whole, Part part) {
        this.whole = whole;
        this.of = part.of();
        skip(part.index());
    }

    private void skip(int arrivals) {
        for (int i = 0; i < arrivals && whole.due() != NEVER; i++) {
            whole.advance();
        }
    }

    @Override
    public long due() {
        return whole.due();
    }

    @Override
    public void advance() {
        skip(of);
    }

    @Override
    public void endAt(long end) {
        whole.endAt(end);
    }
}
