import type { Definitions } from '../definition/definitions.ts';
import type { Step } from '../definition/step.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import type { Origin } from '../load/join-files.ts';
import type { Finding, Path } from '../problems/finding.ts';

/** A workflow that is looked at, with all that is around it. */
export interface WorkflowCheck {
  readonly name: string;
  readonly workflow: WorkflowDefinition;
  readonly origin: Origin;
  readonly definitions: Definitions;
  /** Whether only some of its steps are intact, so that nothing can be said of how they follow each other. */
  readonly isPartial: boolean;
}

/** A finding at a place of the workflow. */
export function at(
  { origin }: WorkflowCheck,
  path: Path,
  finding: Omit<Finding, 'source' | 'path'>,
): Finding {
  return { ...finding, source: origin.source, path: [...origin.path, ...path] };
}

/** All the steps that a step can go on with, and where it says so. */
export function targets(step: Step): readonly { readonly name: string; readonly path: Path }[] {
  const all: { name: string; path: Path }[] = [];
  const add = (name: string | undefined, ...path: Path): void => {
    if (name !== undefined) all.push({ name, path });
  };
  add(step.next_step, 'next_step');
  if (step.type === 'branch') {
    for (const [index, branch] of step.branches.entries()) {
      add(branch.next_step, 'branches', index, 'next_step');
    }
    add(step.else, 'else');
  }
  if (typeof step.onError === 'object' && 'goto' in step.onError) {
    add(step.onError.goto, 'onError', 'goto');
  }
  return all;
}
