import { defaultRedactionRules, redact } from '@vizprompt/providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { runs } from '../../support/fuzz.ts';

const SIZE = 3000;
const TIMES = 4;
/** How often a character is read at most, on average over a text. */
const MOST_READS = 160;

/** Counts the characters that are read one by one, and those that searches for a text pass. */
describe('how often redaction reads a character', () => {
  let reads = 0;
  const { charCodeAt, indexOf } = String.prototype;
  beforeAll(() => {
    Reflect.set(String.prototype, 'charCodeAt', function (this: string, at: number) {
      reads++;
      return charCodeAt.call(this, at);
    });
    Reflect.set(String.prototype, 'indexOf', function (this: string, text: string, from = 0) {
      const found = indexOf.call(this, text, from);
      reads += (found < 0 ? this.length : found) - from;
      return found;
    });
  });
  afterAll(() => {
    Reflect.set(String.prototype, 'charCodeAt', charCodeAt);
    Reflect.set(String.prototype, 'indexOf', indexOf);
  });

  function readsOf(text: string): number {
    reads = 0;
    redact(text);
    return reads;
  }

  const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

  it.each([
    // The end of a run is far from each of the texts that are found in it.
    ['texts of Base64 in one run', 'LS0tLS1CRUdJTiBQUklWQVRF1a'],
    ['texts of Base64 with bytes between them', base64(`${'a'.repeat(18)}\0\0\0`)],
    ['texts of hex with bytes between them', `${'61'.repeat(16)}00`],
    ['texts of hex in a run that is none', `${'61'.repeat(16)}g`],
    ['texts of UTF-16 with bytes between them', base64(`${'a\0'.repeat(18)}\u0001\u0001`)],
    ['lines of Base64', `${base64('a'.repeat(48))}\n`],
    // The end of a tag is missing.
    ['names in elements without an end', 'key</'],
    ['names in elements that are written in percent', 'key%3C/'],
    ['starts of keys without an end', '-----BEGIN PRIVATE KEY-----'],
    ['private parts without an end', '<private a="'],
    ['percent signs in percent signs', '%2525'],
    ['backslashes', '\\'],
    ['names without values', 'key='],
    ['quotes without an end', 'key="a'],
    ['tokens of dots', 'eyJ-eyJ.'],
  ])('grows with the text: %s', (_, unit) => {
    const once = readsOf(unit.repeat(SIZE / unit.length));
    const more = readsOf(unit.repeat((SIZE * TIMES) / unit.length));
    expect(once).toBeLessThan(MOST_READS * SIZE);
    expect(more).toBeLessThan((TIMES + 1) * once);
  });

  it('grows with the text for mixtures, whatever they are in', () => {
    const keywords = [...new Set(defaultRedactionRules.flatMap((rule) => rule.keywords ?? []))];
    const mixtures = hostileTexts(keywords, runs(20)).filter(({ kind }) =>
      kind.startsWith('mixture'),
    );
    const wrong = mixtures.flatMap((text) => {
      const once = readsOf(text.fill(SIZE));
      const more = readsOf(text.fill(SIZE * TIMES));
      if (more < (TIMES + 1) * once && once < MOST_READS * SIZE) return [];
      return [`${text.kind}: ${JSON.stringify(text.unit)} ${once} ${more}`];
    });
    expect(wrong).toEqual([]);
  });
});
