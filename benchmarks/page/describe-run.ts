import { availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

/**
 * What the figures of a run belong to: the command, the day, the machine, and how busy it was. The load is
 * that of the last minute, so the one at the end is mostly of the benchmark itself.
 */
export function describeRun(command: string, loadBefore: number): string {
  const model = cpus()[0]?.model.trim() ?? 'processors';
  const machine = `${availableParallelism()} × ${model}`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const load = `load ${loadBefore.toFixed(1)} before, ${currentLoad().toFixed(1)} at the end`;
  const day = new Date().toISOString().slice(0, 10);
  return `\`${command}\`, ${day}: Node ${process.versions.node}, ${platform()}, ${machine}, ${memory}; ${load}.`;
}

/** Processes that want a processor, on average over a minute; 0 on Windows, which does not tell. */
export function currentLoad(): number {
  return loadavg()[0] ?? 0;
}
