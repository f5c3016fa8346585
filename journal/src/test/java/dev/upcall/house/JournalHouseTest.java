package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The queue keeps the rules of the house, and knows nothing of a store. */
class JournalHouseTest {
  private static final JavaClasses JOURNAL = Product.classes("dev.upcall.journal");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(JOURNAL);
    Layers.checkLibraries(JOURNAL);
  }

  @Test
  void codeIsTidy() {
    Tidy.checkEverywhere(JOURNAL);
  }
}
