package dev.upcall.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;

/** The compiled classes of the product, without its tests and fixtures. */
public final class Product {
  private Product() {}

  /** Reads the class files of the packages, and of those below them, that are on the class path. */
  public static JavaClasses classes(String... packages) {
    return new ClassFileImporter()
        .withImportOption(location -> !isTest(location))
        .importPackages(packages);
  }

  /** Reads the class files of the module, and of no other, that a class belongs to. */
  public static JavaClasses ofModule(Class<?> type) {
    return new ClassFileImporter()
        .importUrl(type.getProtectionDomain().getCodeSource().getLocation());
  }

  private static boolean isTest(Location location) {
    return location.contains("/test-classes/")
        || location.contains("-tests.jar")
        || location.contains("/test/dev/upcall/");
  }
}
