package dev.upcall.io.volume;

import dev.upcall.completion.Completion;
import dev.upcall.config.DiskKind;
import dev.upcall.io.Disk;
import java.io.IOException;
import java.nio.file.Path;

/** A process that opens a volume, says so, and holds it until it is killed or its input ends. */
final class VolumeHolder {
  private VolumeHolder() {}

  public static void main(String[] arguments) throws IOException {
    RealMachine machine = new RealMachine(NettyReactor.create());
    Completion<Disk> opened =
        machine.open(VolumeSpec.existing(Path.of(arguments[0]), DiskKind.AUTO), ResultFilter.NONE);
    System.out.println(opened instanceof Completion.Done<Disk> ? "holding" : opened.toString());
    System.out.flush();
    if (System.in.read() < 0) {
      Runtime.getRuntime().halt(0);
    }
  }
}
