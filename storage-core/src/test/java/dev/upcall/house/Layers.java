package dev.upcall.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;

/** Who may know whom: the layers from the lowest to the highest. */
public final class Layers {
  /** Lowest first. Layers of one rank do not know each other. */
  private static final List<List<String>> RANKS =
      List.of(
          List.of("dev.upcall.fsm"),
          List.of("dev.upcall.io", "dev.upcall.tree", "dev.upcall.space", "dev.upcall.locks"),
          List.of("dev.upcall.buffer"),
          List.of("dev.upcall.segment"),
          List.of("dev.upcall.txn"),
          List.of("dev.upcall.access", "dev.upcall.threads"),
          List.of("dev.upcall.fileman"),
          List.of("dev.upcall.httpd"),
          List.of("dev.upcall.metrics"),
          List.of("dev.upcall.cli"));

  private Layers() {}

  /** Fails when a class knows a layer above its own, or a neighbour. */
  public static void check(JavaClasses product) {
    for (int rank = 0; rank < RANKS.size(); rank++) {
      for (String layer : RANKS.get(rank)) {
        noClasses()
            .that(liveIn(layer))
            .should()
            .dependOnClassesThat(liveInOneOf(notBelow(rank, layer)))
            .because("a layer knows only the layers below it")
            .allowEmptyShould(true)
            .check(product);
      }
    }
    classes()
        .should()
        .resideInAnyPackage(
            RANKS.stream().flatMap(List::stream).map(layer -> layer + "..").toArray(String[]::new))
        .because("each package belongs to a layer: name a new one in Layers")
        .check(product);
  }

  /**
   * Fails when Netty, or a library of the shell around the store, is used where it does not belong.
   */
  public static void checkLibraries(JavaClasses product) {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.upcall.io..", "dev.upcall.httpd..", "dev.upcall.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .because("Netty is the ring and the sockets: the disk seam and the server hide it")
        .allowEmptyShould(true)
        .check(product);
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.upcall.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .because("only the command line parses arguments: take a configuration record")
        .allowEmptyShould(true)
        .check(product);
  }

  /** Layers in which none of these classes live. */
  static List<String> without(List<String> classNames) {
    return RANKS.stream()
        .flatMap(List::stream)
        .filter(layer -> classNames.stream().noneMatch(name -> name.startsWith(layer + ".")))
        .toList();
  }

  private static List<String> notBelow(int rank, String layer) {
    return RANKS.subList(rank, RANKS.size()).stream()
        .flatMap(List::stream)
        .filter(other -> !other.equals(layer))
        .toList();
  }

  private static DescribedPredicate<JavaClass> liveIn(String layer) {
    return DescribedPredicate.describe("live in " + layer, type -> in(type, layer));
  }

  private static DescribedPredicate<JavaClass> liveInOneOf(List<String> layers) {
    return DescribedPredicate.describe(
        "live in one of " + layers, type -> layers.stream().anyMatch(layer -> in(type, layer)));
  }

  private static boolean in(JavaClass type, String layer) {
    return type.getPackageName().equals(layer) || type.getPackageName().startsWith(layer + ".");
  }
}
