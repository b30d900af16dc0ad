const collator = new Intl.Collator('ja', { numeric: true });

/** As people count: `第2章` before `第10章`; equal ones by their code units, so that the order is fixed. */
export function comparePaths(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : Number(a > b));
}
