import { redact } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { fillForm, numbersOf } from '../../support/fill-form.ts';
import { SECRET_PLACES } from '../../support/secret-places.ts';
import { SECRET_FORMS } from '../../support/secret-forms.ts';

const forms = Object.values(SECRET_FORMS).flat();
const lines = (text: string, margin: (line: string, number: number) => string): string =>
  text.split('\n').map(margin).join('\n');
const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The texts around secrets where agents meet them. */
const SURROUNDINGS: Readonly<Record<string, (text: string) => string>> = {
  itself: (text) => text,
  'removed lines of a diff': (text) => lines(text, (line) => `-${line}`),
  'added lines of a diff': (text) => lines(text, (line) => `+${line}`),
  'a quotation': (text) => lines(text, (line) => `> ${line}`),
  'numbered lines': (text) => lines(text, (line, number) => `    ${number + 9}→${line}`),
  JSON: (text) => JSON.stringify({ out: `one\n${text}\ntwo` }),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify({ out: `one\n${text}\ntwo` })),
  'colors of a terminal': (text) => `\u001b[32m${text}\u001b[0m`,
  'colors of grep': (text) =>
    `a.txt:\u001b[01;31m\u001b[K${text.slice(0, 4)}\u001b[m\u001b[K${text.slice(4)}`,
  'an address': (text) => `https://x.example/?q=${encodeURIComponent(`\n${text}`)}`,
  'lines of Windows': (text) => `a\r\n${text.replaceAll('\n', '\r\n')}\r\nb`,
  'Japanese text': (text) => `鍵は\n${text}\nです。`,
  Markdown: (text) => `\`\`\`\n${text}\n\`\`\`\n`,
  HTML: (text) => `<pre>\n${inHtml(text)}\n</pre>`,
  YAML: (text) => `  log: |\n${lines(text, (line) => `    ${line}`)}\n`,
  'an address in an address': (text) =>
    encodeURIComponent(encodeURIComponent(`https://x.example/?q=\n${text}`)),
  'quotation marks of Japanese': (text) => `鍵は「\n${text}\n」です。`,
  'characters without a width': (text) => `\ufeff${text.slice(0, 3)}\u200b${text.slice(3)}`,
  'marks of direction': (text) =>
    `${text.slice(0, 3)}\u2066${text.slice(3, -5)}\ufe0f\u{e0041}${text.slice(-5)}`,
  'Markdown of a page': (text) => text.replaceAll('_', String.raw`\_`),
  'the end of a log': (text) => `2026-11-25 started\n${text}`,
};

/** Parts of a secret that would be of use to an attacker. */
function isLeft(secret: string, text: string): boolean {
  if (secret.length <= 16) return text.includes(secret);
  return text.includes(secret.slice(0, 14)) || text.includes(secret.slice(-14));
}

describe('the places of secrets', () => {
  it.each(['itself', 'added lines of a diff', 'JSON', 'lines of Windows', 'Markdown'])(
    'are known to 94 of 100 in %s',
    (name) => {
      const missed = SECRET_PLACES.filter((place, index) => {
        const { text, secrets } = fillForm(place, numbersOf(index * 31 + 5));
        const given = SURROUNDINGS[name]?.(text) ?? '';
        const clean = redact(given).text;
        return clean === given || secrets.some((secret) => isLeft(secret, clean));
      });
      expect(missed.length).toBeLessThan(SECRET_PLACES.length * 0.06);
    },
  );
});

describe('the forms of secrets', () => {
  it('are more than 350', () => {
    expect(new Set(forms).size).toBe(forms.length);
    expect(forms.length).toBeGreaterThan(350);
  });

  it.each(Object.entries(SURROUNDINGS))('are found in %s', (_, surround) => {
    const missed = forms.filter((form, index) => {
      const { text, secrets } = fillForm(form, numbersOf(index + 1));
      const clean = redact(surround(text)).text;
      return clean === surround(text) || secrets.some((secret) => isLeft(secret, clean));
    });
    expect(missed).toEqual([]);
  });

  it('are found whatever they are filled with', () => {
    const missed = forms.filter((form, index) => {
      const texts = Array.from({ length: 20 }, (_, seed) =>
        fillForm(form, numbersOf(seed * 977 + index)),
      );
      return !texts.every(({ text, secrets }) => {
        const clean = redact(text).text;
        return clean !== text && !secrets.some((secret) => isLeft(secret, clean));
      });
    });
    expect(missed).toEqual([]);
  });

  it('are gone once they are removed', () => {
    for (const [index, form] of forms.entries()) {
      const { text } = fillForm(form, numbersOf(index + 5));
      const clean = redact(text).text;
      expect(redact(clean)).toEqual({ text: clean, redactions: [] });
    }
  });
});
