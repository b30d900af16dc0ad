import type { WorkflowFile } from '../definition/workflow-file.ts';
import type { Finding } from '../problems/finding.ts';

/** The names of these stay known, so that a mistake within is told once and not wherever the name is used. */
const SUBSTITUTES = { agent_roles: { system_prompt: '' }, prompts: '', workflows: { steps: [] } };

/** What can be looked at further in a file with mistakes; what holds one is empty. */
export function intactPart(value: unknown, findings: readonly Finding[]): WorkflowFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const parts = Object.entries(SUBSTITUTES).map(([part, substitute]) => {
    const all: unknown = Object(value)[part];
    if (typeof all !== 'object' || all === null || Array.isArray(all)) return [part, {}];
    const entries = Object.entries(all).map(([name, one]): [string, unknown] => {
      const isBroken = findings.some(({ path }) => path[0] === part && String(path[1]) === name);
      return [name, isBroken ? substitute : one];
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
