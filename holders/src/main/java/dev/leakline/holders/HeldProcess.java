package dev.leakline.holders;

import dev.leakline.objects.StorageColumns;
import dev.leakline.primitive.Ints;
import dev.leakline.result.Frame;
import dev.leakline.result.Holders;
import java.util.Set;

/**
 * The holders of a process and, for each storage of the last dump, its group.
 *
 * @param holders what is said
 * @param storages the storages of the last dump
 * @param collectCalls lines that called the garbage collector when it gave back device memory, by any dump
 * @param groups for each of those the number of its group in {@code holders}
 * @param isOver whether the last dump was made at the exit, when the program's functions had returned
 */
public record HeldProcess(
        Holders holders, StorageColumns storages, Set<Frame> collectCalls, Ints groups, boolean isOver) {}
