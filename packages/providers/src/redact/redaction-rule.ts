/** A kind of secret and how to recognize it. */
export interface RedactionRule {
  /** Is written into the mark that replaces the secret: `[redacted:NAME]`. */
  readonly name: string;
  /** Says which secret it is, for readers of the table. */
  readonly what?: string | undefined;
  /**
   * Matches the secret. The first group is what is redacted; without one, the match. Flags: `g` and `d`, and not
   * `y`. With `keywords`: `y`, and not `g`, and the group has the name `secret`.
   */
  readonly pattern: RegExp;
  /**
   * A text without this one holds no such secret. Looking for it first is much faster than the pattern;
   * it is looked for as it is, whatever the flags of the pattern. Ignored with `keywords`.
   */
  readonly literal?: string | undefined;
  /**
   * ASCII words of at least one character, in any case. The pattern is tried at the places of these words only,
   * which takes linear time as long as the pattern itself is bounded.
   */
  readonly keywords?: readonly string[] | undefined;
  /**
   * With `keywords`: the fewest characters from the keyword on, without white space, quotes, `<` and `>`. With `find`: a
   * text without as many characters next to each other that are no white space holds no such secret. Default: 0.
   */
  readonly minLength?: number | undefined;
  /** With `keywords`: they are part of a name that is given a value, as in `NAME_KEY=`. Default: no. */
  readonly isAssigned?: boolean | undefined;
  /** With `isAssigned`: the fewest letters, digits and `+/=_-` that a value begins with. Default: 0. */
  readonly minValue?: number | undefined;
  /** Requires more bits of Shannon entropy a character of the secret than this. Default: none. */
  readonly entropy?: number | undefined;
  /**
   * Checks the text before a keyword; the pattern is not tried where it returns false. A rule that has it needs
   * `keywords`.
   */
  readonly mayFollow?: ((text: string, keyword: number) => boolean) | undefined;
  /** With `keywords`: judges the secret by more than the pattern. */
  readonly is?: ((secret: string) => boolean) | undefined;
  /** Judges a match by more than its pattern. */
  readonly accepts?: ((match: RegExpExecArray) => boolean) | undefined;
  /**
   * Finds all secrets of a text instead of the pattern, which says what they look like. Escapes are decoded before,
   * unless the rule has a `literal`. Takes time in line with the length of the text. Ignored with `keywords`.
   * A part for which `isFound` returns true need not be judged, as other rules found it; call it in ascending order.
   */
  readonly find?: ((text: string, isFound: IsFound) => readonly Offsets[]) | undefined;
  /**
   * With `keywords`: returns the offsets of the secret after what the pattern matches, from the keyword up to `end`,
   * or nothing if there is none. Neither `is` nor `accepts` are asked.
   */
  readonly secretAfter?:
    | ((text: string, keyword: number, end: number) => Offsets | undefined)
    | undefined;
  /**
   * With `keywords`: returns the offsets of all secrets that what the pattern matches announces, such as those of a
   * column below its heading, or nothing if it announces none. Takes time in line with the length of the text, however
   * many keywords are in it.
   */
  readonly secretsAfter?:
    | ((text: string, keyword: number, end: number) => readonly Offsets[] | undefined)
    | undefined;
  /**
   * With `secretAfter`, or where the match is the secret: returns what is faster than the pattern and the same, from a
   * keyword and the offset after it: the offset after the match, -1 for none, or nothing if the pattern must be asked.
   * With `secretsAfter` and groups: -1 or nothing.
   */
  readonly skim?: ((text: string, keyword: number, end: number) => number | undefined) | undefined;
}

/** A secret that was removed. */
export interface Redaction {
  /** The name of the rule, or `entropy`. */
  readonly rule: string;
  /** UTF-16 offset of its first character in the text that was given. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
}

/** Checks whether a part of a text, from its start to the offset after it, is removed already. */
export type IsFound = (start: number, end: number) => boolean;

/** Where a secret begins, and the offset after it. */
export type Offsets = readonly [start: number, end: number];

/**
 * Clears the texts that rules cached, at the end of the call of `redact` in progress. Rules cache the text that they read
 * last, which has the secrets; they add what clears it when their cache is empty.
 */
export const heldTexts: Set<() => void> = new Set();

/** Groups of a pattern at a keyword that are the secret; one for each way to write it. */
const SECRET_GROUPS = new Set(['secret', 'double', 'single', 'back', 'bare']);

/** Which groups of a pattern at a keyword are the secret, and which one finds its beginning before it. */
export interface SecretGroups {
  readonly secrets: readonly number[];
  readonly from: number | undefined;
  /** True if there are none: the secret is the match. */
  readonly isWhole: boolean;
}

/** Returns the numbers of groups: looking for them by name costs more than most patterns. */
export function secretGroupsOf({ source }: RegExp): SecretGroups {
  const names = [...source.matchAll(GROUP)].flatMap(({ 0: piece, 1: name = '' }) =>
    piece.startsWith('(') ? [name] : [],
  );
  const from = names.indexOf('from');
  const secrets = names.flatMap((name, index) => (SECRET_GROUPS.has(name) ? [index + 1] : []));
  return {
    secrets,
    from: from < 0 ? undefined : from + 1,
    isWhole: secrets.length === 0 && from < 0,
  };
}

/** Returns a pattern whose groups have no names, which cost more than most matches. */
export function withoutNames(pattern: RegExp): RegExp {
  const { source, flags } = pattern;
  if (/\\k</.test(source)) return pattern;
  const unnamed = source.replaceAll(GROUP, (piece: string) =>
    piece.startsWith('(?<') ? '(' : piece,
  );
  return unnamed === source ? pattern : new RegExp(unnamed, flags);
}

/** An escaped character, a class of characters, or what opens a group that is counted. */
const GROUP = /\\[^]|\[(?:\\[^]|[^\]])*\]|\((?:(?!\?)|\?<(?![=!])([^>]+)>)/g;

/**
 * Returns the secret in a match at a keyword, as offsets: what is in a group, or the match with what a group
 * `from` in a lookbehind found before it. A group is looked for from the end: at most a quote follows it.
 */
export function secretAtKeyword(match: RegExpExecArray, { secrets, from }: SecretGroups): Offsets {
  const { index, 0: whole } = match;
  for (const group of secrets) {
    const secret = match[group];
    if (secret === undefined) continue;
    const start = index + whole.lastIndexOf(secret);
    return [start, start + secret.length];
  }
  const before = from === undefined ? 0 : (match[from]?.length ?? 0);
  return [index - before, index + whole.length];
}

/** Returns the secret in a match of a pattern that is looked for everywhere, as offsets. */
export function secretOf({ index, indices, 0: whole }: RegExpExecArray): Offsets {
  return indices?.[1] ?? [index, index + whole.length];
}
