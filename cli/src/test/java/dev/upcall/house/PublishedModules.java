package dev.upcall.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The modules that others depend on, as their POMs and descriptors say. */
final class PublishedModules {
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private PublishedModules() {}

  /** All folders of the build, in its order. */
  static List<String> all() {
    return MODULE.matcher(pom(".")).results().map(module -> module.group(1)).toList();
  }

  /** Those that are installed, but for the bill of materials itself. */
  static Set<String> published() {
    Set<String> published = new TreeSet<>(all());
    published.removeIf(
        module ->
            module.equals("bom")
                || pom(module).contains("<maven.install.skip>true</maven.install.skip>"));
    return published;
  }

  /** The POM of a folder. */
  static String pom(String module) {
    try {
      return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** What a folder's classes say of their module; empty for one that says nothing. */
  static Optional<ModuleDescriptor> descriptor(String module) {
    Path classes = ROOT.resolve(module).resolve("target/classes");
    if (!Files.exists(classes.resolve("module-info.class"))) {
      return Optional.empty();
    }
    return ModuleFinder.of(classes).findAll().stream().findFirst().map(found -> found.descriptor());
  }
}
