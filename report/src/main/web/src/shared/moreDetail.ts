/** How to get a page that has more. */
export const MORE_DETAIL = "leakline report --html with --detail 20MiB keeps more";
