package dev.upcall.cli.host;

import dev.upcall.base.HostWords;
import dev.upcall.cli.option.ExitCode;
import java.io.IOException;

/**
 * Results cannot be written: the command ends where it stands. Print streams pass it on, unlike an
 * {@link IOException}.
 */
public final class OutputFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** EPIPE in the words of the C library; Java has no other name for it. */
  private static final String READER_GONE = "Broken pipe";

  OutputFailed(String name, IOException cause) {
    super("cannot write to " + name + ": " + HostWords.of(cause), cause);
  }

  /** Whether the reader of a pipe has gone, as {@code head} does: nobody needs to be told. */
  public boolean isReaderGone() {
    return getCause() instanceof IOException cause && READER_GONE.equals(cause.getMessage());
  }

  /** How the command ends. */
  public int exitCode() {
    return isReaderGone() ? ExitCode.READER_GONE : ExitCode.FAILED;
  }
}
