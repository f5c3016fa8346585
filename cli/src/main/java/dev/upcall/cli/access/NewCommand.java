package dev.upcall.cli.access;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.shell.Shell;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.AccessSecret;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall access new}. */
@Command(
    name = "new",
    description = {
      "Make a token: write it, and the line that makes it known, and keep neither.",
      "It is sent as Bearer, or as the password of Basic with any user name.",
    })
public final class NewCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();

  @Parameters(index = "0", paramLabel = "NAME", description = "The name of its owner in rules.")
  String name = "";

  @Option(
      names = "--expires",
      paramLabel = "DATE",
      description = "From when on it counts no longer, in UTC: 2027-01-31 or 2027-01-31T12:00:00Z.")
  @Nullable String expires;

  private final Shell shell;
  private final RandomGenerator random;

  /** With random numbers for secrets. */
  public NewCommand(Shell shell) {
    this(shell, new SecureRandom());
  }

  NewCommand(Shell shell, RandomGenerator random) {
    this.shell = shell;
    this.random = random;
  }

  @Override
  public Integer call() throws IOException {
    String secret = AccessSecret.create(random);
    String digest = HexFormat.of().formatHex(AccessSecret.digest(secret));
    String line =
        "token %s sha256:%s%s"
            .formatted(name, digest, expires == null ? "" : " expires " + expires);
    if (AccessRules.parse("line", line) instanceof Completion.Failed<AccessRules>(Failure wrong)) {
      throw CommandFailure.usage(wrong.message().replace("line:1: ", ""));
    }
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeStringField("name", name);
            json.writeStringField("secret", secret);
            json.writeStringField("line", line);
          });
    } else {
      shell.out().println(secret);
      shell.out().println(line);
    }
    return ExitCode.OK;
  }
}
