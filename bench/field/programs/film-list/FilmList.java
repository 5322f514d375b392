package films;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A page of ten films with their showings. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class FilmList {

    @Entity(name = "film")
    public static class Film {
        @Id
        Integer id;

        String title;

        @OneToMany(mappedBy = "film", fetch = FetchType.LAZY, cascade = CascadeType.ALL)
        List<Showing> showings = new ArrayList<>();
    }

    @Entity(name = "showing")
    public static class Showing {
        @Id
        Integer id;

        String hall;

        @ManyToOne(fetch = FetchType.LAZY)
        Film film;
    }

    public interface FilmRepository extends JpaRepository<Film, Integer> {
        @Query("select f from film f left join fetch f.showings order by f.title")
        List<Film> withShowings(Pageable page);

        @Query("select f.id from film f order by f.title")
        List<Integer> numbers(Pageable page);

        @Query("select f from film f left join fetch f.showings where f.id in ?1 order by f.title")
        List<Film> withShowings(List<Integer> numbers);
    }

    @RestController
    public static class FilmController {
        private final FilmRepository films;
        private final boolean twoSteps;

        FilmController(FilmRepository films, @Value("${films.two-steps}") boolean twoSteps) {
            this.films = films;
            this.twoSteps = twoSteps;
        }

        @GetMapping("/")
        List<String> page() {
            Pageable page = PageRequest.of(ThreadLocalRandom.current().nextInt(100), 10);
            List<String> lines = new ArrayList<>();
            for (Film film : twoSteps ? films.withShowings(films.numbers(page)) : films.withShowings(page)) {
                StringBuilder line = new StringBuilder(film.title);
                for (Showing showing : film.showings) {
                    line.append(' ').append(showing.hall);
                }
                lines.add(line.toString());
            }
            return lines;
        }
    }

    @Bean
    CommandLineRunner sampleData(FilmRepository films) {
        return args -> {
            List<Film> all = new ArrayList<>();
            for (int i = 0; i < 1500; i++) {
                Film film = new Film();
                film.id = i;
                film.title = "film " + (i * 7919 % 1500);
                for (int hall = 0; hall < 5; hall++) {
                    Showing showing = new Showing();
                    showing.id = i * 5 + hall;
                    showing.hall = "hall " + (i + hall) % 12;
                    showing.film = film;
                    film.showings.add(showing);
                }
                all.add(film);
            }
            films.saveAll(all);
            System.out.println("ready");
        };
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Properties settings = new Properties();
        settings.put("server.address", "127.0.0.1");
        settings.put("server.port", args[0]);
        settings.put("spring.datasource.url", "jdbc:h2:mem:films;DB_CLOSE_DELAY=-1");
        settings.put("spring.datasource.hikari.pool-name", "films-db");
        settings.put("spring.jpa.hibernate.ddl-auto", "create");
        settings.put("spring.jpa.open-in-view", "false");
        settings.put("spring.main.banner-mode", "off");
        settings.put("logging.level.org.hibernate.orm.query", "error");
        settings.put("films.two-steps", Boolean.toString(fixed));
        SpringApplication application = new SpringApplication(FilmList.class);
        application.setDefaultProperties(settings);
        application.run();
    }
}
