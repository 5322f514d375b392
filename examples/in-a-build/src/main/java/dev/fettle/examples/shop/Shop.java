package dev.fettle.examples.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A price, and the work that it takes: {@code shop.busy} microseconds of CPU time. */
@SpringBootApplication
@RestController
public class Shop {
    private static final long BUSY_NANOS = 1_000 * Long.getLong("shop.busy", 200);

    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }

    @GetMapping("/price")
    String price() {
        long end = System.nanoTime() + BUSY_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return "12.50";
    }
}
