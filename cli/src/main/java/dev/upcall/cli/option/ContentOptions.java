package dev.upcall.cli.option;

import dev.upcall.Engine;
import dev.upcall.UpcallConfig;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How new files are stored of which neither they nor their directory say it. */
public final class ContentOptions {
  @Option(
      names = "--compression",
      paramLabel = "none|fast|balanced",
      description =
          "How files are stored that are put while this runs, where neither they nor their"
              + " directory say it. Default: none.")
  @Nullable String compression;

  @Option(
      names = "--dedup",
      paramLabel = "none|file",
      description =
          "Whether such files share the blocks of others with the same content. Default: none.")
  @Nullable String dedup;

  /** A configuration with them. */
  public UpcallConfig in(UpcallConfig config) {
    if (compression == null && dedup == null) {
      return config;
    }
    if (config.engine() != Engine.FSM) {
      throw CommandFailure.usage("--compression and --dedup need the engine fsm");
    }
    ContentConfig content = config.limits().content();
    if (compression != null) {
      content = content.withCompression(degree(compression));
    }
    return config.withContent(dedup == null ? content : content.withDedup(sharing(dedup)));
  }

  /** A degree in a word. */
  public static Compression degree(String choice) {
    return Compression.parse(choice.getBytes(StandardCharsets.UTF_8))
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "compression is none, fast or balanced, not '" + choice + "'"));
  }

  /** The choice of what is shared, by its word. */
  public static Dedup sharing(String choice) {
    return Dedup.parse(choice.getBytes(StandardCharsets.UTF_8))
        .orElseThrow(() -> CommandFailure.usage("dedup is none or file, not '" + choice + "'"));
  }
}
