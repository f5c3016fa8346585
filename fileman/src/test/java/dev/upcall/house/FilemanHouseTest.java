package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The file manager keeps the rules of the house. */
class FilemanHouseTest {
  private static final JavaClasses FILEMAN = Product.classes("dev.upcall.fileman");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(FILEMAN);
    Layers.checkLibraries(FILEMAN);
  }

  @Test
  void dispatchedCodeIsTidy() {
    Tidy.checkDispatched(FILEMAN);
  }
}
