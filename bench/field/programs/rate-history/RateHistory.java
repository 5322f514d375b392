package history;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Exchange rates of a day, with the names of their currencies. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class RateHistory {

    @Entity(name = "currency")
    public static class Currency {
        @Id
        Integer id;

        String code;

        String code() {
            return code;
        }
    }

    @Entity(name = "rate")
    public static class Rate {
        @Id
        Integer id;

        int onDay;
        int micro;

        @ManyToOne(fetch = FetchType.LAZY)
        Currency currency;

        Currency currency() {
            return currency;
        }
    }

    public interface CurrencyRepository extends JpaRepository<Currency, Integer> {}

    public interface RateRepository extends JpaRepository<Rate, Integer> {
        List<Rate> findByOnDay(int day);

        @Query("select r from rate r join fetch r.currency where r.onDay = ?1")
        List<Rate> ofDay(int day);
    }

    @RestController
    public static class RateController {
        private final RateRepository rates;
        private final boolean joined;

        RateController(RateRepository rates, @Value("${rates.joined}") boolean joined) {
            this.rates = rates;
            this.joined = joined;
        }

        @GetMapping("/")
        List<String> day() {
            int day = ThreadLocalRandom.current().nextInt(10);
            List<String> lines = new ArrayList<>();
            for (Rate rate : joined ? rates.ofDay(day) : rates.findByOnDay(day)) {
                lines.add(rate.currency().code() + " " + rate.micro / 1e6);
            }
            return lines;
        }
    }

    @Bean
    CommandLineRunner sampleData(CurrencyRepository currencies, RateRepository rates) {
        return args -> {
            List<Currency> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                Currency currency = new Currency();
                currency.id = i;
                currency.code = "" + (char) ('A' + i / 10) + (char) ('A' + i % 10) + "X";
                all.add(currencies.save(currency));
            }
            for (int i = 0; i < 600; i++) {
                Rate rate = new Rate();
                rate.id = i;
                rate.onDay = i / 60;
                rate.micro = 1_000_000 + i * 37;
                rate.currency = all.get(i % 60);
                rates.save(rate);
            }
            System.out.println("ready");
        };
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Properties settings = new Properties();
        settings.put("server.address", "127.0.0.1");
        settings.put("server.port", args[0]);
        settings.put("spring.datasource.url", "jdbc:h2:mem:rates;DB_CLOSE_DELAY=-1");
        settings.put("spring.datasource.hikari.pool-name", "rates-db");
        settings.put("spring.jpa.hibernate.ddl-auto", "create");
        settings.put("spring.main.banner-mode", "off");
        settings.put("rates.joined", Boolean.toString(fixed));
        SpringApplication application = new SpringApplication(RateHistory.class);
        application.setDefaultProperties(settings);
        application.run();
    }
}
