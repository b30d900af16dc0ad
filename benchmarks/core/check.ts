import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { round, type Figures } from '../figures.ts';

const WORKER = fileURLToPath(new URL('./check-worker.mjs', import.meta.url));

/** What it takes to check all files of a project, in a process of its own, and what memory at most. */
export function benchCheck(folder: string, log: (line: string) => void): Figures {
  log('checking it ...');
  const output = execFileSync(process.execPath, [WORKER, folder], { encoding: 'utf8' });
  const { ms, peak, findings } = JSON.parse(output) as Readonly<Record<string, number>>;
  return {
    check_s: round(Number(ms) / 1000),
    check_peak_rss_mb: round(Number(peak)),
    check_findings: Number(findings),
  };
}
