import { codeAt } from '../code-at.ts';
import type { Offsets, Redaction } from '../redaction-rule.ts';
import { looksRandom } from '../rules/placeholder.ts';

/** Reports a secret that follows from another of this rule. */
type Report = (rule: string, start: number, end: number) => void;

/** Shorter and longer secrets are not looked for again. */
const SHORTEST = 8;
const LONGEST = 400;
const MOST_ELEMENTS = 1000;

/**
 * Reports what the secrets of a text imply: the other elements of a list whose first one is a secret by its name, and
 * the same secrets elsewhere in the text, without a name. Takes time in line with the length of the text.
 */
export function findImplied(text: string, found: readonly Redaction[], report: Report): void {
  const rules = new Map<string, string>();
  const lengths = new Uint8Array(LONGEST + 1);
  let listEnd = 0;
  const note = (rule: string, start: number, end: number): void => {
    const length = end - start;
    if (length < SHORTEST || length > LONGEST) return;
    const secret = text.slice(start, end);
    if (rules.has(secret) || !isRecognizable(secret)) return;
    rules.set(secret, rule);
    lengths[length] = 1;
  };
  for (const { rule, start, end } of found) {
    note(rule, start, end);
    if (rule !== 'assignment' || start < listEnd) continue;
    for (const [from, to] of elementsAfter(text, start, end)) {
      report(rule, from, to);
      note(rule, from, to);
      listEnd = to;
    }
  }
  if (rules.size === 0) return;
  for (const separators of [BETWEEN_WORDS, BETWEEN_PARTS]) {
    eachRun(text, separators, (start, end) => {
      if (lengths[end - start] !== 1) return;
      const rule = rules.get(text.slice(start, end));
      if (rule !== undefined) report(rule, start, end);
    });
  }
}

/** Checks for a secret that no other text looks like, and no name of a file or encoded text. */
function isRecognizable(secret: string): boolean {
  return looksRandom(secret) && !/%[\dA-F]{2}|^\w[\w-]*\.\w/i.test(secret);
}

/** The signs before the first element of a list, and before the next ones after the quote of the last. */
const FIRST_ELEMENT = /(?:[[(]\s{0,24}\\{0,3}["'`]|(?:^|\n|\\n)[ \t]{0,24}- {1,3}["']?)$/;
const NEXT_QUOTED =
  /\\{0,3}["'`],(?:\s|\\n){0,24}\\{0,3}["'`](?<element>[^\s"'`\\]{6,400})(?=\\{0,3}["'`])/y;
const NEXT_ITEM =
  /["']?[ \t\r]{0,4}(?:\n|\\n)[ \t]{0,24}- {1,3}["']?(?<element>[^\s"'`:\\]{6,400})(?=["']?[ \t\r]{0,4}(?:\n|\\n|"|$))/y;
const LONGEST_START = 32;

/** Returns the values that look random in the list after its first element. */
function elementsAfter(text: string, start: number, end: number): readonly Offsets[] {
  const before = FIRST_ELEMENT.exec(text.slice(Math.max(0, start - LONGEST_START), start))?.[0];
  if (before === undefined) return [];
  const next = /- {1,3}["']?$/.test(before) ? NEXT_ITEM : NEXT_QUOTED;
  const elements: Offsets[] = [];
  next.lastIndex = end;
  for (let count = 0; count < MOST_ELEMENTS; count++) {
    const element = next.exec(text)?.groups?.['element'];
    if (element === undefined) break;
    if (looksRandom(element)) elements.push([next.lastIndex - element.length, next.lastIndex]);
  }
  return elements;
}

const BETWEEN_WORDS = separatorsOf(/[\s"'`<>]/);
const BETWEEN_PARTS = separatorsOf(/[^\w.~!#$%^*+-]/);

function separatorsOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    code <= 32 || pattern.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

/** Calls a function with each run of characters between separators, and without the sign that ends a sentence. */
function eachRun(
  text: string,
  separators: Uint8Array,
  take: (start: number, end: number) => void,
): void {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length) {
      const code = text.charCodeAt(at);
      if (code < 128 && separators[code] === 0) continue;
    }
    if (at - start >= SHORTEST) {
      take(start, at);
      if (ENDS.has(codeAt(text, at - 1))) take(start, at - 1);
    }
    start = at + 1;
  }
}

/** `.`, `,`, `;`, `:`, `!`, `?`, `)` and `]`. */
const ENDS: ReadonlySet<number> = new Set([46, 44, 59, 58, 33, 63, 41, 93]);
