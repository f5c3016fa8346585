package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.upcall.Upcall;
import org.junit.jupiter.api.Test;

/** The file manager keeps the rules of the house. */
class FilemanHouseTest {
  private static final JavaClasses FILEMAN = Product.ofModule(Upcall.class);

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
