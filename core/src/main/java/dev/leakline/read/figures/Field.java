package dev.leakline.read.figures;

import org.jspecify.annotations.Nullable;

/**
 * What a name of a column or a key is: that of a figure, one with a role, or neither.
 *
 * @param figure what is measured, or null
 * @param role what it says of the figures beside it, or null
 */
record Field(@Nullable FigureName figure, @Nullable Role role) {
    /** A name that says nothing. */
    static final Field NONE = new Field(null, null);

    static Field of(String name) {
        Role role = Role.of(name);
        FigureName figure = role == null || role == Role.MONITOR ? FigureName.of(name) : null;
        return role == null && figure == null ? NONE : new Field(figure, role);
    }
}
