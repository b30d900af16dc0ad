import { beforeAll, describe, expect, it } from 'vitest';
import { WorkflowError } from '../../../src/errors.ts';
import { evaluate, holds, prepareLanguages } from '../../../src/language/condition.ts';

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

const LIST = Array.from({ length: 60 }, (_, at) => at);
/** The limit of tests, which takes a fraction of what the default takes. */
const MAX_COST = 50_000;
const LONG = `${'a'.repeat(50_000)}!`;

describe('a condition cannot stop the process', () => {
  // Patterns on which backtracking engines take exponential or cubic time (OWASP, "ReDoS", and RE2's own tests).
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^([a-zA-Z]+)*$',
    '(.*a){20}$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    'a*a*a*a*a*b',
    '(x+x+)+y',
  ])('matches %s in time that follows the length of the text', (pattern) => {
    expect(holds(`text.matches('${pattern}')`, { text: LONG })).toBe(false);
    expect(holds(`[text].exists(t, t.matches(pattern))`, { text: LONG, pattern })).toBe(false);
  });

  it.each([
    ['all', 'l.all(a, l.all(b, l.all(c, a + b + c >= 0)))'],
    ['exists', 'l.exists(a, l.exists(b, l.exists(c, a + b + c < 0)))'],
    ['exists_one', 'l.exists_one(a, l.exists_one(b, l.exists_one(c, a + b + c < 0)))'],
    ['filter', 'l.filter(a, size(l.filter(b, size(l.filter(c, c > b)) > a)) > 0)'],
    ['map', 'l.map(a, l.map(b, l.map(c, a + b + c)))'],
    ['map with a filter', 'l.map(a, a > 0, l.map(b, b > 0, l.map(c, c > 0, a)))'],
    ['a macro before an error', 'l.all(a, l.all(b, l.all(c, c >= 0))) || nobody'],
    ['a macro behind a false', 'false && true || l.all(a, l.all(b, l.all(c, c >= 0)))'],
    ['literals', `${'[1,2,3,4,5,6,7,8].all(a, '.repeat(9)}true${')'.repeat(9)}`],
    ['bind', 'cel.bind(m, l + l, m.all(a, m.all(b, m.all(c, c >= 0))))'],
    ['copies', 'l.map(a, l).map(b, b + b + b).all(c, l.all(d, c + c + c == c + c + c))'],
    ['maps', 'm.all(k, m.all(k2, m.all(k3, k3 != "")))'],
    ['regular expressions', 'l.all(a, l.all(b, text.matches("(a|b)*c") == false))'],
  ])('ends a condition whose cost has no bound: %s', (_, source) => {
    const m = Object.fromEntries(LIST.map((at) => [`k${at}`, at]));
    const error = failure(() => evaluate(source, { l: LIST, m, text: LONG }, MAX_COST));
    expect(error).toMatchObject({ code: 'condition-failed', context: { reason: 'cost' } });
    expect(error.message).toContain(source.slice(0, 20));
  });

  it('has a limit that no caller needs to give', () => {
    const l = Array.from({ length: 400 }, (_, at) => at);
    const error = failure(() => evaluate('l.all(a, l.all(b, l.all(c, c >= 0)))', { l }));
    expect(error.context).toMatchObject({ reason: 'cost', limit: 10_000_000 });
  });

  it('evaluates what files ask of long lists', () => {
    const l = Array.from({ length: 700 }, (_, at) => ({ id: at }));
    expect(evaluate('l.filter(a, l.exists(b, b.id == a.id + 699)).size()', { l })).toBe(1);
    expect(holds('l.all(a, a.id >= 0) && l.exists_one(a, a.id == 7)', { l })).toBe(true);
  });

  it.each([
    ['text.matches("(")', 'missing closing )'],
    ['text.matches("(?=a)b")', 'RE2'],
    ['text.matches("(a)\\\\1")', 'RE2'],
    ['text.matches("(a{0,900}){0,900}")', 'Invalid regular expression'],
    ['text.matches(pattern)', 'missing closing )'],
  ])('says what is wrong with %s', (source, problem) => {
    const error = failure(() => evaluate(source, { text: 'a', pattern: '(' }));
    expect(error.code).toBe('condition-failed');
    expect(error.message).toContain(problem);
  });

  it('says what a call of matches lacks by its own name', () => {
    expect(failure(() => evaluate('n.matches("a")', { n: 1 })).message).toContain('.matches(');
  });
});
