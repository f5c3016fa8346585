package dev.upcall.cli.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FileManager;
import dev.upcall.StorePath;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fileman.blocking.LimitList;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.ResponseGenerator;
import dev.upcall.httpd.Status;
import dev.upcall.store.Limit;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * {@code /limits}, in front of the other pages: what may be asked of a store, and what happens
 * beyond. The fields are those of {@code upcall config --limits --json}, without where a value
 * comes from. Dispatcher's thread only.
 */
public final class LimitsPage implements ResponseGenerator {
  private static final String INDEX =
      """
      /limits    what may be asked of the store: each limit, its value, what happens beyond
      """;

  private final AdminPages others;
  private final FileManager files;
  private final UpcallConfig config;

  /**
   * The page of a store.
   *
   * @param others answer what else is asked
   * @param config what the store was opened with
   */
  public LimitsPage(AdminPages others, FileManager files, UpcallConfig config) {
    this.others = others;
    this.files = files;
    this.config = config;
  }

  @Override
  public void answer(StorePath path, CompletionPort<GeneratedResponse> port) {
    switch (path.toString()) {
      case "/" -> done(AdminPages.index(INDEX), port);
      case "/limits" -> done(page(files.store().info()), port);
      default -> others.answer(path, port);
    }
  }

  private void done(GeneratedResponse page, CompletionPort<GeneratedResponse> port) {
    files.dispatcher().complete(port, Completion.done(page));
  }

  private GeneratedResponse page(StoreInfo info) {
    List<Limit> limits = LimitList.of(config, info.capBytes());
    return JsonPage.of(
        Status.OK,
        json -> {
          Health.carriers(json, info, others.sockets());
          json.writeArrayFieldStart("limits");
          for (Limit limit : limits) {
            write(json, limit);
          }
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, Limit limit) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", limit.name());
    json.writeNumberField("value", limit.value());
    json.writeNumberField("usual", limit.usual());
    json.writeStringField("unit", limit.unit().name().toLowerCase(Locale.ROOT));
    json.writeStringField("beyond", limit.beyond().words().replace("`", ""));
    json.writeStringField("meaning", limit.meaning().replace("`", ""));
    json.writeEndObject();
  }
}
