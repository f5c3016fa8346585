package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The feed keeps the rules of the house. */
class FeedHouseTest {
  private static final JavaClasses FEED = Product.classes("dev.upcall.feed");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(FEED);
    Layers.checkLibraries(FEED);
  }

  @Test
  void dispatchedCodeIsTidy() {
    Tidy.checkDispatched(FEED);
  }
}
