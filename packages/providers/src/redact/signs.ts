import { defaultRedactionRules, privateRule, type RedactionRule } from './rules.ts';

/** The rules that find nothing in a text without a sign. */
export const SIGNED_RULES: ReadonlySet<RedactionRule> = new Set(
  defaultRedactionRules.filter((rule) => rule !== privateRule),
);

/**
 * What each secret of those rules has in it. A sign begins with a character that is not frequent, and what
 * stands before it is looked at afterwards: so most of a text is passed at once.
 */
const SIGNS = new RegExp(
  [
    '-(?<=KEY-|sk-|glpat-|xox[abeoprs]-|xai-)',
    '_(?<=gh[pousr]_|github_pat_|k_|npm_|hf_|[aA][wW][sS]_)',
    'I(?:(?=A)|(?<=AI)(?=za))',
    String.raw`\.(?<=SG\.)`,
    'J(?<=eyJ)',
    String.raw`[bB](?=[eE][aA][rR][eE][rR]\s|[aA][sS][iI][cC]\s)`,
    String.raw`:(?=//[^\s/:@]{0,100}:)`,
    String.raw`[=:](?=\s{0,4}["'])(?<=(?:${['key', 'token', 'secret', 'passwd', 'password']
      .map(inAnyCase)
      .join('|')})["']?\s{0,4}[=:])`,
  ].join('|'),
);

/** Whether a text has a sign of a secret. Asking is much faster than looking for each secret. */
export function hasSign(text: string): boolean {
  return SIGNS.test(text);
}

/** Only these letters, where the flag `i` would make all of the expression slow. */
function inAnyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
