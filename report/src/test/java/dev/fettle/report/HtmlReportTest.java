package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
  @Test
  void rendersEveryKindOfRun() throws Exception {
    Path dir = Files.createDirectories(Path.of("build", "html"));
    for (var e : Runs.all().entrySet()) {
      String html = new HtmlReport().render(e.getValue());
      assertThat(html).startsWith("<!doctype html>");
      Files.writeString(dir.resolve(e.getKey() + ".html"), html);
    }
  }
}
