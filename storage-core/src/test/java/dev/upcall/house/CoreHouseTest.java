package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The storage core keeps the rules of the house. */
class CoreHouseTest {
  private static final JavaClasses CORE = Product.classes("dev.upcall");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(CORE);
  }

  @Test
  void librariesStayWhereTheyBelong() {
    Layers.checkLibraries(CORE);
  }

  @Test
  void dispatchedCodeIsTidy() {
    Tidy.checkDispatched(CORE);
  }
}
