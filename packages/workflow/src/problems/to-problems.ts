import { type Finding, pathText, type Source, writtenPath } from './finding.ts';
import { type Locate, locator } from './locate.ts';
import { english } from './messages-en.ts';
import { japanese } from './messages-ja.ts';
import type { Problem, ProblemCode } from './problem.ts';

/** The language of messages. */
export type ProblemLanguage = 'en' | 'ja';

const WARNINGS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'constant-until',
  'subflow-recursion',
  'unreachable-step',
  'unreachable-agent',
  'team-unseen',
  'variable-maybe-unset',
  'unused-input',
  'hidden-name',
  'unknown-error-code',
]);

/** Words that are separated by `|` and have a name in each language. */
const TERMS: ReadonlySet<string> = new Set(['expected', 'given', 'type', 'what', 'rule']);

/** Names that a suggestion lists at most. */
const MAX_NAMES = 12;

/** Puts findings into words and finds their places, in the order of the files. */
export async function toProblems(
  findings: readonly Finding[],
  language: ProblemLanguage,
): Promise<readonly Problem[]> {
  const sources = new Set(
    findings.flatMap(({ source, other }) => [source, ...(other ? [other.source] : [])]),
  );
  const locators = new Map<Source, Locate>();
  for (const source of sources) locators.set(source, await locator(source));
  const order = [...sources];
  const problems = new Map<string, { readonly problem: Problem; readonly rank: number }>();
  for (const finding of findings) {
    const problem = problemOf(finding, locators, language);
    const rank = order.indexOf(finding.source);
    problems.set(JSON.stringify(problem), { problem, rank });
  }
  return [...problems.values()]
    .toSorted(
      ({ problem: a, rank }, { problem: b, rank: other }) =>
        rank - other || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    )
    .map(({ problem }) => problem);
}

function problemOf(
  finding: Finding,
  locators: ReadonlyMap<Source, Locate>,
  language: ProblemLanguage,
): Problem {
  const { code, source, path, other } = finding;
  const words = other && {
    ...finding.words,
    other: placeText({
      file: other.source.name,
      ...locators.get(other.source)?.({ ...other, isKey: true }),
      path: pathText(writtenPath(other.source, other.path)),
    }),
  };
  return {
    file: source.name,
    ...locators.get(source)?.(finding),
    path: pathText(writtenPath(source, path)),
    code,
    severity: WARNINGS.has(code) ? 'warning' : 'error',
    ...worded(words ? { ...finding, words } : finding, language),
  };
}

function worded(
  { code, words = {}, known, nearest }: Finding,
  language: ProblemLanguage,
): Pick<Problem, 'message' | 'suggestion'> {
  const { sentences, terms, or, meant, thereIs, thereIsNone } =
    language === 'ja' ? japanese : english;
  const filled = (sentence: string): string =>
    sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      TERMS.has(name)
        ? (words[name] ?? '')
            .split('|')
            .map((one) => terms[one] ?? one)
            .join(or)
        : (words[name] ?? ''),
    );
  const [message, general] = sentences[code];
  let suggestion = general === undefined ? undefined : filled(general);
  if (nearest !== undefined) suggestion = meant(nearest);
  else if (known) {
    const more = known.length > MAX_NAMES ? ', …' : '';
    suggestion =
      known.length === 0 ? thereIsNone : thereIs(known.slice(0, MAX_NAMES).join(', ') + more);
  }
  return { message: filled(message), ...(suggestion === undefined ? {} : { suggestion }) };
}

/** Returns a problem as one line: `flows.yaml:3:7: there is no step 'x' here (did you mean 'y'?)`. */
export function problemText(problem: Problem): string {
  const { message, suggestion } = problem;
  return `${placeText(problem)}: ${message}${suggestion === undefined ? '' : ` (${suggestion})`}`;
}

function placeText({
  file,
  line,
  column,
  path,
}: Pick<Problem, 'file' | 'line' | 'column' | 'path'>): string {
  if (line !== undefined) return `${file}:${line}:${column}`;
  return path === '' ? file : `${file}: ${path}`;
}
