package dev.upcall.cli.access;

import dev.upcall.cli.option.HelpOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code upcall access}. */
@Command(
    name = "access",
    description = {
      "Make tokens, and look at the rules of who may do what over HTTP.",
      "The rules are lines of a file, which serve --access FILE takes: token, cert, group and allow.",
    })
public final class AccessCommand implements Callable<Integer> {
  @Mixin HelpOption help = new HelpOption();
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: new NAME, list FILE, or check FILE PATH WHO");
  }
}
