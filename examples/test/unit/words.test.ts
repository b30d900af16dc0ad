// The words that `npm run words` bans, and where it looks for them.
import { describe, expect, it } from 'vitest';
import { commentsIn, paragraphsIn } from '../../../scripts/words/prose.mjs';
import { sentencesIn, titlesIn } from '../../../scripts/words/strings.mjs';
import { bannedIn, RULES } from '../../../scripts/words/rules.mjs';

describe.each(RULES)('the rule $name', ({ name, banned, fine }) => {
  it.each(banned)('bans: %s', (sentence) => {
    expect(bannedIn(sentence).map(({ rule }) => rule.name)).toContain(name);
  });

  it.each(fine)('takes: %s', (sentence) => {
    expect(bannedIn(sentence).map(({ rule }) => rule.name)).not.toContain(name);
  });
});

const CODE = `/**
 * Whether it is open.
 * @returns What was read.
 */
export const url = 'https://example.test/'; // nobody reads it
// One comment
// of two lines.
const told = 1;
# A line of Python.
`;

const MESSAGES = `
const key = 'told';
const message = 'What was said is kept';
const place = \`nobody has read \${key} yet\`;
const migration = { version: 1, name: 'who asks for which node' };
`;

const TESTS = `
it('is told', () => 'what the model was told');
describe.each(ROWS)('a lock of %s', () => {
  it.each(ROWS)(\`goes on with \${one}\`, () => {});
});
`;

const PAGE = `# What it costs

A paragraph
of two lines.

| name | what |
| ---- | ---- |
| a    | Whether it is open |

- **What is kept** stays.

\`\`\`ts
const told = 1; // What it is
\`\`\`
`;

describe('prose', () => {
  it('is found in comments: blocks, lines that follow each other, and ends of lines', () => {
    expect(commentsIn(CODE).map(({ prose, line }) => [line, prose.trim()])).toEqual([
      [1, 'Whether it is open.\n@returns: What was read.'],
      [5, 'nobody reads it'],
      [6, 'One comment\nof two lines.'],
      [9, 'A line of Python.'],
    ]);
  });

  it('is found in messages of three words and more, except for names of migrations', () => {
    expect(sentencesIn('a.ts', MESSAGES)).toEqual([
      { prose: 'What was said is kept', line: 3 },
      { prose: 'nobody has read … yet', line: 4 },
    ]);
  });

  it('is found in titles of tests, and not in their bodies', () => {
    expect(titlesIn('a.test.ts', TESTS)).toEqual([
      { prose: 'is told', line: 2 },
      { prose: 'a lock of %s', line: 3 },
      { prose: 'goes on with …', line: 4 },
    ]);
  });

  it('is found in pages: headings, paragraphs, cells and items, but not in code', () => {
    const found = paragraphsIn(PAGE).filter(({ prose }) => bannedIn(prose).length > 0);
    expect(found.map(({ line }) => line)).toEqual([1, 8, 10]);
  });

  it('is named with the line of the word', () => {
    const prose = commentsIn('// It ends.\n// What is open stays.')[0]?.prose ?? '';
    const banned = bannedIn(prose)[0];
    expect(banned?.found).toBe('What');
    expect(prose.slice(0, banned?.at).split('\n')).toHaveLength(2);
  });

  it('leaves code between backticks alone', () => {
    expect(bannedIn('The method `told` returns `nobody`.')).toEqual([]);
  });
});
