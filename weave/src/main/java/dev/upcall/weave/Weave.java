package dev.upcall.weave;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes classes of the lambdas and type switches of compiled code, so that Java finds them in the
 * jar instead of making each when it first comes there, which takes several times as long and is
 * the longest part of a start. Run by the build, from its source, over a module's class files:
 *
 * <pre>java Weave.java target/classes</pre>
 *
 * <p>The code stays as long as it was: only each call is put elsewhere. What is woven already is
 * left as it is; classes that were made of code since compiled anew are removed. The same class
 * files always give the same bytes.
 */
public final class Weave {
  /** What stands in the names of all classes made here, and of no others. */
  static final String MARK = "$$";

  private static final String SUFFIX = ".class";

  private final Path folder;

  private Weave(Path folder) {
    this.folder = folder;
  }

  /** The command line: folders of class files. */
  public static void main(String[] folders) throws IOException {
    for (String folder : folders) {
      new Weave(Path.of(folder)).run();
    }
  }

  private void run() throws IOException {
    for (List<Path> nest : nests().values()) {
      weave(nest);
    }
  }

  /** All class files by the outermost class of their nest, in the order of their names. */
  private Map<String, List<Path>> nests() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(SUFFIX))
          .sorted()
          .collect(Collectors.groupingBy(this::nestOf, TreeMap::new, Collectors.toList()));
    }
  }

  private String nestOf(Path file) {
    ClassModel parsed = parse(file);
    return parsed
        .findAttribute(Attributes.nestHost())
        .map(host -> host.nestHost().asInternalName())
        .orElse(parsed.thisClass().asInternalName());
  }

  private void weave(List<Path> nest) throws IOException {
    removeStale(nest);
    List<Path> files = nest.stream().filter(Files::exists).toList();
    List<Woven> woven = new ArrayList<>();
    List<ClassDesc> made = new ArrayList<>();
    for (Path file : files) {
      Woven one = Woven.of(Files.readAllBytes(file));
      woven.add(one);
      one.made().forEach(each -> made.add(each.name()));
    }
    if (made.isEmpty()) {
      return;
    }
    for (int i = 0; i < files.size(); i++) {
      Woven one = woven.get(i);
      for (Made each : one.made()) {
        Files.write(pathOf(each.name()), each.bytes());
      }
      if (one.isOutermost()) {
        Files.write(files.get(i), one.bytesWithMembers(made));
      } else if (!one.made().isEmpty()) {
        Files.write(files.get(i), one.bytes());
      }
    }
  }

  /** Removes what was made of a nest that has been compiled since: it does not name it any more. */
  private void removeStale(List<Path> nest) throws IOException {
    Set<String> members =
        nest.stream()
            .map(Weave::parse)
            .flatMap(parsed -> parsed.findAttribute(Attributes.nestMembers()).stream())
            .flatMap(attribute -> attribute.nestMembers().stream())
            .map(member -> member.asInternalName())
            .collect(Collectors.toSet());
    for (Path file : nest) {
      String name = parse(file).thisClass().asInternalName();
      if (name.contains(MARK) && !members.contains(name)) {
        Files.delete(file);
      }
    }
  }

  private Path pathOf(ClassDesc name) {
    String descriptor = name.descriptorString();
    return folder.resolve(descriptor.substring(1, descriptor.length() - 1) + SUFFIX);
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(Files.readAllBytes(file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
