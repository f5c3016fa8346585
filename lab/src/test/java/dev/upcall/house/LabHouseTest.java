package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.upcall.io.elevator.Elevators;
import org.junit.jupiter.api.Test;

/** The laboratory keeps the rules of the house. */
class LabHouseTest {
  private static final JavaClasses MODULE = Product.ofModule(Elevators.class);

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(MODULE);
    Layers.checkLibraries(MODULE);
  }

  @Test
  void dispatchedCodeIsTidy() {
    Tidy.checkDispatched(MODULE);
  }
}
