package dev.upcall.metrics;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/** The class path of this JVM without some of its jars, in a loader that knows nothing else. */
final class PartialClassPath implements AutoCloseable {
  private final URLClassLoader loader;

  /** Leaves out all whose file name contains a text. */
  PartialClassPath(String without) {
    URL[] rest =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(entry -> !entry.getFileName().toString().contains(without))
            .map(PartialClassPath::url)
            .toArray(URL[]::new);
    loader = new URLClassLoader(rest, ClassLoader.getPlatformClassLoader());
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalArgumentException(entry.toString(), impossible);
    }
  }

  Class<?> load(String name) throws ClassNotFoundException {
    return loader.loadClass(name);
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
