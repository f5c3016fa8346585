package dev.upcall.cli.host;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream for results: a write that fails ends the command, by {@link OutputFailed}, and so does
 * each call behind it, the flush at the end of every command included.
 */
public final class ResultOutput extends FilterOutputStream {
  private final String name;
  private @Nullable OutputFailed failed;

  /**
   * Over a stream.
   *
   * @param name how a person calls where the results go
   */
  public ResultOutput(OutputStream target, String name) {
    super(target);
    this.name = name;
  }

  /** A call of the stream below. */
  private interface Call {
    void run() throws IOException;
  }

  private void call(Call call) {
    if (failed != null) {
      throw failed;
    }
    try {
      call.run();
    } catch (IOException refused) {
      failed = new OutputFailed(name, refused);
      throw failed;
    }
  }

  @Override
  public void write(int oneByte) {
    call(() -> out.write(oneByte));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    call(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() {
    call(out::flush);
  }
}
