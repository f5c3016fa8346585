package dev.upcall.house;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What programs may link against in a module, a line for each type and member: the public and
 * protected ones of the packages that it exports to all, constants with the values that compilers
 * copy into programs. A line that goes, or is another, breaks programs that were compiled before; a
 * new one breaks at most who implements an interface.
 */
final class PublicApi {
  private PublicApi() {}

  /** All lines of a module, sorted; a member stands behind its type. */
  static List<String> of(String module) {
    TreeSet<String> lines = new TreeSet<>();
    typesOf(module).forEach(type -> describe(type, lines));
    return List.copyOf(lines);
  }

  /** All types of a module that programs may name. */
  static List<Class<?>> typesOf(String module) {
    ModuleDescriptor descriptor = PublishedModules.descriptor(module).orElseThrow();
    List<Class<?>> visible = new ArrayList<>();
    for (ModuleDescriptor.Exports exported : descriptor.exports()) {
      if (!exported.isQualified()) {
        types(module, exported.source()).stream()
            .filter(PublicApi::isVisible)
            .forEach(visible::add);
      }
    }
    return visible;
  }

  private static List<Class<?>> types(String module, String packageName) {
    Path folder =
        PublishedModules.ROOT
            .resolve(module)
            .resolve("target/classes")
            .resolve(packageName.replace('.', '/'));
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.equals("package-info.class")) {
          String type = packageName + "." + name.substring(0, name.length() - ".class".length());
          types.add(Class.forName(type, false, PublicApi.class.getClassLoader()));
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException(missing);
    }
    return types;
  }

  private static boolean isVisible(Class<?> type) {
    if (type.isAnonymousClass() || type.isLocalClass() || !isVisible(type.getModifiers())) {
      return false;
    }
    Class<?> outer = type.getEnclosingClass();
    return outer == null || isVisible(outer);
  }

  static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static void describe(Class<?> type, Collection<String> lines) {
    String name = type.getName();
    StringBuilder head = new StringBuilder(name + "  " + type.toGenericString());
    if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class) {
      head.append(" extends ").append(type.getGenericSuperclass().getTypeName());
    }
    names(" implements ", type.getGenericInterfaces(), head);
    Class<?>[] permitted = type.getPermittedSubclasses();
    if (permitted != null) {
      names(" permits ", permitted, head);
    }
    lines.add(head.toString());
    fields(type, lines);
    members(type, type.getDeclaredConstructors(), lines);
    members(type, type.getDeclaredMethods(), lines);
  }

  private static void names(String word, Type[] types, StringBuilder to) {
    if (types.length > 0) {
      to.append(
          Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(", ", word, "")));
    }
  }

  private static void fields(Class<?> type, Collection<String> lines) {
    Map<String, String> constants = constants(type);
    for (Field field : type.getDeclaredFields()) {
      if (isListed(type, field)) {
        String value = constants.get(field.getName());
        String assigned = value == null ? "" : " = " + value;
        lines.add(type.getName() + "  - " + field.toGenericString() + assigned);
      }
    }
  }

  private static void members(Class<?> type, Executable[] members, Collection<String> lines) {
    for (Executable member : members) {
      if (isListed(type, member)) {
        lines.add(type.getName() + "  - " + member.toGenericString());
      }
    }
  }

  private static boolean isListed(Class<?> type, Member member) {
    boolean inherited =
        Modifier.isProtected(member.getModifiers()) && Modifier.isFinal(type.getModifiers());
    return isVisible(member.getModifiers()) && !member.isSynthetic() && !inherited;
  }

  /** The values of fields that are constants of the language, by their names. */
  static Map<String, String> constants(Class<?> type) {
    Map<String, String> values = new HashMap<>();
    String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
    try (InputStream bytes = type.getResourceAsStream(file)) {
      if (bytes == null) {
        throw new IllegalStateException("no class file of " + type);
      }
      for (FieldModel field : ClassFile.of().parse(bytes.readAllBytes()).fields()) {
        field
            .findAttribute(Attributes.constantValue())
            .ifPresent(
                value ->
                    values.put(
                        field.fieldName().stringValue(), value.constant().constantValue() + ""));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return values;
  }
}
