import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, round, type BenchOptions, type Figures } from '../figures.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** The root entries that programs import. */
const PACKAGES = ['providers', 'core', 'rag', 'memory', 'workflow', 'talktable'];
const RUNS = 9;

/** The processor time of importing each package, in processes that do nothing else, in turns. */
export async function benchImports({ log }: BenchOptions): Promise<Figures> {
  const times = new Map<string, number[]>(PACKAGES.map((name) => [name, []]));
  log(`importing each package in ${RUNS} processes ...`);
  for (let run = 0; run < RUNS; run++) {
    for (const [name, list] of times) list.push(importTime(`@vizprompt/${name}`));
  }
  return Object.fromEntries(
    Array.from(times, ([name, list]) => [`import_cpu_ms_${name}`, round(median(list))]),
  );
}

/** Milliseconds of processor time of an import, without those of starting Node. */
function importTime(name: string): number {
  const program = `const start = process.cpuUsage(); await import(${JSON.stringify(name)});
    const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000);`;
  const args = ['--input-type=module', '-e', program];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: FOLDER }));
}
