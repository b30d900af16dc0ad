import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyString } from '../../../providers/test/support/fuzz.ts';
import { toMs } from '../../src/definition/policies.ts';
import { WorkflowError } from '../../src/errors.ts';
import { evaluate, holds, prepareLanguages } from '../../src/language/condition.ts';
import { renderPrompt } from '../../src/language/template.ts';
import { hasValueAt, valueAt } from '../../src/language/variable-path.ts';

beforeAll(prepareLanguages);

function failure(work: () => unknown): WorkflowError {
  try {
    work();
  } catch (error) {
    if (WorkflowError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

const anyText = anyString({ maxLength: 40 });
const hostile = fc.oneof(
  anyText,
  fc.constantFrom(
    '{{ x }}',
    '{% raw %}',
    '{%- if -%}',
    '$&',
    "$'",
    '$1',
    '\ud800',
    '\u0000',
    '猫🐈',
    '\u202e}}',
    '__proto__',
  ),
);

describe('a length of time', () => {
  it.each([
    [0, 0],
    [1.5, 1.5],
    ['500ms', 500],
    ['1.5s', 1500],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('%s is %d milliseconds', (duration, milliseconds) => {
    expect(toMs(duration)).toBe(milliseconds);
  });

  it.each(['', '30', '5 m', '-1s', '1w', 's', '1e3s', '１s', -1, Number.NaN, Infinity])(
    '%s is none',
    (duration) => {
      expect(failure(() => toMs(duration)).code).toBe('invalid-input');
    },
  );
});

describe('a path', () => {
  const variables = { user_input: '猫', review: { scores: [7, { of: null }], 'a b': 1 } };

  it('leads into objects and lists', () => {
    expect(valueAt('review.scores.1.of', variables)).toBeNull();
    expect(valueAt('review.a b', variables)).toBe(1);
    expect(hasValueAt('review.scores.1.of', variables)).toBe(true);
  });

  it.each([
    ['stroy', "there is no variable 'stroy' (there is: user_input, review)"],
    ['review.score', "'review.score': 'review' has no 'score' (there is: scores, a b)"],
    ['review.scores.2', "'review.scores.2': 'review.scores' has no '2' (it is a list of 2)"],
    ['review.scores.-1', "'review.scores.-1': 'review.scores' has no '-1' (it is a list of 2)"],
    [
      'review.scores.length',
      "'review.scores.length': 'review.scores' has no 'length' (it is a list of 2)",
    ],
    ['user_input.length', "'user_input.length': 'user_input' has no 'length' (it is a string)"],
    [
      'review.scores.1.of.x',
      "'review.scores.1.of.x': 'review.scores.1.of' has no 'x' (it is null)",
    ],
    ['__proto__', "there is no variable '__proto__' (there is: user_input, review)"],
    [
      'review.constructor',
      "'review.constructor': 'review' has no 'constructor' (there is: scores, a b)",
    ],
  ])('%s names what is missing and what is there', (path, message) => {
    const error = failure(() => valueAt(path, variables));
    expect(error).toMatchObject({ code: 'condition-failed', message });
    expect(hasValueAt(path, variables)).toBe(false);
  });

  it('finds own values only, whatever the names', () => {
    const name = fc
      .oneof(fc.constantFrom('__proto__', 'constructor', 'toString', '0'), anyText)
      .filter((text) => !text.includes('.'));
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.jsonValue(),
        (names, value) => {
          const nested = names.reduceRight<unknown>(
            (inner, key) => Object.fromEntries([[key, inner]]),
            value,
          );
          expect(valueAt(names.join('.'), nested as never)).toEqual(value);
          expect(hasValueAt([...names, 'toString'].join('.'), nested as never)).toBe(
            typeof value === 'object' && value !== null && Object.hasOwn(value, 'toString'),
          );
        },
      ),
    );
  });
});

describe('a condition', () => {
  const variables = {
    score: 8,
    half: 8.5,
    list_of: [1, 2, 3],
    o: { a: 1, c: null },
    story: '猫',
    no: null,
    評価: { 点数: 9, 値: [1, 2] },
    x: 1,
    数: 2,
    𠮷: 3,
  };

  it.each([
    ['score >= 8', true],
    ['score == 8 && 8 == score && score in [8, 9]', true],
    ['half > 8 && half == 8.5', true],
    ['score + 1', 9],
    ['2 * half', 17],
    ['score % 3', 2],
    ['7 / 2', 3],
    ['score / 16', 0.5],
    ['size(list_of) + size(o) + size(story)', 6],
    ['size(list_of) >= 3 && list_of[size(list_of) - 1] == 3', true],
    ['list_of[o.a]', 2],
    ['list_of.map(x, x + 1)', [2, 3, 4]],
    ['list_of.exists(x, x == 2) && list_of == [1, 2, 3]', true],
    ['has(o.z) ? o.z : -1', -1],
    ['o.?z.orValue("none")', 'none'],
    ['no == null && o.c == null && story != null', true],
    ['"a" in o', true],
    ['{"a": 1, "b": [1.5, "x"]}', { a: 1, b: [1.5, 'x'] }],
    ['1u', 1],
    ['timestamp("2026-01-01T00:00:00Z")', '2026-01-01T00:00:00.000Z'],
    ['story + "と犬"', '猫と犬'],
    ['評価.点数 >= 8 && has(評価.点数) && !has(評価.他)', true],
    ['評価.値.exists(値, 値 == 2) ? "評価" : r"点"', '評価'],
    ['評価.?他.orValue(評価["点数"]) // 評価', 9],
    ['x + 数 + 𠮷', 6],
    ['score < 8 && nothing.there', false],
  ])('%s gives %j', (source, value) => {
    expect(evaluate(source, variables)).toEqual(value);
  });

  it.each([
    ['scor >= 8', 0, /Unknown variable: scor/],
    ['score >= 8 && o.z', 16, /No such key: z/],
    ['o.constructor', 2, /No such key/],
    ['o.__proto__', 2, /No such key/],
    ['list_of[9]', 0, /index 9/],
    ['score >= "8"', 0, /overload/],
    ['1 +', 3, /EOF/],
    ['評価.点数 > 1 && 評価.点 > 1', 16, /No such key: 点/],
    ['評 > 1', 0, /Unknown variable: 評/],
    ['評価 + §', 5, /§/],
    ['type(1)', 0, /JSON cannot hold/],
    ['score / 0', 0, /Infinity/],
    ['9007199254740993', 0, /JSON cannot hold/],
    ['process.exit()', 0, /process/],
  ])('%s fails with its place', (source, offset, message) => {
    const error = failure(() => evaluate(source, variables));
    expect(error.code).toBe('condition-failed');
    expect(error.context).toMatchObject({ condition: source, offset });
    expect(error.message).toMatch(message);
  });

  it('holds or does not, and is nothing else', () => {
    expect(holds('score > 7', variables)).toBe(true);
    expect(holds('score > 8', variables)).toBe(false);
    expect(failure(() => holds('score', variables)).message).toContain(
      'must give true or false, and gave 8',
    );
  });

  it('takes all JSON as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as never;
        expect(evaluate('value', { value: plain })).toEqual(plain);
        expect(evaluate('[value, {"k": value}]', { value: plain })).toEqual([plain, { k: plain }]);
      }),
    );
  });
});

