package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The HTTP server keeps the rules of the house. */
class HttpdHouseTest {
  private static final JavaClasses SERVER = Product.classes("dev.upcall.httpd");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(SERVER);
    Layers.checkLibraries(SERVER);
  }

  @Test
  void codeIsTidy() {
    Tidy.checkEverywhere(SERVER);
  }

  @Test
  void sessionsAreTidy() {
    Tidy.checkServer(SERVER);
  }
}
