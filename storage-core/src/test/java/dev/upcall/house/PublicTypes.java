package dev.upcall.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The public types that a module exports to everybody, whoever compiles the module's list. */
final class PublicTypes {
  private PublicTypes() {}

  /** All of them, nested ones included, of the module that was compiled together with a class. */
  static List<Class<?>> in(Class<?> ofModule) {
    return ModuleFinder.of(classes(ofModule)).findAll().stream()
        .flatMap(module -> in(module).stream())
        .toList();
  }

  private static Path classes(Class<?> ofModule) {
    try {
      return Path.of(ofModule.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** By a reader of the module, since it may be a folder or a jar. */
  private static List<Class<?>> in(ModuleReference module) {
    Set<String> exported =
        module.descriptor().exports().stream()
            .filter(export -> !export.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    try (ModuleReader reader = module.open();
        Stream<String> names = reader.list()) {
      return names
          .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
          .filter(name -> exported.contains(name.substring(0, Math.max(0, name.lastIndexOf('.')))))
          .sorted()
          .<Class<?>>map(PublicTypes::load)
          .filter(PublicTypes::isPublic)
          .toList();
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
