package dev.upcall.nio.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of the JDK that take paths work in a store: the compiler, zip and jar files, walks. */
class JdkProgramsTest {
  @TempDir Path folder;
  private Upcall store;
  private FileSystem system;

  @BeforeEach
  void open() {
    store =
        Upcall.create(folder.resolve("p.upcall"), UpcallConfig.DEFAULT.withMemoryBytes(16L << 20));
    system = store.fileSystem();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theCompilerReadsAndWritesThere() throws Throwable {
    Path sources = Files.createDirectories(system.getPath("/src/letters"));
    Path classes = Files.createDirectory(system.getPath("/classes"));
    Path source =
        Files.writeString(
            sources.resolve("Letter.java"),
            "package letters; public class Letter { public static String text() { return \"Hi\"; } }");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      files.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of(system.getPath("/src")));
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
      assertTrue(
          compiler
              .getTask(
                  null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(source))
              .call());
    }
    byte[] compiled = Files.readAllBytes(classes.resolve("letters/Letter.class"));
    Class<?> loaded =
        new ClassLoader(null) {
          Class<?> define() {
            return defineClass("letters.Letter", compiled, 0, compiled.length);
          }
        }.define();
    assertEquals(
        "Hi",
        MethodHandles.publicLookup()
            .findStatic(loaded, "text", java.lang.invoke.MethodType.methodType(String.class))
            .invoke());
  }

  @Test
  void zipFilesAreFileSystemsInsideIt() throws IOException {
    Path archive = system.getPath("/a.zip");
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Files.createDirectory(zip.getPath("/in"));
      for (int i = 0; i < 50; i++) {
        Files.writeString(zip.getPath("/in/f" + i), "text " + i);
      }
    }
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of())) {
      Files.delete(zip.getPath("/in/f7"));
      Files.copy(zip.getPath("/in/f8"), system.getPath("/out"));
    }
    assertEquals("text 8", Files.readString(system.getPath("/out")));
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of())) {
      assertFalse(Files.exists(zip.getPath("/in/f7")));
      assertEquals("text 49", Files.readString(zip.getPath("/in/f49")));
    }
  }

  @Test
  void jarFilesAreWrittenAndReadBack() throws IOException {
    Path jar = system.getPath("/a.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Main-Class", "letters.Letter");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new ZipEntry("letters/a.txt"));
      out.write(new byte[100_000]);
      out.closeEntry();
    }
    try (FileSystem inside = FileSystems.newFileSystem(jar, Map.of());
        InputStream in = Files.newInputStream(inside.getPath("META-INF/MANIFEST.MF"))) {
      assertEquals("letters.Letter", new Manifest(in).getMainAttributes().getValue("Main-Class"));
      assertEquals(100_000, Files.size(inside.getPath("letters/a.txt")));
    }
  }

  @Test
  void treesAreWalkedAndDeleted() throws IOException {
    for (int i = 0; i < 40; i++) {
      Path directory = Files.createDirectories(system.getPath("/tree/d" + i % 7 + "/e" + i % 3));
      Files.writeString(directory.resolve("f" + i), "x".repeat(i));
    }
    List<String> order = new ArrayList<>();
    long[] bytes = new long[1];
    Files.walkFileTree(
        system.getPath("/tree"),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            bytes[0] += attributes.size();
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failed)
              throws IOException {
            order.add(directory.toString());
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
    assertEquals(39 * 40 / 2, bytes[0]);
    assertEquals("/tree", order.getLast());
    assertFalse(Files.exists(system.getPath("/tree")));
  }
}
