package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The codec keeps the rules of the house. */
class CodecZstdHouseTest {
  private static final JavaClasses CODEC = Product.classes("dev.upcall.codec");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(CODEC);
    Layers.checkLibraries(CODEC);
  }

  @Test
  void codeIsTidy() {
    Tidy.checkEverywhere(CODEC);
    Tidy.checkServer(CODEC);
  }
}
