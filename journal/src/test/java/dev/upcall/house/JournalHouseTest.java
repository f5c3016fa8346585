package dev.upcall.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The queue keeps the rules of the house, and knows requests, but no store. */
class JournalHouseTest {
  private static final JavaClasses JOURNAL = Product.classes("dev.upcall.journal");

  @Test
  void layersKnowOnlyTheLayersBelow() {
    Layers.check(JOURNAL);
    Layers.checkLibraries(JOURNAL);
  }

  @Test
  void ofAStoreItKnowsWhatRequestsConsistOf() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.upcall..")
                .and(
                    resideOutsideOfPackages(
                        "dev.upcall",
                        "dev.upcall.request..",
                        "dev.upcall.completion",
                        "dev.upcall.journal..")))
        .because("a producer is a program without a store")
        .check(JOURNAL);
  }

  @Test
  void codeIsTidy() {
    Tidy.checkEverywhere(JOURNAL);
  }
}
