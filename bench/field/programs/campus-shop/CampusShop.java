package campus;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The shop of a campus: an article from our database, its delivery time from the supplier. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class CampusShop {

    @Entity(name = "article")
    public static class Article {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        private Long id;

        private String name;
        private int cents;

        protected Article() {}

        Article(String name, int cents) {
            this.name = name;
            this.cents = cents;
        }

        String name() {
            return name;
        }

        int cents() {
            return cents;
        }
    }

    public interface ArticleRepository extends JpaRepository<Article, Long> {}

    @Component
    public static class SupplierClient {

        /** Asks the supplier, whose answer takes about 150 ms. */
        int deliveryDays(String article) {
            try {
                Thread.sleep(150);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 1 + Math.abs(article.hashCode() % 5);
        }
    }

    @RestController
    public static class ArticleController {
        private final ArticleRepository articles;
        private final SupplierClient supplier;

        ArticleController(ArticleRepository articles, SupplierClient supplier) {
            this.articles = articles;
            this.supplier = supplier;
        }

        @GetMapping("/")
        Map<String, Object> article() {
            long id = 1 + ThreadLocalRandom.current().nextLong(200);
            Article article = articles.findById(id).orElseThrow();
            int days = supplier.deliveryDays(article.name());
            return Map.of(
                    "name", article.name(), "cents", article.cents() * (days == 1 ? 110 : 100) / 100, "days", days);
        }
    }

    @Bean
    CommandLineRunner sampleData(ArticleRepository articles) {
        return args -> {
            for (int i = 0; i < 200; i++) {
                articles.save(new Article("article " + i, 250 + i * 10));
            }
            System.out.println("ready");
        };
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Properties settings = new Properties();
        settings.put("server.address", "127.0.0.1");
        settings.put("server.port", args[0]);
        settings.put("spring.datasource.url", "jdbc:h2:mem:campus;DB_CLOSE_DELAY=-1");
        settings.put("spring.datasource.hikari.pool-name", "campus-db");
        settings.put("spring.datasource.hikari.maximum-pool-size", "4");
        settings.put("spring.jpa.hibernate.ddl-auto", "create");
        settings.put("spring.main.banner-mode", "off");
        if (fixed) {
            settings.put("spring.jpa.open-in-view", "false");
        }
        SpringApplication application = new SpringApplication(CampusShop.class);
        application.setDefaultProperties(settings);
        application.run();
    }
}
