package dev.upcall.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The public types that a module exports to everybody, whoever compiles the module's list. */
final class PublicTypes {
  private PublicTypes() {}

  /** All of them, nested ones included, of the module that was compiled together with a class. */
  static List<Class<?>> in(Class<?> ofModule) {
    Path classes = classes(ofModule);
    return ModuleFinder.of(classes).findAll().stream()
        .flatMap(module -> module.descriptor().exports().stream())
        .filter(export -> !export.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .sorted()
        .flatMap(name -> in(classes, name))
        .toList();
  }

  private static Path classes(Class<?> ofModule) {
    try {
      return Path.of(ofModule.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Stream<Class<?>> in(Path classes, String packageName) {
    try (Stream<Path> files = Files.list(classes.resolve(packageName.replace('.', '/')))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class") && !name.startsWith("package-info"))
          .sorted()
          .<Class<?>>map(name -> load(packageName + "." + name.substring(0, name.length() - 6)))
          .filter(PublicTypes::isPublic)
          .toList()
          .stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return Modifier.isPublic(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isPublic(outer));
  }
}
