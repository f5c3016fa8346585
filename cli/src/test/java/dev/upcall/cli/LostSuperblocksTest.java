package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.option.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A volume whose first two blocks, copies of its superblock, were overwritten. */
class LostSuperblocksTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);

  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void create() {
    shell = new TestShell(here);
    try (Upcall store = Upcall.create(here.resolve("s.upcall"), SMALL)) {
      store.write("/a", new byte[] {1});
    }
  }

  private void overwrite(byte with) throws IOException {
    byte[] blocks = new byte[2 * 4096];
    Arrays.fill(blocks, with);
    try (FileChannel channel =
        FileChannel.open(here.resolve("s.upcall"), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(blocks), 0);
    }
  }

  private void verified(int code, String words, String... more) {
    String[] args = new String[2 + more.length];
    args[0] = "verify";
    args[1] = "--store=s.upcall";
    System.arraycopy(more, 0, args, 2, more.length);
    assertEquals(code, shell.run(args), shell::err);
    assertTrue(shell.err().contains(words), shell::err);
  }

  @Test
  void verify_ofZerosAtTheFront_saysSoUntilAChangeMendsThem() throws IOException {
    verified(ExitCode.OK, "sound");
    overwrite((byte) 0);
    verified(ExitCode.PARTLY, "something else in the places of [0, 1]");
    assertEquals(ExitCode.OK, shell.run("mkdir", "/b", "--store=s.upcall"), shell::err);
    assertTrue(shell.err().contains("they are made anew"), shell::err);
    verified(ExitCode.OK, "sound");
  }

  @Test
  void verify_ofForeignBytesAtTheFront_saysSo() throws IOException {
    overwrite((byte) 'x');
    verified(ExitCode.PARTLY, "hold something else", "--read-only");
  }
}
