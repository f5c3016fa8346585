package dev.upcall.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who may know whom: the packages from the lowest to the highest. {@code docs/rooms.md} is drawn
 * from what this lets pass.
 */
public final class Layers {
  private static final String ROOT = "dev.upcall";

  /** How the list below names the root itself, in which stands what embedders name. */
  public static final String FACE = "upcall";

  /** Lowest first. Packages of one rank do not know each other. */
  private static final List<List<String>> RANKS =
      Stream.of(
              "base completion config",
              "fsm.record",
              "content edit fsm.meter locks space tree",
              "fsm.wakeup",
              "fsm",
              "fsm.door io txn.lock",
              "codec.zstd coding io.schedule io.trace io.volume sim",
              "io.seal sim.drive",
              "io.elevator io.trace.text io.replay buffer.replacement pressure txn.volume",
              "buffer",
              "segment.paging segment.space",
              "segment.layout",
              "segment txn.log",
              "store threads.log",
              "txn.metrics",
              "txn",
              "access txn.dedup txn.state",
              "txn.change txn.checkpoint",
              "txn.reclaim",
              "txn.snapshot",
              "txn.recovery txn.transaction",
              "txn.verify",
              "txn.engine",
              "threads",
              FACE,
              "guard request",
              "request.codec table",
              "journal.entry",
              "journal.queue",
              "journal.producer journal.recording",
              "journal.trace",
              "fileman.engine fileman.plan nio.collected nio.watch",
              "fileman.keys nio.content",
              "nio.channel",
              "stage fileman.background fileman.reading fileman.watch nio",
              "trees",
              "fileman.trees.host fileman.trees.rewrite",
              "fileman.trees",
              "fileman.machine fileman.stage",
              "fileman.async",
              "fileman.blocking",
              "threads.files",
              "feed.answer metrics",
              "feed",
              "httpd.log httpd.web",
              "httpd",
              "httpd.files httpd.message httpd.socket",
              "httpd.listing",
              "httpd.answer",
              "httpd.guarding",
              "httpd.session httpd.blocking httpd.relay",
              "httpd.tls",
              "httpd.server",
              "cli.admin cli.option cli.remote cli.practice",
              "cli.host",
              "cli.blocks cli.damage cli.failover cli.manual cli.posix cli.queue",
              "cli.trace",
              "cli.shell",
              "cli.access cli.store",
              "cli.files cli.table cli.transfer cli.volume",
              "cli.serve",
              "cli")
          .map(rank -> Stream.of(rank.split(" ")).map(Layers::packageOf).toList())
          .toList();

  /** Factories: what users name makes what implements it. From, to. */
  private static final Map<String, String> FACTORIES =
      Map.of(
          "dev.upcall.Upcall", "dev.upcall.fileman.blocking",
          "dev.upcall.FsmUpcall", "dev.upcall.stage",
          "dev.upcall.FileManager", "dev.upcall.fileman.machine",
          "dev.upcall.trees.Trees", "dev.upcall.fileman.trees",
          "dev.upcall.httpd.Site", "dev.upcall.httpd.files",
          "dev.upcall.httpd.SiteChanges", "dev.upcall.httpd.files");

  /** The package of requests, which are made of the words in the root. */
  private static final String REQUESTS = packageOf("request");

  /** The package of tables with types, which the face of callers that wait makes. */
  private static final String TABLES = packageOf("table");

  /** Faces: they stand in the root for programs to name, and pass requests on. */
  private static final Set<String> FACES =
      Set.of(
          "dev.upcall.AsyncChanges",
          "dev.upcall.AsyncFiles",
          "dev.upcall.AsyncReads",
          "dev.upcall.FileManager",
          "dev.upcall.FsmUpcall",
          "dev.upcall.Upcall",
          "dev.upcall.UpcallChanges",
          "dev.upcall.UpcallReads");

  private Layers() {}

  /** All packages, lowest first. */
  public static List<String> packages() {
    return RANKS.stream().flatMap(List::stream).toList();
  }

  /** Whether a class may know another package only because it makes what is in it. */
  public static boolean isFactory(JavaClass type, String madeIn) {
    String name = outermost(type).getName();
    return madeIn.equals(FACTORIES.get(name))
        || madeIn.equals(REQUESTS) && FACES.contains(name)
        || madeIn.equals(TABLES) && name.equals("dev.upcall.Upcall");
  }

  /** Fails when a class knows a package above its own, or a neighbour. */
  public static void check(JavaClasses product) {
    for (int rank = 0; rank < RANKS.size(); rank++) {
      for (String layer : RANKS.get(rank)) {
        List<String> notBelow = notBelow(rank, layer);
        classes()
            .that(DescribedPredicate.describe("live in " + layer, type -> in(type, layer)))
            .should(knowNoneOf(notBelow))
            .because("a layer knows only the layers below it")
            .allowEmptyShould(true)
            .check(product);
      }
    }
    classes()
        .should()
        .resideInAnyPackage(packages().toArray(String[]::new))
        .because("each package has its place: name a new one in Layers")
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
        .resideOutsideOfPackages("dev.upcall.journal.queue..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("net.openhft..", "software.chronicle..", "org.slf4j..")
        .because("whoever does not use the queue runs without its library and its flags")
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
        .filter(layer -> classNames.stream().noneMatch(name -> homeOf(name).equals(layer)))
        .toList();
  }

  /** What a package is called on pages: without the root, and the root itself by its last word. */
  public static String shortName(String packageName) {
    return packageName.equals(ROOT) ? FACE : packageName.substring(ROOT.length() + 1);
  }

  private static String packageOf(String shortName) {
    return shortName.equals(FACE) ? ROOT : ROOT + "." + shortName;
  }

  private static String homeOf(String className) {
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }

  private static List<String> notBelow(int rank, String layer) {
    return RANKS.subList(rank, RANKS.size()).stream()
        .flatMap(List::stream)
        .filter(other -> !other.equals(layer))
        .toList();
  }

  private static ArchCondition<JavaClass> knowNoneOf(List<String> layers) {
    return new ArchCondition<>("know none of " + layers) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          String home = target.getPackageName();
          if (layers.contains(home) && !isFactory(type, home)) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
      }
    };
  }

  private static JavaClass outermost(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }

  private static boolean in(JavaClass type, String layer) {
    return type.getPackageName().equals(layer);
  }
}
