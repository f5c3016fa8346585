package dev.upcall.txn.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of a batch: the body first, record by record as they are appended, and the head
 * last, so that no single upcall has to checksum a whole large batch.
 */
final class BodyCrc {
  private final CRC32C crc = new CRC32C();

  /** Takes in the next bytes of the body, position to limit. */
  void update(ByteBuffer bytes) {
    crc.update(bytes);
  }

  /** Takes in the head and gives the checksum. */
  int finish(ByteBuffer head) {
    crc.update(head);
    return (int) crc.getValue();
  }
}
