package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The HTTP server and the command line keep the rules of the house. */
class HttpdHouseTest {
  private static final JavaClasses SHELL =
      Product.classes("dev.upcall.httpd", "dev.upcall.metrics", "dev.upcall.cli");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(SHELL);
    Layers.checkLibraries(SHELL);
  }

  @Test
  void codeIsTidy() {
    Tidy.checkEverywhere(SHELL);
  }

  @Test
  void sessionsAreTidy() {
    Tidy.checkServer(Product.classes("dev.upcall.httpd", "dev.upcall.metrics"));
  }
}
