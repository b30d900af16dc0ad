import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultRedactionRules, redact } from '@vizprompt/providers';
import { fillForm, numbersOf } from '../../packages/providers/test/support/fill-form.ts';
import { hostileTexts } from '../../packages/providers/test/support/hostile-texts.ts';
import { SECRET_FORMS } from '../../packages/providers/test/support/secret-forms.ts';
import { SECRET_PLACES } from '../../packages/providers/test/support/secret-places.ts';
import { round, type BenchOptions, type Figures } from '../figures.ts';

const SIZE = 400_000;
/** Adversarial texts are many: all are tried when short, and the slowest as long ones. */
const SHORT = 25_000;
const SLOWEST = 60;
/** Milliseconds a million characters; every text above them is tried as a long one, too. */
const SUSPICIOUS = 40;
const MIXTURES = 600;
const RUNS = 5;

/**
 * Redaction by processor time: of plain text in two languages, code, JSON, texts full of secrets, and texts that are made to be
 * slow, each against one pass over the same characters; and which share of secrets is found.
 */
// oxlint-disable-next-line require-await -- a benchmark is asynchronous
export async function benchRedact({ log }: BenchOptions): Promise<Figures> {
  log('plain text, code and JSON ...');
  const code = sources();
  const figures: Record<string, number> = {
    plain_ms_per_mb: speed(filled('The quick brown fox jumps over the lazy dog. ', SIZE)),
    japanese_ms_per_mb: speed(filled('彼女は雨の朝、東京の駅で先生の言葉を聞いた。', SIZE)),
    code_ms_per_mb: speed(code),
    json_ms_per_mb: speed(JSON.stringify({ code })),
    pass_ms_per_mb: cost(code, pass),
  };
  log('texts made to be slow ...');
  const keywords = [...new Set(defaultRedactionRules.flatMap((rule) => rule.keywords ?? []))];
  const texts = hostileTexts(keywords, MIXTURES);
  const first = texts.map((text) => [speed(text.fill(SHORT), 1), text] as const);
  const slowest = first
    .toSorted(([a], [b]) => b - a)
    .filter(([ms], index) => index < SLOWEST || ms > SUSPICIOUS);
  const long = slowest.map(([, text]) => [speed(text.fill(SIZE)), text] as const);
  const [[worst, text] = [0, undefined]] = long.toSorted(([a], [b]) => b - a);
  log(`the slowest of ${texts.length}: ${text?.kind}: ${JSON.stringify(text?.unit)}`);
  const dense = texts.filter(({ kind }) => kind === 'dense, itself');
  figures['dense_ms_per_mb'] = Math.max(...dense.map((each) => speed(each.fill(SIZE))));
  figures['worst_ms_per_mb'] = worst;
  figures['slow_mean_ms_per_mb'] = round(long.reduce((sum, [ms]) => sum + ms, 0) / long.length);
  figures['slow_share'] = round(long.filter(([ms]) => ms > 50).length / first.length);
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
  return round(((costs(text, work, runs)[0] ?? 0) / text.length) * 1e6);
}

/** Milliseconds of the processor of one run more than is asked for, ascending. */
function costs(text: string, work: (text: string) => unknown, runs: number): readonly number[] {
  const all = Array.from({ length: runs + 1 }, () => {
    const start = process.cpuUsage();
    work(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return all.toSorted((a, b) => a - b);
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
