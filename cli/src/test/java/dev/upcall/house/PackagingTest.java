package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.module.ModuleDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is published is complete: names, versions that belong together, and nothing of the inside.
 */
class PackagingTest {
  private static final Pattern MANAGED =
      Pattern.compile(
          "<groupId>dev\\.upcall</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*<version>\\$");
  private static final Pattern VERSION = Pattern.compile("<version>(0[^<]+)</version>");
  private static final Pattern HIDDEN =
      Pattern.compile("<excludePackageNames>([^<]+)</excludePackageNames>");

  @Test
  void theBillOfMaterialsNamesWhatIsPublished() {
    Set<String> named = new TreeSet<>();
    MANAGED.matcher(PublishedModules.pom("bom")).results().forEach(one -> named.add(one.group(1)));
    assertEquals(PublishedModules.published(), named);
    assertTrue(named.contains("fileman"));
  }

  @Test
  void allPomsSayWhatTheyAre() {
    String version = version(".");
    List<String> faults = new ArrayList<>();
    for (String module : PublishedModules.all()) {
      String pom = PublishedModules.pom(module);
      for (String element : List.of("<name>Upcall ", "<description>")) {
        if (!pom.contains(element)) {
          faults.add(module + " has no " + element);
        }
      }
      if (!version(module).equals(version)) {
        faults.add(module + " is of version " + version(module) + ", not " + version);
      }
    }
    assertEquals(List.of(), faults);
  }

  @Test
  void whatIsPublishedHasAModuleName() {
    List<String> nameless =
        PublishedModules.published().stream()
            .filter(module -> PublishedModules.descriptor(module).isEmpty())
            .filter(module -> !PublishedModules.pom(module).contains("<Automatic-Module-Name>"))
            .toList();
    assertEquals(List.of(), nameless);
  }

  /** Packages that are exported to this project's modules only are not in the Javadoc. */
  @Test
  void javadocShowsWhatEverybodyMayName() {
    for (String module : PublishedModules.published()) {
      List<ModuleDescriptor.Exports> exports =
          PublishedModules.descriptor(module).stream()
              .flatMap(descriptor -> descriptor.exports().stream())
              .toList();
      List<String> hidden = hidden(module);
      for (ModuleDescriptor.Exports one : exports) {
        assertEquals(
            one.isQualified(),
            hidden.stream().anyMatch(name -> (one.source() + ".").startsWith(name + ".")),
            module + ": " + one.source() + " in <excludePackageNames>");
      }
    }
  }

  private static List<String> hidden(String module) {
    Matcher names = HIDDEN.matcher(PublishedModules.pom(module));
    return names.find()
        ? Stream.of(names.group(1).split(",")).map(String::strip).toList()
        : List.of();
  }

  private static String version(String module) {
    Matcher version = VERSION.matcher(PublishedModules.pom(module));
    assertTrue(version.find(), module + " has a version");
    return version.group(1);
  }
}
