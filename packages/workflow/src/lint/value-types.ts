import { isDeepStrictEqual } from 'node:util';
import { type JsonObject } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { Step } from '../definition/step.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import { type Finding, unknownName } from '../problems/finding.ts';

/** The known type of a value: a JSON Schema. Nothing is known if absent. */
type ValueType = JsonObject;

const TEXT: ValueType = { type: 'string' };

/** Finds the types of a workflow's variables, where all steps that set one agree. */
export function variableTypes(workflow: WorkflowDefinition): ReadonlyMap<string, ValueType> {
  const types = new Map<string, ValueType | undefined>();
  const add = (name: string | undefined, type: ValueType | undefined): void => {
    if (name === undefined) return;
    const isOther = types.has(name) && !isDeepStrictEqual(types.get(name), type);
    types.set(name, isOther ? undefined : type);
  };
  add('user_input', workflow.inputs);
  for (const { step } of allSteps(workflow.steps)) {
    for (const { call, path } of agentCalls(step)) {
      if (path[0] === 'agents_to_run') add(call.output_variable, call.output?.schema ?? TEXT);
    }
    if ('output_variable' in step) add(step.output_variable, outputType(step));
    if (step.type === 'loop') add(step.as ?? 'round', { type: 'integer' });
    if (step.type !== 'foreach') continue;
    add(step.as, undefined);
    add(step.indexAs, { type: 'integer' });
  }
  const known = [...types].flatMap(([name, type]): [string, ValueType][] =>
    type === undefined ? [] : [[name, type]],
  );
  return new Map(known);
}

function outputType(step: Step): ValueType | undefined {
  switch (step.type) {
    case 'agent_interaction':
      return orFallback(step, step.output?.schema ?? TEXT);
    case 'human':
      return orFallback(step, step.output?.schema);
    case 'foreach':
      return orFallback(step, { type: 'array' });
    case 'retrieve':
      return orFallback(step, { type: 'array', items: PASSAGE });
    case 'multi_agent_interaction': {
      const { aggregate } = step;
      const strategy = typeof aggregate === 'object' ? aggregate.strategy : aggregate;
      if (strategy === 'concat') return orFallback(step, TEXT);
      if (strategy === 'rankFusion') return orFallback(step, { type: 'array' });
      return undefined;
    }
    default:
      return undefined;
  }
}

/** A fallback for an output may have another type. */
function orFallback(step: Step, type: ValueType | undefined): ValueType | undefined {
  return typeof step.onError === 'object' && 'default' in step.onError ? undefined : type;
}

const PASSAGE: JsonObject = {
  type: 'object',
  properties: {
    id: TEXT,
    text: TEXT,
    score: { type: 'number' },
    source: { type: 'object' },
    title: TEXT,
    time: TEXT,
    meta: { type: 'object' },
  },
};

/** A step of a path that a schema has no place for. */
interface MissingField {
  readonly parent: string;
  readonly name: string;
  readonly known: readonly string[];
  /** Where the name is in the path. */
  readonly within: number;
}

/** Returns the first step of a dotted path that the schema of its variable does not have. */
function missingField(path: string, type: ValueType): MissingField | undefined {
  const [root = '', ...fields] = path.split('.');
  let schema: JsonObject | undefined = type;
  let within = root.length;
  let parent = root;
  for (const name of fields) {
    const known: readonly string[] | undefined = schema && fieldsOf(schema, name);
    if (known) return { parent, name, known, within: within + 1 };
    schema = schema && below(schema, name);
    within += name.length + 1;
    parent = `${parent}.${name}`;
  }
  return undefined;
}

/** Keywords that may bring further fields. */
const COMBINING =
  'patternProperties allOf anyOf oneOf if then else dependentSchemas $ref $dynamicRef'.split(' ');
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Returns the fields that there are, if the one that is asked for is certainly none of them. */
function fieldsOf(schema: JsonObject, name: string): readonly string[] | undefined {
  const { type, properties, additionalProperties: additional } = schema;
  if (type === 'array') return /^\d+$/.test(name) ? undefined : [];
  if (type === 'object' && isJsonObject(properties)) {
    const isOpen =
      additional === true || isJsonObject(additional) || COMBINING.some((key) => key in schema);
    return isOpen || Object.hasOwn(properties, name) ? undefined : Object.keys(properties);
  }
  return typeof type === 'string' && SCALARS.has(type) ? [] : undefined;
}

function below(schema: JsonObject, name: string): JsonObject | undefined {
  const { type, items, prefixItems, properties } = schema;
  if (prefixItems !== undefined) return undefined;
  const found = type === 'array' ? items : isJsonObject(properties) ? properties[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** A finding that has yet to be placed; `within` is the place in the path. */
export type Missing = Omit<Finding, 'source' | 'path' | 'within'> & { readonly within: number };

/** Reports dotted paths that variables do not have, by their schemas or the steps there are. */
export class ValueCheck {
  readonly #types: ReadonlyMap<string, ValueType>;
  /** The possible keys of `errors`; absent where an id looks like a path. */
  readonly #ids: readonly string[] | undefined;

  constructor(workflow: WorkflowDefinition) {
    this.#types = variableTypes(workflow);
    const ids = Array.from(allSteps(workflow.steps), ({ step }) => step.id);
    this.#ids = ids.some((id) => id.includes('.')) ? undefined : ids;
  }

  missing(dotted: string): Missing | undefined {
    const [name = '', first] = dotted.split('.');
    if (name === 'errors') {
      if (first === undefined || this.#ids === undefined || this.#ids.includes(first))
        return undefined;
      return { code: 'unknown-step', within: name.length + 1, ...unknownName(first, this.#ids) };
    }
    const type = this.#types.get(name);
    const field = type && missingField(dotted, type);
    if (!field) return undefined;
    const { parent, known, within } = field;
    const words = { parent, name: field.name };
    if (known.length === 0) return { code: 'field-of-value', within, words };
    return { code: 'unknown-field', within, ...unknownName(field.name, known), words };
  }
}
