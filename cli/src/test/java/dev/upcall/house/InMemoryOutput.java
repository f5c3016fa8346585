package dev.upcall.house;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/** Where class files go that nobody wants. */
final class InMemoryOutput extends ForwardingJavaFileManager<JavaFileManager> {
  InMemoryOutput(JavaCompiler compiler) {
    super(compiler.getStandardFileManager(null, null, null));
  }

  @Override
  public JavaFileObject getJavaFileForOutput(
      Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
    return new SimpleJavaFileObject(URI.create("memory:///" + className + kind.extension), kind) {
      @Override
      public OutputStream openOutputStream() {
        return new ByteArrayOutputStream();
      }
    };
  }
}
