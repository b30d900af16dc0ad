/**
 * Returns an amount of things, in English: `1 file`, `2 files`.
 *
 * @param amount - A number, or a text such as `2-7`.
 */
export function count(amount: number | string, noun: string): string {
  return String(amount) === '1' ? `1 ${noun}` : `${amount} ${noun}s`;
}
