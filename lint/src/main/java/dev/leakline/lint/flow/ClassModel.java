package dev.leakline.lint.flow;

import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A class of the file: its methods, and what its attributes hold, of all its objects together. */
public final class ClassModel {
    /** What a class is by the classes that it extends. */
    public enum Role {
        PLAIN,
        MODULE,
        LIGHTNING,
        DATASET,
        AUTOGRAD_FUNCTION,
        TRAINER,
        CALLBACK,
        EXCEPTION
    }

    /** Where an object of it is made. */
    public record Instantiation(
            Syntax call, FunctionModel function, @Nullable LoopModel loop) {}

    public final Syntax node;
    public final String name;
    public final List<String> bases;
    public final @Nullable FunctionModel outer;
    public final Map<String, FunctionModel> methods = new LinkedHashMap<>();
    public final Map<String, Slot> attributes = new LinkedHashMap<>();
    public final List<Instantiation> instantiations = new ArrayList<>();
    public Role role = Role.PLAIN;

    ClassModel(Syntax node, String name, List<String> bases, @Nullable FunctionModel outer) {
        this.node = node;
        this.name = name;
        this.bases = bases;
        this.outer = outer;
    }

    Slot attribute(String attribute) {
        return attributes.computeIfAbsent(attribute, key -> new Slot(this, key, true));
    }

    public boolean isModule() {
        return role == Role.MODULE || role == Role.LIGHTNING;
    }
}
