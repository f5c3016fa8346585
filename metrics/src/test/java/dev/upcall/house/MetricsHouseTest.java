package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The meters keep the rules of the house. */
class MetricsHouseTest {
  private static final JavaClasses METERS = Product.classes("dev.upcall.metrics");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(METERS);
    Layers.checkLibraries(METERS);
  }

  @Test
  void codeIsTidy() {
    Tidy.checkEverywhere(METERS);
    Tidy.checkServer(METERS);
  }
}
