/** A kind of secret and how to recognize it. */
export interface RedactionRule {
  /** Is written into the mark that replaces the secret: `[redacted:NAME]`. */
  readonly name: string;
  /** Says which secret it is, for readers of the table. */
  readonly what?: string | undefined;
  /**
   * Matches the secret. The group `secret`, or else the first group that matched, is what is redacted; without
   * one, the match. Flags: `g` and `d`, and not `y`; with `keywords`: `y` and `d`, and not `g`.
   */
  readonly pattern: RegExp;
  /**
   * A text without this one holds no such secret. Looking for it first is much faster than the pattern;
   * it is looked for as it stands, whatever the flags of the pattern. Ignored with `keywords`.
   */
  readonly literal?: string | undefined;
  /**
   * ASCII words of at least one character, in any case. The pattern is tried at the places of these words only,
   * which takes linear time as long as the pattern itself is bounded.
   */
  readonly keywords?: readonly string[] | undefined;
  /** Requires more bits of Shannon entropy a character of the secret than this. Default: none. */
  readonly entropy?: number | undefined;
  /** Judges a match by more than its pattern. */
  readonly accepts?: ((match: RegExpExecArray) => boolean) | undefined;
}

/** Groups of a pattern that are the secret; one for each way to write it. */
const SECRET_GROUPS = ['secret', 'double', 'single', 'back', 'bare'] as const;

/** Returns the part of a match that is secret, as offsets. */
export function secretOf(match: RegExpExecArray): readonly [start: number, end: number] {
  const { indices } = match;
  const groups = indices?.groups ?? {};
  for (const name of SECRET_GROUPS) {
    const found = groups[name];
    if (found) return found;
  }
  const from = groups['from'];
  const end = match.index + match[0].length;
  if (from) return [from[0], end];
  for (let group = 1; group < match.length; group++) {
    const found = indices?.[group];
    if (found) return found;
  }
  return [match.index, end];
}
