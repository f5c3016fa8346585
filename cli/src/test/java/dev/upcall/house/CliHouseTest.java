package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The command line keeps the rules of the house. */
class CliHouseTest {
  private static final JavaClasses SHELL = Product.classes("dev.upcall.cli");

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
  void adminPagesAreTidy() {
    Tidy.checkServer(Product.classes("dev.upcall.cli.admin"));
  }
}
