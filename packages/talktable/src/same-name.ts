/** What names have in common that a reader could not tell apart. */
export function sameName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Whether a name stands in one line, and holds no control characters: logs and prompts show it so. */
export function isOneLine(name: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(name);
}
