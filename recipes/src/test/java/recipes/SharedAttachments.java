package recipes;

import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.config.Dedup;
import dev.upcall.store.StoreInfo;
import java.nio.file.Path;

/** Attachments that many letters bring, stored once. */
public final class SharedAttachments {
  // begin
  private final Upcall store;

  /** A file that is put below this directory shares what is there already. */
  void openMailbox(String path) {
    store.createDirectories(path);
    store.setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withDedup(Dedup.FILE));
  }

  /** A letter's attachment; it can be changed or deleted like any other file. */
  void receive(String mailbox, int letter, byte[] attachment) {
    store.write(mailbox + "/" + letter, attachment);
  }

  // end

  private SharedAttachments(Upcall store) {
    this.store = store;
  }

  private long usedBytes() {
    store.checkpoint();
    StoreInfo info = store.info();
    return info.sizeBytes() - info.freeBytes();
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    byte[] film = new byte[1 << 20];
    for (int i = 0; i < film.length; i++) {
      film[i] = (byte) (i * 31 + i / 977);
    }
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      SharedAttachments mail = new SharedAttachments(store);
      mail.openMailbox("/mail");
      mail.receive("/mail", 1, film);
      long one = mail.usedBytes();
      for (int letter = 2; letter <= 9; letter++) {
        mail.receive("/mail", letter, film);
      }
      long more = mail.usedBytes() - one;
      System.out.println("eight more take less than one: " + (more < film.length));
      store.delete("/mail/1");
      System.out.println("the last has " + store.readAllBytes("/mail/9").length + " bytes");
    }
  }
}
