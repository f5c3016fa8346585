package dev.upcall.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;

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

  @Test
  void readersOfPagesSeeThemWhole() {
    fields()
        .that()
        .areDeclaredIn("dev.upcall.tree.Page")
        .should()
        .beFinal()
        .because("other threads come upon a page that is loaded, without any order")
        .check(CORE);
  }
}
