import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import type { Step } from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { partNames } from '../run/parallel-steps.ts';

/** The name by which recorders call the person that answers a `human` step. */
const PERSON = 'person';
/** Keys of objects that name who said the rest of the object. */
const NAMING_KEYS = ['speaker', 'user', 'author', 'participant', 'answeredBy', 'by'] as const;

/**
 * Finds who did a step: this and {@link isSaidBy} are the places that know which fields name a person. A `human` step
 * was answered by `person`; other steps have the name of their agent, function, tool, retriever or activity.
 */
export function speakerOf(
  { workflows }: DefinitionSnapshot,
  path: string,
  meta: JsonObject = {},
): string | undefined {
  const id = typeof meta['stepId'] === 'string' ? meta['stepId'] : idIn(path);
  for (const workflow of Object.values(workflows)) {
    for (const { step } of allSteps(workflow.steps)) if (step.id === id) return nameOf(step, path);
  }
  return undefined;
}

/** Checks whether an object of a value says that a speaker said it. */
export function isSaidBy(
  value: JsonValue,
  isSpeaker: (name: unknown) => boolean,
): value is JsonObject {
  return isJsonObject(value) && NAMING_KEYS.some((key) => isSpeaker(value[key]));
}

function nameOf(step: Step, path: string): string | undefined {
  switch (step.type) {
    case 'human':
      return PERSON;
    case 'agent_interaction':
      return step.agent_id;
    case 'multi_agent_interaction': {
      const part = path.slice(path.lastIndexOf('/') + 1);
      return step.agents_to_run[partNames(step.agents_to_run).indexOf(part)]?.agent_id;
    }
    case 'team': {
      const part = path.slice(path.lastIndexOf('/') + 1);
      const name = Object.keys(step.members).find(
        (one) => part === one || part.startsWith(`${one}:`),
      );
      return name === undefined ? undefined : step.members[name]?.agent_id;
    }
    case 'function':
      return step.function;
    case 'tool':
      return step.tool;
    case 'retrieve':
      return step.retriever;
    case 'activity':
      return step.activity;
    default:
      return undefined;
  }
}

function idIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/#\d+$/, '');
}
