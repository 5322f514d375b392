package dev.fettle.examples.pool;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;


/** {@code /article} reads one row, which takes the database 20 ms; meanwhile it holds a connection of the pool. */
@SpringBootApplication
@RestController
public class ShopApplication {
    private final JdbcTemplate database;

    ShopApplication(JdbcTemplate database) {
        this.database = database;
    }

    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }

    @GetMapping(path = "/article", produces = MediaType.TEXT_PLAIN_VALUE)
    String article() {
        int id = ThreadLocalRandom.current().nextInt(1, 1001);
        return database.queryForObject("SELECT price FROM article WHERE id = ? AND pause(20) = 20", String.class, id) + " Euro\n";
    }
}
