const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const ALPHABETS: Readonly<Record<string, string>> = {
  a: UPPER + LOWER + DIGITS,
  l: LOWER + DIGITS,
  u: `${UPPER}234567`,
  h: `${DIGITS}abcdef`,
  d: DIGITS,
  w: `${UPPER}${LOWER}${DIGITS}_-`,
  b: `${UPPER}${LOWER}${DIGITS}+/`,
  c: UPPER + LOWER,
  p: LOWER,
  j: `${LOWER}${DIGITS}!@#$%^&*(-_=+)`,
  bech: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  bechl: 'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
};

/** Returns a generator of numbers below a limit; the same for the same seed. */
export function numbersOf(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A text with a secret, and the parts of it that must not be left. */
export interface FilledForm {
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Fills a form of `SECRET_FORMS` in. */
export function fillForm(form: string, below: (limit: number) => number): FilledForm {
  const filled = form.replaceAll(/\{([a-z]+)(\d*)\}/g, (_, kind: string, length: string) => {
    if (kind === 'uuid') return [8, 4, 4, 4, 12].map((size) => random('h', size, below)).join('-');
    if (kind === 'basic') {
      return Buffer.from(`me:${random('a', 6 + below(12), below)}`).toString('base64');
    }
    if (kind === 'pem') return Array.from({ length: 8 }, () => random('b', 64, below)).join('\n');
    return random(kind, Number(length), below);
  });
  const marked = [...filled.matchAll(/«([^»]*)»/g)].map(([, secret]) => secret ?? '');
  const text = filled.replaceAll(/[«»]/g, '');
  const secrets = (marked.length > 0 ? marked : [text]).flatMap((secret) => secret.split('\n'));
  return { text, secrets };
}

/** Random characters with all of the kinds that the alphabet has. */
function random(kind: string, length: number, below: (limit: number) => number): string {
  const alphabet = ALPHABETS[kind] ?? '';
  for (let attempt = 0; ; attempt++) {
    let text = '';
    for (let at = 0; at < length; at++) text += alphabet.charAt(below(alphabet.length));
    const isUsual =
      /^[A-Za-z0-9]/.test(text) &&
      (length < 8 || !/[0-9]/.test(alphabet) || /[0-9]/.test(text)) &&
      (length < 8 || !/[A-Z]/.test(alphabet) || /[A-Z]/.test(text));
    if (isUsual || attempt > 50) return text;
  }
}
