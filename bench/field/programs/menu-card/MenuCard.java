package menus;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Shows a restaurant's card of the day; cards are fetched from the kitchens and kept for a short time. */
public final class MenuCard {

    record Card(int kitchen, String dish, long until) {}

    private final Map<Integer, Card> cards = new ConcurrentHashMap<>(16);
    private final Map<Integer, CompletableFuture<Card>> coming = new ConcurrentHashMap<>(16);
    private final boolean outside;

    MenuCard(boolean outside) {
        this.outside = outside;
    }

    void card(HttpServerExchange exchange) {
        int kitchen = ThreadLocalRandom.current().nextInt(64) * 1024;
        Card card = outside ? awaited(kitchen) : kept(kitchen);
        exchange.getResponseSender().send("kitchen " + card.kitchen() + ": " + card.dish() + "\n");
    }

    private Card kept(int kitchen) {
        return cards.compute(
                kitchen, (number, card) -> card != null && card.until() > System.nanoTime() ? card : fetch(number));
    }

    private Card awaited(int kitchen) {
        Card card = cards.get(kitchen);
        if (card != null && card.until() > System.nanoTime()) {
            return card;
        }
        CompletableFuture<Card> mine = new CompletableFuture<>();
        CompletableFuture<Card> other = coming.putIfAbsent(kitchen, mine);
        if (other != null) {
            return other.join();
        }
        Card fresh = fetch(kitchen);
        cards.put(kitchen, fresh);
        coming.remove(kitchen);
        mine.complete(fresh);
        return fresh;
    }

    /** One call to the kitchen. */
    private static Card fetch(int kitchen) {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Card(kitchen, "soup " + kitchen % 13, System.nanoTime() + 500_000_000L);
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(32)
                .setHandler(new BlockingHandler(new MenuCard(fixed)::card))
                .build()
                .start();
        System.out.println("ready");
    }
}
