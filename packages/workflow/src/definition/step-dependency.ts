import type { Step } from './step.ts';

/** What a step needs of the engine, by its name. */
export interface StepDependency {
  readonly name: string;
  readonly key: 'function' | 'tool' | 'retriever' | 'activity';
  readonly list: 'functions' | 'tools' | 'retrievers' | 'activities';
}

/** What a step needs beside models and people. */
export function dependencyOf(step: Step): StepDependency | undefined {
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
