import { privateParts } from './private-parts.ts';
import { defaultRedactionRules, privateRule, type RedactionRule } from './rules.ts';
import { hasSign, SIGNED_RULES } from './signs.ts';

/** Options of {@link redact}. */
export interface RedactOptions {
  /** Default: {@link defaultRedactionRules}. Extend them by `[...defaultRedactionRules, own]`. */
  readonly rules?: readonly RedactionRule[];
  /**
   * Also takes out runs of 20 or more letters, digits and `+/_-` with more than this many bits of
   * Shannon entropy a character; 4.5 is a good start. Default: off, as it also hits hashes and ids.
   */
  readonly entropy?: number;
}

/** A secret that was taken out. */
export interface Redaction {
  /** The name of the rule, or `entropy`. */
  readonly rule: string;
  /** UTF-16 offset of its first character in the text that was given. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
}

/** The text without its secrets, and what was taken out. */
export interface RedactResult {
  readonly text: string;
  readonly redactions: readonly Redaction[];
}

const DENSE_RUN = /[A-Za-z0-9+/_-]{20,}/g;

/**
 * Replaces secrets by marks such as `[redacted:github-token]`: known formats, and everything
 * between `<private>`, with attributes or not, and its matching `</private>`, or the end of the text if that
 * is missing. Where finds overlap, all that they cover is taken out, in the name of the earlier and then the longer one. Redacting a
 * redacted text changes nothing.
 *
 * @throws RangeError that names the rule if the flags of its pattern are not `g` and `d`.
 *
 * @example
 * ```ts
 * redact('key: ghp_0123456789abcdef0123456789abcdef0123').text; // 'key: [redacted:github-token]'
 * ```
 */
export function redact(text: string, options: RedactOptions = {}): RedactResult {
  const { rules = defaultRedactionRules, entropy } = options;
  const found: Redaction[] = [];
  let isSigned: boolean | undefined;
  for (const rule of rules) {
    if (!SIGNED_RULES.has(rule)) assertFlags(rule.name, rule.pattern);
    else if (!(isSigned ??= hasSign(text))) continue;
    if (rule.literal !== undefined && !text.includes(rule.literal)) continue;
    for (const { start, end } of rule === privateRule ? privateParts(text) : matches(text, rule)) {
      if (end <= start || isMark(text.slice(start, end))) continue;
      found.push({ rule: rule.name, start, end });
    }
  }
  if (entropy !== undefined) {
    for (const match of text.matchAll(DENSE_RUN)) {
      if (bitsPerCharacter(match[0]) <= entropy) continue;
      found.push({ rule: 'entropy', start: match.index, end: match.index + match[0].length });
    }
  }
  if (found.length === 0) return { text, redactions: [] };
  return replace(
    text,
    found.toSorted((a, b) => a.start - b.start || b.end - a.end),
  );
}

/** Patterns with the right flags: reading them takes longer than many a pattern takes for a text. */
const checked = new WeakSet<RegExp>();

function assertFlags(name: string, pattern: RegExp): void {
  if (checked.has(pattern)) return;
  const { flags } = pattern;
  if (flags.includes('g') && flags.includes('d') && !flags.includes('y')) {
    checked.add(pattern);
    return;
  }
  throw new RangeError(
    `the pattern of the redaction rule '${name}' has the flags '${flags}': it must have 'g' and 'd', ` +
      "and not 'y'",
  );
}

const NOTHING: readonly Omit<Redaction, 'rule'>[] = [];

function matches(text: string, { pattern }: RedactionRule): typeof NOTHING {
  // `matchAll` copies the pattern, and most texts hold no secret.
  pattern.lastIndex = 0;
  if (!pattern.test(text)) return NOTHING;
  pattern.lastIndex = 0;
  return Array.from(text.matchAll(pattern), (match) => {
    const [start, end] = match.indices?.[1] ?? [match.index, match.index + match[0].length];
    return { start, end };
  });
}

function isMark(text: string): boolean {
  return /^\[redacted:[\w-]+\]$/.test(text);
}

function replace(text: string, found: readonly Redaction[]): RedactResult {
  const redactions: Redaction[] = [];
  let result = '';
  let done = 0;
  for (const redaction of found) {
    const last = redactions.at(-1);
    if (last && redaction.start < done) {
      done = Math.max(done, redaction.end);
      redactions[redactions.length - 1] = { ...last, end: done };
      continue;
    }
    result += `${text.slice(done, redaction.start)}[redacted:${redaction.rule}]`;
    done = redaction.end;
    redactions.push(redaction);
  }
  return { text: result + text.slice(done), redactions };
}

/** Shannon entropy over the characters of a text. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
