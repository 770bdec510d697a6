package dev.leakline.lint.flow;

import dev.leakline.lint.names.CodeNames;
import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A class of the file: its methods, and what its attributes hold, of all its objects together. */
public final class ClassModel {
    /** Roles of a class by the classes that it extends. */
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
            Expr.Call call,
            FunctionModel function,
            @Nullable LoopModel loop) {}

    public final Stmt.ClassDef node;
    public final String name;
    public final List<String> bases;
    public final @Nullable FunctionModel outer;
    public final Map<String, FunctionModel> methods = new LinkedHashMap<>();
    public final Map<String, Slot> attributes = new LinkedHashMap<>();
    public final List<Instantiation> instantiations = new ArrayList<>();
    public Role role = Role.PLAIN;

    ClassModel(Stmt.ClassDef node, List<String> bases, @Nullable FunctionModel outer) {
        this.node = node;
        this.name = node.name();
        this.bases = bases;
        this.outer = outer;
    }

    /** The role of a class by a base that another file defines. */
    Role roleBy(String base) {
        String last = base.substring(base.lastIndexOf('.') + 1);
        if (last.equals("LightningModule")) {
            return Role.LIGHTNING;
        }
        if (base.startsWith("torch.nn.") || last.equals("Module") || last.equals("PreTrainedModel")) {
            return Role.MODULE;
        }
        if (last.endsWith("Dataset") || base.startsWith("torch.utils.data.")) {
            return Role.DATASET;
        }
        if (base.equals("torch.autograd.Function") || last.equals("Function") || last.equals("InplaceFunction")) {
            return Role.AUTOGRAD_FUNCTION;
        }
        if (last.endsWith("Trainer")) {
            return Role.TRAINER;
        }
        if (last.endsWith("Callback")) {
            return Role.CALLBACK;
        }
        if (last.endsWith("Exception") || last.endsWith("Error")) {
            return Role.EXCEPTION;
        }
        return methods.containsKey("forward") || CodeNames.isModuleBase(last) ? Role.MODULE : Role.PLAIN;
    }

    Slot attribute(String attribute) {
        return attributes.computeIfAbsent(attribute, key -> new Slot(this, key, true));
    }

    public boolean isModule() {
        return role == Role.MODULE || role == Role.LIGHTNING;
    }
}
