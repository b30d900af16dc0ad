import type { Source } from '../load/source.ts';
import { pathText, type Finding } from './finding.ts';
import { locator } from './locate.ts';
import * as english from './messages-en.ts';
import * as japanese from './messages-ja.ts';
import type { Problem, ProblemCode } from './problem.ts';

/** The language of messages. */
export type ProblemLanguage = 'en' | 'ja';

const WARNINGS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'constant-until',
  'subflow-recursion',
  'unreachable-step',
  'variable-maybe-unset',
  'unused-input',
  'hidden-name',
]);

/** Words that are told apart by `|` and have a name in each language. */
const TERMS: ReadonlySet<string> = new Set(['expected', 'given', 'type', 'what', 'rule']);

/** Names that a suggestion lists at most. */
const MAX_NAMES = 12;

/** Puts findings into words and finds their places, in the order of the files. */
export async function toProblems(
  findings: readonly Finding[],
  language: ProblemLanguage,
): Promise<readonly Problem[]> {
  const bySource = new Map<Source, Finding[]>();
  for (const finding of findings) {
    const others = bySource.get(finding.source);
    if (others) others.push(finding);
    else bySource.set(finding.source, [finding]);
  }
  const problems = await Promise.all(
    [...bySource].map(([source, ofFile]) => problemsOf(source, ofFile, language)),
  );
  return problems.flat();
}

async function problemsOf(
  source: Source,
  findings: readonly Finding[],
  language: ProblemLanguage,
): Promise<readonly Problem[]> {
  const locate = await locator(source);
  const problems = new Map<string, Problem>();
  for (const finding of findings) {
    const problem: Problem = {
      file: source.name,
      ...locate(finding),
      path: pathText(finding.path),
      code: finding.code,
      severity: WARNINGS.has(finding.code) ? 'warning' : 'error',
      ...worded(finding, language),
    };
    problems.set(JSON.stringify(problem), problem);
  }
  return [...problems.values()].toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
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

/** A problem as one line: `flows.yaml:3:7: there is no step 'x' here; did you mean 'y'?` */
export function problemText({ file, line, column, path, message, suggestion }: Problem): string {
  const place = line === undefined ? `${file}: ${path}` : `${file}:${line}:${column}`;
  return `${place}: ${message}${suggestion === undefined ? '' : ` (${suggestion})`}`;
}
