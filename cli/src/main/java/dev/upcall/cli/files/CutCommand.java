package dev.upcall.cli.files;

import dev.upcall.Upcall;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.shell.Shell;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code upcall cut}. */
@Command(
    name = "cut",
    description = "Cut a range out of a file; what lies behind moves up, without being copied.")
public final class CutCommand extends EditingCommand {
  @Option(
      names = "--length",
      paramLabel = "SIZE",
      converter = Sizes.class,
      required = true,
      description = "How many bytes go.")
  Long length = 0L;

  public CutCommand(Shell shell) {
    super(shell);
  }

  @Override
  void edit(Upcall.RandomAccess file) {
    file.cut(offset, length);
  }
}
