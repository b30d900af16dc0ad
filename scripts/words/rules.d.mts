interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  /** A better form. */
  readonly say: string;
  readonly banned: readonly string[];
  readonly fine: readonly string[];
}
export const RULES: readonly Rule[];
export function bannedIn(text: string): {
  readonly rule: Rule;
  readonly at: number;
  readonly found: string;
}[];
