package dev.upcall.cli.host;

import dev.upcall.base.HostWords;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Standard input, whose errors say that it is it: the system's own words name no file. */
public final class StandardInput extends FilterInputStream {
  /** Over the process's. */
  public StandardInput(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (IOException refused) {
      throw named(refused);
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    try {
      return in.read(into, offset, length);
    } catch (IOException refused) {
      throw named(refused);
    }
  }

  private static IOException named(IOException refused) {
    return new IOException("cannot read standard input: " + HostWords.of(refused), refused);
  }
}
