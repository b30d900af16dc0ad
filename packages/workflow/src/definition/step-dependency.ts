import type { Step } from './step.ts';
import { toolsOf } from './walk-steps.ts';

/** A dependency of a step, by its name. */
export interface StepDependency {
  readonly name: string;
  readonly key: 'function' | 'tool' | 'retriever' | 'activity';
  readonly list: 'functions' | 'tools' | 'retrievers' | 'activities';
}

/** A dependency, and its place below the step. */
interface PlacedDependency extends StepDependency {
  readonly path: readonly (string | number)[];
}

/** Returns what a step and the tools of its agents need besides models and people. */
export function dependenciesOf(step: Step): readonly PlacedDependency[] {
  const own = dependencyOf(step);
  const tools = toolsOf(step).flatMap(({ reference, path }): PlacedDependency[] => {
    const { kind, name } = reference;
    if (kind === 'engine') return [{ name, key: 'tool', list: 'tools', path }];
    return kind === 'retriever' ? [{ name, key: 'retriever', list: 'retrievers', path }] : [];
  });
  return [...(own ? [{ ...own, path: [own.key] }] : []), ...tools];
}

/** Returns what a step itself needs besides models and people. */
function dependencyOf(step: Step): StepDependency | undefined {
  switch (step.type) {
    case 'function':
      return { name: step.function, key: 'function', list: 'functions' };
    case 'tool':
      return { name: step.tool, key: 'tool', list: 'tools' };
    case 'activity':
      return { name: step.activity, key: 'activity', list: 'activities' };
    case 'retrieve':
      return { name: step.retriever, key: 'retriever', list: 'retrievers' };
    default:
      return undefined;
  }
}
