package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The simulated machine keeps the rules of the house. */
class SimulationHouseTest {
  private static final JavaClasses MACHINE = Product.classes("dev.upcall.sim");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(MACHINE);
    Layers.checkLibraries(MACHINE);
  }

  @Test
  void dispatchedCodeIsTidy() {
    Tidy.checkDispatched(MACHINE);
  }
}
