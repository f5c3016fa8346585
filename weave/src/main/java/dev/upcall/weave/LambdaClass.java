package dev.upcall.weave;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.MethodTypeDesc;

/**
 * The class of a lambda or method reference, as {@link java.lang.invoke.LambdaMetafactory} would
 * make it: its fields are what it captures, its one method calls the code that {@code javac} has
 * laid out. It is a member of its host's nest, because that code is private.
 */
final class LambdaClass {
  /** Where the only one is that captures nothing. */
  static final String INSTANCE = "INSTANCE";

  /** The method that makes one of what it captures. */
  static final String FACTORY = "of";

  private static final String BOOTSTRAP = "java.lang.invoke.LambdaMetafactory";
  private static final int HIDDEN_FINAL =
      ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC;

  private final ClassDesc host;
  private final ClassDesc outermost;
  private final ClassDesc name;
  private final String methodName;
  private final MethodTypeDesc factory;
  private final MethodTypeDesc erased;
  private final DirectMethodHandleDesc code;
  private final MethodTypeDesc instantiated;

  LambdaClass(ClassDesc host, ClassDesc outermost, ClassDesc name, InvokeDynamicInstruction call) {
    this.host = host;
    this.outermost = outermost;
    this.name = name;
    this.methodName = call.name().stringValue();
    this.factory = call.typeSymbol();
    this.erased = (MethodTypeDesc) call.bootstrapArgs().get(0);
    this.code = (DirectMethodHandleDesc) call.bootstrapArgs().get(1);
    this.instantiated = (MethodTypeDesc) call.bootstrapArgs().get(2);
  }

  /** Is it a lambda without bridges, marker interfaces or a serial form? */
  static boolean isMadeOf(InvokeDynamicInstruction call) {
    return call.bootstrapMethod().owner().equals(ClassDesc.of(BOOTSTRAP))
        && call.bootstrapMethod().methodName().equals("metafactory");
  }

  ClassDesc name() {
    return name;
  }

  ClassDesc interfaceName() {
    return factory.returnType();
  }

  boolean capturesNothing() {
    return factory.parameterCount() == 0;
  }

  byte[] bytes() {
    return ClassFile.of()
        .build(
            name,
            type -> {
              type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_SUPER);
              type.withInterfaceSymbols(interfaceName());
              type.with(NestHostAttribute.of(outermost));
              addConstructor(type);
              if (capturesNothing()) {
                addInstance(type);
              } else {
                addFactory(type);
              }
              type.withMethodBody(
                  methodName,
                  erased,
                  ClassFile.ACC_PUBLIC | ClassFile.ACC_SYNTHETIC,
                  this::addCall);
            });
  }

  private MethodTypeDesc constructorType() {
    return factory.changeReturnType(ConstantDescs.CD_void);
  }

  private void addConstructor(ClassBuilder type) {
    for (int i = 0; i < factory.parameterCount(); i++) {
      type.withField(captured(i), factory.parameterType(i), HIDDEN_FINAL);
    }
    type.withMethodBody(
        ConstantDescs.INIT_NAME,
        constructorType(),
        ClassFile.ACC_PRIVATE | ClassFile.ACC_SYNTHETIC,
        body -> {
          body.aload(0)
              .invokespecial(
                  ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
          for (int i = 0; i < factory.parameterCount(); i++) {
            ClassDesc field = factory.parameterType(i);
            body.aload(0).loadLocal(TypeKind.from(field), body.parameterSlot(i));
            body.putfield(name, captured(i), field);
          }
          body.return_();
        });
  }

  private void addInstance(ClassBuilder type) {
    type.withField(
        INSTANCE,
        interfaceName(),
        ClassFile.ACC_STATIC | ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
    type.withMethodBody(
        ConstantDescs.CLASS_INIT_NAME,
        ConstantDescs.MTD_void,
        ClassFile.ACC_STATIC,
        body ->
            body.new_(name)
                .dup()
                .invokespecial(name, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                .putstatic(name, INSTANCE, interfaceName())
                .return_());
  }

  private void addFactory(ClassBuilder type) {
    type.withMethodBody(
        FACTORY,
        factory,
        ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
        body -> {
          body.new_(name).dup();
          for (int i = 0; i < factory.parameterCount(); i++) {
            body.loadLocal(TypeKind.from(factory.parameterType(i)), body.parameterSlot(i));
          }
          body.invokespecial(name, ConstantDescs.INIT_NAME, constructorType()).areturn();
        });
  }

  /** Calls the lambda's code: with what was captured, then with the arguments. */
  private void addCall(CodeBuilder body) {
    boolean constructs = code.kind() == Kind.CONSTRUCTOR;
    if (constructs) {
      body.new_(code.owner()).dup();
    }
    for (int i = 0; i < factory.parameterCount(); i++) {
      body.aload(0).getfield(name, captured(i), factory.parameterType(i));
    }
    // What the code is called with: its receiver, if it has one, and its parameters.
    MethodTypeDesc called = code.invocationType();
    int first = factory.parameterCount();
    for (int i = 0; i < erased.parameterCount(); i++) {
      ClassDesc argument = erased.parameterType(i);
      body.loadLocal(TypeKind.from(argument), body.parameterSlot(i));
      Conversion.convert(
          body, argument, instantiated.parameterType(i), called.parameterType(first + i));
    }
    call(body);
    ClassDesc given = constructs ? code.owner() : called.returnType();
    if (erased.returnType().equals(ConstantDescs.CD_void)) {
      Conversion.drop(body, given);
    } else {
      Conversion.convert(body, given, erased.returnType(), erased.returnType());
    }
    body.return_(TypeKind.from(erased.returnType()));
  }

  private void call(CodeBuilder body) {
    ClassDesc owner = code.owner();
    String method = code.methodName();
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(code.lookupDescriptor());
    switch (code.kind()) {
      case STATIC -> body.invokestatic(owner, method, type, false);
      case INTERFACE_STATIC -> body.invokestatic(owner, method, type, true);
      case VIRTUAL -> body.invokevirtual(owner, method, type);
      case INTERFACE_VIRTUAL -> body.invokeinterface(owner, method, type);
      case CONSTRUCTOR -> body.invokespecial(owner, ConstantDescs.INIT_NAME, type);
      case SPECIAL -> {
        // Private code of the host's own; a method of its superclass javac calls from such code.
        require(owner.equals(host));
        body.invokevirtual(owner, method, type);
      }
      case INTERFACE_SPECIAL -> {
        require(owner.equals(host));
        body.invokeinterface(owner, method, type);
      }
      default -> require(false);
    }
  }

  private void require(boolean known) {
    if (!known) {
      throw new IllegalStateException(
          "cannot make a class of the lambda %s in %s: no call is known for %s"
              .formatted(methodName, host.displayName(), code));
    }
  }

  private static String captured(int index) {
    return "captured" + index;
  }
}
