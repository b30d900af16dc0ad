import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runWorker } from './run-worker.ts';

/** Texts, and what is asked of them. */
export interface QuestionSet {
  readonly texts: readonly { readonly title: string; readonly text: string }[];
  readonly questions: readonly string[];
}

/** Where a run of the benchmark keeps its files. */
export interface Place {
  readonly folder: string;
  /** Where the dictionary is compiled to. */
  readonly dictionaries: string;
  log(line: string): void;
}

/** Of each question of each set, the ten best texts. */
type Answers = readonly (readonly (readonly number[])[])[];

/**
 * Asks systems the same questions of the same texts, each in a process of its own.
 *
 * @param name - Of the file with the questions.
 */
export async function askSystems(
  systems: readonly string[],
  name: string,
  sets: readonly QuestionSet[],
  { folder, dictionaries, log }: Place,
): Promise<ReadonlyMap<string, Answers>> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(sets));
  const answers = new Map<string, Answers>();
  for (const system of systems) {
    log(`  ${system} ...`);
    const { result } = await runWorker<{ answers: Answers; failures: readonly string[] }>(
      'relevance-worker.mjs',
      [system, folder, dictionaries, file],
    );
    for (const failure of result.failures) log(`  ${system} failed: ${failure}`);
    answers.set(system, result.answers);
  }
  return answers;
}
