/**
 * Returns the exports of a package in CommonJS that was imported when it was needed. Node and most bundlers give them by
 * name; esbuild with `--splitting` has only `default`.
 *
 * @example
 * ```ts
 * const { parse } = exportsOf(await import('yaml'));
 * ```
 */
export function exportsOf<Exports extends object>(imported: Exports): Exports {
  const [name, another] = Object.keys(imported);
  if (name !== 'default' || another !== undefined || !('default' in imported)) return imported;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `module.exports`, which has the names
  return imported.default as Exports;
}
