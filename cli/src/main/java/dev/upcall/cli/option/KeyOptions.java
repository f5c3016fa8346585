package dev.upcall.cli.option;

import dev.upcall.UpcallConfig;
import dev.upcall.config.KeySource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the key of an encrypted store comes from; no option takes a key itself. */
public final class KeyOptions {
  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "The store is encrypted, and this file has its key: 32 random bytes or more that only you"
              + " may read. A store that is made gets encrypted.")
  public @Nullable Path keyFile;

  @Option(
      names = "--key-command",
      paramLabel = "COMMAND",
      description = "The same; the key is what this command of the shell writes.")
  public @Nullable String keyCommand;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "The same; the file has a passphrase.")
  public @Nullable Path passphraseFile;

  /** A configuration with the key, or without where none was named. */
  public UpcallConfig in(UpcallConfig config, UnaryOperator<Path> host) {
    KeySource source =
        source(
            keyFile == null ? null : host.apply(keyFile),
            keyCommand,
            passphraseFile == null ? null : host.apply(passphraseFile),
            "--key-file, --key-command, --passphrase-file");
    return source == null ? config : config.withKey(source);
  }

  /** The only one that is named; null where none is. */
  public static @Nullable KeySource source(
      @Nullable Path keyFile,
      @Nullable String keyCommand,
      @Nullable Path passphraseFile,
      String names) {
    List<KeySource> named = new ArrayList<>();
    if (keyFile != null) {
      named.add(KeySource.ofFile(keyFile));
    }
    if (keyCommand != null) {
      named.add(KeySource.ofCommand(keyCommand));
    }
    if (passphraseFile != null) {
      named.add(KeySource.ofPassphraseFile(passphraseFile));
    }
    if (named.size() > 1) {
      throw CommandFailure.usage("give one of " + names);
    }
    return named.isEmpty() ? null : named.getFirst();
  }
}
