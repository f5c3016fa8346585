package dev.upcall.cli.volume;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.TuningOptions;
import dev.upcall.cli.option.VolumeSizeOption;
import dev.upcall.cli.shell.Shell;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code upcall create}. */
@Command(
    name = "create",
    description = {
      "Make an empty store. A file must not exist yet.",
      "A block device must be blank: what has anything but zeros in its first MiB is refused. It is"
          + " taken whole, unless --volume-size says less.",
    })
public final class CreateCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();
  @Mixin TuningOptions tuning = new TuningOptions();
  @Mixin VolumeSizeOption volumeSize = new VolumeSizeOption();

  @Parameters(index = "0", paramLabel = "STORE", description = "A new file, or a block device.")
  Path named = Path.of("");

  private final Shell shell;

  public CreateCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    Path volume = shell.resolve(named).toAbsolutePath().normalize();
    StoreInfo made;
    try (Upcall store = Upcall.create(volume, volumeSize.in(tuning.config(shell::resolve)))) {
      made = store.info();
    } catch (UpcallException.AlreadyExists there) {
      throw CommandFailure.failed(
          "AlreadyExists", volume + " exists already; name another file, or remove it first");
    }
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeStringField("store", volume.toString());
            json.writeNumberField("sizeBytes", made.sizeBytes());
            json.writeNumberField("capBytes", made.capBytes());
          });
    } else {
      shell.say("made %s, which may grow to %s".formatted(volume, Sizes.show(made.capBytes())));
    }
    return ExitCode.OK;
  }
}
