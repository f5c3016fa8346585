package dev.upcall.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Expiry;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What calls of the file system leave in the store beside content, as its other doors see it. */
class StoredMetadataTest {
  @TempDir Path folder;

  private Upcall store(String name) {
    return Upcall.create(folder.resolve(name), UpcallConfig.DEFAULT.withMemoryBytes(16L << 20));
  }

  @Test
  void names_ofTheHiddenDirectory_areRefusedAtEachDoor() throws IOException {
    try (Upcall store = store("s")) {
      assertThrows(
          UpcallException.Invalid.class, () -> store.write("/.upcall-unlinked/x", new byte[1]));
      assertThrows(UpcallException.Invalid.class, () -> store.createDirectory("/.upcall-unlinked"));
      Path hidden = store.fileSystem().getPath("/.upcall-unlinked");
      assertThrows(NoSuchFileException.class, () -> Files.createDirectory(hidden));
      assertThrows(NoSuchFileException.class, () -> Files.writeString(hidden, "x"));
      assertFalse(store.exists("/.upcall-unlinked"));
    }
  }

  @Test
  void copy_withoutAttributes_isOfWhoCopies() throws IOException {
    try (Upcall store = store("s")) {
      FileSystem system = store.fileSystem();
      Path file = Files.writeString(system.getPath("/f"), "text");
      Path directory = Files.createDirectory(system.getPath("/d"));
      UserPrincipal somebody = system.getUserPrincipalLookupService().lookupPrincipalByName("1000");
      for (Path each : List.of(file, directory)) {
        UserPrincipal maker = Files.getOwner(each);
        Files.setOwner(each, somebody);
        store.setMetadata(
            each.toString(),
            LinkPolicy.FOLLOW,
            MetadataChange.NONE.withMode(06755).withOwner(1000));
        Path plain = Files.copy(each, system.getPath(each + "-plain"));
        Path exact =
            Files.copy(each, system.getPath(each + "-exact"), StandardCopyOption.COPY_ATTRIBUTES);
        assertEquals(maker, Files.getOwner(plain));
        assertEquals(0755, store.stat(plain.toString()).mode(), plain::toString);
        assertEquals(somebody, Files.getOwner(exact));
        assertEquals(06755, store.stat(exact.toString()).mode(), exact::toString);
      }
    }
  }

  @Test
  void truncateExisting_ofAnEmptyFileThatExpires_keepsTheExpiry() throws IOException {
    try (Upcall store = store("s")) {
      Path file = Files.createFile(store.fileSystem().getPath("/f"));
      Instant moment = Instant.parse("2200-01-01T00:00:00Z");
      store.setMetadata("/f", LinkPolicy.FOLLOW, MetadataChange.NONE.withExpiry(Expiry.at(moment)));
      long before = store.stat("/f").id();
      Files.write(file, new byte[0]);
      assertEquals(moment, store.stat("/f").times().expires().orElseThrow());
      assertEquals(before, store.stat("/f").id());
    }
  }

  @Test
  void copy_betweenStoresByAnInterruptedThread_isWhole() throws IOException {
    try (Upcall one = store("one");
        Upcall two = store("two")) {
      byte[] content = new byte[700_000];
      Path from = Files.write(one.fileSystem().getPath("/f"), content);
      Path to = two.fileSystem().getPath("/f");
      boolean flag;
      Thread.currentThread().interrupt();
      try {
        Files.copy(from, to);
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        flag = Thread.interrupted();
      }
      assertTrue(flag);
      assertEquals(content.length, Files.size(to));
      assertFalse(Files.exists(from));
    }
  }
}
