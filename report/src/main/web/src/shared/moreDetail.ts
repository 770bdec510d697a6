/** How to get a page that has more. */
export const MORE_DETAIL = "leakline report --html OUT.html --detail 20MiB FILE keeps more";