describe('a prompt', () => {
  it('shows texts as they are, and never renders them', () => {
    fc.assert(
      fc.property(hostile, hostile, (before, value) => {
        const around = before.replaceAll(/[{}%]/g, '');
        expect(renderPrompt(`${around}{{ x }}|{{ x | append: x }}`, { x: value })).toBe(
          `${around}${value}|${value}${value}`,
        );
      }),
    );
  });

  it('replaces by texts that hold signs of patterns', () => {
    expect(
      renderPrompt('{{ t | replace: "a", x }}{{ t | replace_first: "a", x }}', {
        t: 'a',
        x: '$&$1',
      }),
    ).toBe('$&$1$&$1');
  });

  it.each([
    ['{{ x }}', '{"a":[1,"猫"]}'],
    ['{{ x.a }}', '[1,"猫"]'],
    ['{{ x.a | join: ", " }}', '1, 猫'],
    ['{% for one in x.a %}<{{ one }}>{% endfor %}', '<1><猫>'],
    ['{{ x | append: "!" }}', '{"a":[1,"猫"]}!'],
    ['{% assign y = x %}{{ y }}', '{"a":[1,"猫"]}'],
    ['{% capture y %}{{ x }}{% endcapture %}{{ y | size }}', '13'],
    ['{{ list | join: "; " }}', '{"b":1}; 2'],
    ['{{ nothing }}{{ yes }}{{ number }}', 'true1.5'],
    ['{{ x.a.size }}{{ x.a.last }}', '2猫'],
    ['{{ 名前 }}', 'タマ'],
  ])('%s gives %s', (template, text) => {
    const values = {
      x: { a: [1, '猫'] },
      list: [{ b: 1 }, 2],
      nothing: null,
      yes: true,
      number: 1.5,
      名前: 'タマ',
    };
    expect(renderPrompt(template, values)).toBe(text);
  });

  it.each([
    ['a\n b {{ y }}', 2, 7, 'undefined variable: y'],
    ['{{ x.b }}', 1, 4, 'undefined variable: x.b'],
    ['{{ x.constructor }}', 1, 4, 'undefined variable: x.constructor'],
    ['{{ x.__proto__ }}', 1, 4, 'undefined variable: x.__proto__'],
    ['a {{ x | upcas }}', 1, 10, 'undefined filter: upcas'],
    ['{% if x %}', 1, 1, 'not closed'],
    ['{{ x', 1, 1, 'not closed'],
    ['猫\n{% include "a" %}', 2, 1, "'include' is not there"],
    ['{% render "./package.json" %}', 1, 1, "'render' is not there"],
    ['{% layout "a" %}', 1, 1, "'layout' is not there"],
    ['{% for i in (1..1000000000) %}{% endfor %}', 1, 1, 'memory'],
  ])('%s fails with its place', (template, line, column, problem) => {
    const error = failure(() => renderPrompt(template, { x: { a: 1 } }));
    expect(error.code).toBe('template-failed');
    expect(error.context).toMatchObject({ line, column });
    expect(error.message).toContain(problem);
  });

  it('stops loops without end', () => {
    const list = Array.from({ length: 3000 }, (_, at) => at);
    const loops =
      '{% for a in x %}{% for b in x %}{% for c in x %}.{% endfor %}{% endfor %}{% endfor %}';
    expect(failure(() => renderPrompt(loops, { x: list })).message).toContain('limit');
  });

  it('takes values of 2 MB', () => {
    const x = '猫{{ '.repeat(400_000);
    expect(renderPrompt('<{{ x }}>', { x })).toBe(`<${x}>`);
    const list = Array.from({ length: 40_000 }, (_, at) => ({ at, text: 'あ'.repeat(20) }));
    expect(renderPrompt('{{ list }}', { list })).toHaveLength(JSON.stringify(list).length);
    expect(renderPrompt('{{ x | strip | append: "!" | size }}', { x })).toBe(String(x.length));
  });
});
