package dev.upcall.httpd.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Maven with a server for its repository. The transport that {@code mvn deploy} uses puts a parent
 * and an extension there; then a build that needs both gets them, with checksums compared. No
 * plugin takes part, so nothing has to come from elsewhere.
 */
final class MavenClient implements NetworkClient {
  private static final String ROOT = "/private/maven/";
  private static final String POM =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>%s</groupId>
        <artifactId>%s</artifactId>
        <version>%s</version>
        <packaging>%s</packaging>
      </project>
      """;
  private static final String BUILD =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <parent>
          <groupId>org.example</groupId>
          <artifactId>parent</artifactId>
          <version>1.0</version>
          <relativePath/>
        </parent>
        <artifactId>build</artifactId>
        <packaging>pom</packaging>
        <build>
          <extensions>
            <extension>
              <groupId>org.example</groupId>
              <artifactId>extension</artifactId>
              <version>1.0</version>
            </extension>
          </extensions>
        </build>
      </project>
      """;
  private static final String SETTINGS =
      """
      <settings>
        <servers>
          <server><id>ours</id><username>build</username><password>%s</password></server>
        </servers>
        <mirrors>
          <mirror><id>ours</id><mirrorOf>*</mirrorOf><url>%s</url></mirror>
        </mirrors>
      </settings>
      """;

  private static final String PASSWORD = "not-a-secret";

  /** Arguments: the address, the password, then files and where they go. */
  private static final String PUT =
      """
      import org.apache.maven.wagon.authentication.AuthenticationInfo;
      import org.apache.maven.wagon.providers.http.HttpWagon;
      import org.apache.maven.wagon.repository.Repository;

      void main(String[] arguments) throws Exception {
        AuthenticationInfo login = new AuthenticationInfo();
        login.setUserName("build");
        login.setPassword(arguments[1]);
        HttpWagon wagon = new HttpWagon();
        wagon.connect(new Repository("ours", arguments[0]), login);
        for (int i = 2; i < arguments.length; i += 2) {
          wagon.put(new java.io.File(arguments[i]), arguments[i + 1]);
        }
        wagon.disconnect();
      }
      """;

  @Override
  public String program() {
    return "mvn";
  }

  @Override
  public void talk(ServedStore server) throws Exception {
    Path folder = server.folder();
    Path program = Tool.find(program()).orElseThrow();
    Path java = Path.of(System.getProperty("java.home"));
    List<String> trust =
        List.of(
            "-Djavax.net.ssl.trustStore=" + trusted(server, java),
            "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
    Map<String, byte[]> files = files();
    put(new Tool(java.resolve("bin").resolve("java"), folder), program, server, trust, files);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertArrayEquals(file.getValue(), server.read(ROOT + file.getKey()), file.getKey());
    }
    Files.writeString(folder.resolve("pom.xml"), BUILD);
    Path settings = folder.resolve("settings.xml");
    Files.writeString(settings, SETTINGS.formatted(ServedStore.SECRET, server.url(ROOT)));
    Path local = folder.resolve("local");
    List<String> command =
        List.of("-B", "-C", "-s", settings.toString(), "-Dmaven.repo.local=" + local, "validate");
    Map<String, String> environment =
        Map.of("JAVA_HOME", java.toString(), "MAVEN_OPTS", String.join(" ", trust));
    Tool mvn = new Tool(program, folder);
    String said = mvn.run(environment, "", command).ok();
    assertTrue(said.contains("BUILD SUCCESS"), said);
    String jar = "org/example/extension/1.0/extension-1.0.jar";
    assertArrayEquals(files.get(jar), Files.readAllBytes(local.resolve(jar)));
    refusesAStranger(mvn, server, environment);
  }

  private static void refusesAStranger(
      Tool mvn, ServedStore server, Map<String, String> environment) throws Exception {
    Path settings = server.folder().resolve("settings.xml");
    Files.writeString(settings, SETTINGS.formatted("wrong", server.url(ROOT)));
    Path empty = server.folder().resolve("empty");
    List<String> command =
        List.of("-B", "-s", settings.toString(), "-Dmaven.repo.local=" + empty, "validate");
    Tool.Outcome refused = mvn.run(environment, "", command);
    assertEquals(1, refused.code(), refused.said());
    assertTrue(refused.said().contains("401"), refused.said());
  }

  /** By the transport that is part of Maven 3; without it nobody but the store can bring them. */
  private static void put(
      Tool java, Path program, ServedStore server, List<String> trust, Map<String, byte[]> files)
      throws Exception {
    Path folder = server.folder();
    Path libraries = program.toRealPath().resolveSibling("../lib").normalize();
    if (!hasWagon(libraries)) {
      System.out.println("this Maven has no wagon: nothing is deployed with it");
      files.forEach((path, content) -> server.write(ROOT + path, content));
      return;
    }
    Path source = folder.resolve("Put.java");
    Files.writeString(source, PUT);
    List<String> command = new ArrayList<>(trust);
    command.addAll(List.of("-cp", libraries + "/*", source.toString()));
    command.addAll(List.of(server.url(ROOT), ServedStore.SECRET));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path sent = folder.resolve(file.getKey().replace('/', '_'));
      Files.write(sent, file.getValue());
      command.addAll(List.of(sent.toString(), file.getKey()));
    }
    java.run(Map.of(), "", command).ok();
  }

  private static boolean hasWagon(Path libraries) throws IOException {
    if (!Files.isDirectory(libraries)) {
      return false;
    }
    try (Stream<Path> all = Files.list(libraries)) {
      return all.anyMatch(jar -> jar.getFileName().toString().startsWith("wagon-http"));
    }
  }

  /** A store of certificates that Java's clients trust. */
  private static Path trusted(ServedStore server, Path java) throws Exception {
    Path trusted = server.folder().resolve("trusted.p12");
    Tool keytool = new Tool(java.resolve("bin").resolve("keytool"), server.folder());
    keytool
        .run(
            "-importcert",
            "-noprompt",
            "-alias",
            "authority",
            "-file",
            server.certificates().authority().toString(),
            "-keystore",
            trusted.toString(),
            "-storepass",
            PASSWORD)
        .ok();
    return trusted;
  }

  /** By the paths that repositories have; each with its checksum. */
  private static Map<String, byte[]> files() throws Exception {
    Map<String, byte[]> files = new LinkedHashMap<>();
    add(files, "org.example", "parent", "1.0", "pom");
    add(files, "org.example", "extension", "1.0", "jar");
    add(files, "org.codehaus.plexus", "plexus-utils", "1.1", "jar"); // each extension needs it
    return files;
  }

  private static void add(
      Map<String, byte[]> files, String group, String name, String version, String packaging)
      throws Exception {
    String path =
        "%s/%s/%s/%s-%s.".formatted(group.replace('.', '/'), name, version, name, version);
    String pom = POM.formatted(group, name, version, packaging);
    add(files, path + "pom", pom.getBytes(StandardCharsets.UTF_8));
    if (packaging.equals("jar")) {
      add(files, path + "jar", jar());
    }
  }

  private static void add(Map<String, byte[]> files, String path, byte[] content) throws Exception {
    files.put(path, content);
    String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(content));
    files.put(path + ".sha1", sum.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] jar() throws IOException {
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    try (JarOutputStream jar = new JarOutputStream(made, manifest)) {
      jar.putNextEntry(new ZipEntry("large.bin"));
      jar.write(ServedStore.LARGE);
    }
    return made.toByteArray();
  }
}
