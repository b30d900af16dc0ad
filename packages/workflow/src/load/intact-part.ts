import type { WorkflowFile } from '../definition/workflow-file.ts';
import type { Finding } from '../problems/finding.ts';
import { fitsFormat } from './fits.ts';

/** The names of these stay known, so that a mistake within is told once and not wherever the name is used. */
const SUBSTITUTES = { agent_roles: { system_prompt: '' }, prompts: '', workflows: { steps: [] } };

/** Keys of steps that say nothing of what is named and set where: without them the rest means the same. */
const BESIDE =
  'description retry timeout temperature maxOutputTokens maxConcurrency maxDelay weight fallback k top separator'.split(
    ' ',
  );

/**
 * What can be looked at further in a file with mistakes. What is mistyped or stands beside the flow is left out;
 * what is wrong otherwise is empty.
 */
export function intactPart(value: unknown, findings: readonly Finding[]): WorkflowFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const parts = Object.entries(SUBSTITUTES).map(([part, substitute]) => {
    const all: unknown = Object(value)[part];
    if (typeof all !== 'object' || all === null || Array.isArray(all)) return [part, {}];
    const entries = Object.entries(all).map(([name, one]): [string, unknown] => {
      const within = findings.filter(({ path }) => path[0] === part && String(path[1]) === name);
      if (within.length === 0) return [name, one];
      const rest = part === 'workflows' ? withoutMistakes(one, within) : undefined;
      return [name, rest ?? substitute];
    });
    return [part, Object.fromEntries(entries)];
  });
  const use: unknown = Object(value).use;
  const isUseIntact = !findings.some(({ path }) => path[0] === 'use');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the schema had nothing to say of
  return {
    ...Object.fromEntries(parts),
    ...(isUseIntact && use !== undefined ? { use } : {}),
  } as WorkflowFile;
}

/** A workflow without the keys that are wrong, if the flow is the same without them. */
function withoutMistakes(workflow: unknown, findings: readonly Finding[]): unknown {
  const rest = structuredClone(workflow);
  for (const { code, path } of findings) {
    const inner = path.slice(2);
    const at = code === 'unknown-key' ? inner.length - 1 : inner.findIndex(isBeside);
    if (at < 0 || inner.includes('input_variables')) return undefined;
    let holder: unknown = rest;
    for (const key of inner.slice(0, at)) holder = Object(holder)[key];
    Reflect.deleteProperty(Object(holder), inner[at] ?? '');
  }
  return fitsFormat({ workflows: { rest } }) ? rest : undefined;
}

function isBeside(key: string | number): boolean {
  return typeof key === 'string' && BESIDE.includes(key);
}
