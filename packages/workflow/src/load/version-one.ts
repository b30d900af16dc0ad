import type { WorkflowFile } from '../definition/workflow-file.ts';
import type { Finding, Path } from '../problems/finding.ts';
import type { Source } from './source.ts';

const CALL = ['agent_id', 'prompt_id', 'input_variables', 'output_variable'];
const KEYS = {
  file: new Set(['$schema', 'version', 'agent_roles', 'prompts', 'workflows']),
  workflow: new Set(['description', 'initial_step', 'steps']),
  agent_interaction: new Set(['id', 'type', 'next_step', ...CALL]),
  multi_agent_interaction: new Set(['id', 'type', 'next_step', 'agents_to_run']),
  call: new Set(CALL),
};

/** What a file that calls itself version 1 holds of later ones. */
export function versionFindings(source: Source, file: WorkflowFile): readonly Finding[] {
  if (file.version !== 1) return [];
  const findings: Finding[] = [];
  const check = (value: object, path: Path, keys: ReadonlySet<string>): void => {
    for (const name of Object.keys(value)) {
      if (keys.has(name)) continue;
      const place = { source, path: [...path, name], isKey: true };
      findings.push({ code: 'version-key', ...place, words: { name } });
    }
  };
  check(file, [], KEYS.file);
  for (const [name, workflow] of Object.entries(file.workflows ?? {})) {
    const path = ['workflows', name];
    check(workflow, path, KEYS.workflow);
    for (const [at, step] of workflow.steps.entries()) {
      const place = [...path, 'steps', at];
      const { type } = step;
      if (type !== 'agent_interaction' && type !== 'multi_agent_interaction') {
        findings.push({
          code: 'version-key',
          source,
          path: [...place, 'type'],
          words: { name: type },
        });
        continue;
      }
      check(step, place, KEYS[type]);
      if (type !== 'multi_agent_interaction') continue;
      for (const [index, call] of step.agents_to_run.entries()) {
        check(call, [...place, 'agents_to_run', index], KEYS.call);
      }
    }
  }
  return findings;
}
