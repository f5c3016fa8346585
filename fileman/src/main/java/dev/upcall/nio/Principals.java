package dev.upcall.nio;

import java.io.IOException;
import java.nio.file.ProviderMismatchException;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Objects;

/**
 * Users and groups: a store keeps numbers, and their names are these numbers in decimal. Nothing is
 * enforced.
 */
final class Principals extends UserPrincipalLookupService {
  private static final long LOW = 0xffff_ffffL;

  /** A user. */
  record User(int id) implements UserPrincipal {
    @Override
    public String getName() {
      return Integer.toUnsignedString(id);
    }

    @Override
    public String toString() {
      return getName();
    }
  }

  /** A group. */
  record Group(int id) implements GroupPrincipal {
    @Override
    public String getName() {
      return Integer.toUnsignedString(id);
    }

    @Override
    public String toString() {
      return getName();
    }
  }

  /** The user of what a store keeps as owner. */
  static User user(long owner) {
    return new User((int) owner);
  }

  /** The group of what a store keeps as owner. */
  static Group group(long owner) {
    return new Group((int) (owner >>> 32));
  }

  /** An owner with another user. */
  static long withUser(long owner, UserPrincipal user) {
    if (Objects.requireNonNull(user, "owner") instanceof User ours) {
      return (owner & ~LOW) | (ours.id() & LOW);
    }
    throw new ProviderMismatchException("a user of another file system: " + user);
  }

  /** An owner with another group. */
  static long withGroup(long owner, GroupPrincipal group) {
    if (Objects.requireNonNull(group, "group") instanceof Group ours) {
      return (owner & LOW) | (ours.id() & LOW) << 32;
    }
    throw new ProviderMismatchException("a group of another file system: " + group);
  }

  @Override
  public UserPrincipal lookupPrincipalByName(String name) throws IOException {
    return new User(number(name));
  }

  @Override
  public GroupPrincipal lookupPrincipalByGroupName(String group) throws IOException {
    return new Group(number(group));
  }

  private static int number(String name) throws UserPrincipalNotFoundException {
    try {
      return Integer.parseUnsignedInt(Objects.requireNonNull(name, "name"));
    } catch (NumberFormatException noNumber) {
      UserPrincipalNotFoundException unknown = new UserPrincipalNotFoundException(name);
      unknown.initCause(noNumber);
      throw unknown;
    }
  }
}
