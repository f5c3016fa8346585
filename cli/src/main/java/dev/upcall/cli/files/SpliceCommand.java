package dev.upcall.cli.files;

import dev.upcall.Upcall;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.trees.TreeProgress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall splice}. */
@Command(
    name = "splice",
    description =
        "Put bytes into the middle of a file, or in the place of others; what lies behind moves,"
            + " without being copied.")
public final class SpliceCommand extends EditingCommand {
  private static final int PIECE_BYTES = 256 << 10;

  @Parameters(
      index = "1",
      paramLabel = "FILE|-",
      description = "What to put in; - is standard input.")
  String source = "";

  @Option(
      names = "--remove",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "So many bytes from there on give way; default: none.")
  Long removed = 0L;

  private InputStream content = InputStream.nullInputStream();
  private long contentBytes;

  public SpliceCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected Shell given() throws IOException {
    Shell reading = shell.reading(source);
    content = reading.in();
    contentBytes = reading.named().inputBytes();
    return reading;
  }

  @Override
  void edit(Upcall.RandomAccess file) throws IOException {
    TreeProgress meter = new TreeProgress();
    if (contentBytes >= 0) {
      meter.totals(1, contentBytes);
    }
    try (InputStream bytes = content;
        ProgressLine _ = new ProgressLine(shell, "splice", meter)) {
      // First, so that a range that is none is refused before anything is read.
      file.cut(offset, removed);
      byte[] piece = new byte[PIECE_BYTES];
      long at = offset;
      for (int got = bytes.readNBytes(piece, 0, piece.length);
          got > 0;
          got = bytes.readNBytes(piece, 0, piece.length)) {
        shell.stop().endIfAsked();
        file.insert(at, ByteBuffer.wrap(piece, 0, got));
        at += got;
        meter.bytes(got);
      }
    }
  }
}
