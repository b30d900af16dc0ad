import { describe, expect, it } from 'vitest';
import { runs } from '../../../providers/test/support/fuzz.ts';
import { findList } from '../../src/build/find-list.ts';
import { readDigest } from '../../src/build/summarize-by-model.ts';
import { proseOf } from '../../src/build/sentences.ts';
import { summarize } from '../../src/build/summarize-offline.ts';
import { requestedInText } from '../../src/chat/ask-model.ts';
import { mendNodeText } from '../../src/doctor/mend-node-text.ts';
import { mendedYamlTexts } from '../../src/doctor/rebuild-flow-yaml.ts';
import { readContent } from '../../src/import/content.ts';

const LIMITS = { maxWords: 60, maxTokens: 80 };

/** Functions that read untrusted texts, however long and odd they are. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'prose of a node': proseOf,
  'its list': findList,
  'its summary': (text) => summarize(text, text, LIMITS),
  'a digest': readDigest,
  'a request for details': requestedInText,
  'a damaged node': (text) => mendNodeText(`<node id="x"${text}`, '2026-01-01T00:00:00Z'),
  'a damaged flow': mendedYamlTexts,
  'an imported page': (text) => readContent([{ type: 'html', html: `<p>${text}` }]),
};

/** Pieces that a regular expression may begin with again and again, and never come to an end of. */
const PIECES = [
  ' ', '\n', ' \n', '\r\n', '\u2028', '\u3000', '\t',
  '[', '![', '[a](/', '](', '<', '<a', '<think>', '{"a":', '"', '「', '《',
  '*', '_', '`', '```\n', '~~~\n', '-', '- ', '# ', '> ', '1. ', 'first, ', '一',
  'a', 'A', '。', ', ', '.', ':', 'https://a', '  at a.', 'File "', '[1]の詳細と', 'show me [1] ', '😀',
]; // prettier-ignore

/** A cube of it is minutes; with `FUZZ_FACTOR` a square is, too. */
const LENGTH = runs(5000);

describe.each(Object.entries(READERS))('%s', (_, read) => {
  it('takes linear time, whatever is repeated in it', () => {
    for (const piece of PIECES) {
      const text = `${piece.repeat(Math.ceil(LENGTH / piece.length))}x`;
      expect(() => read(text)).not.toThrow();
    }
  });
});

describe('a digest without marks', () => {
  it.each([
    ['Summary: [a] b]', '[a] b]'],
    ['Summary: a]', 'a'],
    ['要約: 猫の話。 タグ: 猫, 犬', '猫の話。'],
    ['```\nSummary: A sentence.\n```', 'A sentence.'],
  ])('%s', (answer, summary) => {
    expect(readDigest(answer).summary).toBe(summary);
  });
});
