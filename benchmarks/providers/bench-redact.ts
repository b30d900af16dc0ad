import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultRedactionRules, redact } from '@vizprompt/providers';
import { fillForm, numbersOf } from '../../packages/providers/test/support/fill-form.ts';
import { SECRET_FORMS } from '../../packages/providers/test/support/secret-forms.ts';
import { SECRET_PLACES } from '../../packages/providers/test/support/secret-places.ts';
import { round, type BenchOptions, type Figures } from '../figures.ts';

const SIZE = 400_000;
/** Adversarial texts are many. */
const SHORT = 40_000;
const RUNS = 5;

/** What is repeated: secrets that stand as close as they can. */
const DENSE: readonly string[] = [
  'password=hunter2\n',
  'password: hunter2x\n',
  'API_KEY=aB3dE6gH9jK2mN5p\n',
  'curl -u a:bcd ',
  'mysql -pabc1 ',
  '--token abc1 ',
  'basic dXNlcjpwYXNzd29yZA== ',
  'ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF5h\n',
  String.raw`\"password\":\"hunter2x\",\n`,
  'https://me:hunter2x@h/\n',
  'Authorization: Bearer aB3dE6gH9jK2mN5pQ8\n',
];

/** What follows a keyword, so that its patterns begin and fail. */
const TAILS: readonly string[] = [
  '',
  '-',
  ' ',
  '1a',
  '="',
  ': ',
  '="1aB2cD3',
  '=$x ',
  '\n',
  '@',
  ' a:b ',
];

/**
 * Redaction by processor time: of plain text, code, JSON, texts full of secrets, and texts that are made to be
 * slow, each against one pass over the same characters; and which share of secrets is found.
 */
// oxlint-disable-next-line require-await -- a benchmark is asynchronous
export async function benchRedact({ log }: BenchOptions): Promise<Figures> {
  log('plain text, code and JSON ...');
  const code = sources();
  const figures: Record<string, number> = {
    plain_ms_per_mb: speed(filled('The quick brown fox jumps over the lazy dog. ', SIZE)),
    code_ms_per_mb: speed(code),
    json_ms_per_mb: speed(JSON.stringify({ code })),
    pass_ms_per_mb: cost(code, pass),
  };
  log('texts full of secrets ...');
  const dense = DENSE.map((unit) => speed(filled(unit, SIZE)));
  figures['dense_ms_per_mb'] = Math.max(...dense);
  log('texts made to be slow ...');
  const keywords = [...new Set(defaultRedactionRules.flatMap((rule) => rule.keywords ?? []))];
  const units = keywords.flatMap((keyword) => TAILS.map((tail) => keyword + tail));
  const slow = units.map((unit) => [speed(filled(unit, SHORT), 2), unit] as const);
  const [worst, unit] = slow.reduce((a, b) => (b[0] > a[0] ? b : a), [0, '']);
  log(`the slowest of ${units.length}: ${JSON.stringify(unit)}`);
  figures['worst_ms_per_mb'] = worst;
  figures['slow_share'] = round(slow.filter(([ms]) => ms > 50).length / slow.length);
  figures['found_forms_share'] = found(Object.values(SECRET_FORMS).flat());
  figures['found_places_share'] = found(SECRET_PLACES);
  return figures;
}

/** Sources of this project, as much as is measured. */
function sources(): string {
  const folder = fileURLToPath(new URL('../../packages/providers/src/', import.meta.url));
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => name.endsWith('.ts'));
  return files
    .map((name) => readFileSync(folder + name, 'utf8'))
    .join('\n')
    .slice(0, SIZE);
}

function filled(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}

function speed(text: string, runs = RUNS): number {
  return cost(text, redact, runs);
}

/** Milliseconds of the processor for a million characters: the best of some runs. */
function cost(text: string, work: (text: string) => unknown, runs = RUNS): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run <= runs; run++) {
    const start = process.cpuUsage();
    work(text);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return round((best / text.length) * 1e6);
}

/** The least that looking at a text costs on this machine. */
function pass(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return sum;
}

/** The share of forms that nothing of is left, each filled in ten times. */
function found(forms: readonly string[]): number {
  const clean = forms.filter((form, index) =>
    Array.from({ length: 10 }, (_, seed) => fillForm(form, numbersOf(seed * 977 + index))).every(
      ({ text, secrets }) => {
        const { text: rest, redactions } = redact(text);
        return (
          redactions.length > 0 && !secrets.some((secret) => rest.includes(secret.slice(0, 14)))
        );
      },
    ),
  );
  return round(clean.length / forms.length);
}
