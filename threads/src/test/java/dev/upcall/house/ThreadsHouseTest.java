package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.upcall.threads.files.ThreadUpcall;
import org.junit.jupiter.api.Test;

/** The engine of threads keeps the rules of the house. */
class ThreadsHouseTest {
  private static final JavaClasses MODULE = Product.ofModule(ThreadUpcall.class);

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(MODULE);
    Layers.checkLibraries(MODULE);
  }

  @Test
  void codeIsTidy() {
    Tidy.checkDispatched(Product.classes("dev.upcall.threads", "dev.upcall.locks"));
    Tidy.checkServer(MODULE);
  }
}
