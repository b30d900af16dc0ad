import type { JsonObject } from '@vizprompt/providers';
import { nearestName } from '@vizprompt/providers/config';
import {
  ANYTHING,
  CHAT_MODEL,
  type Description,
  either,
  having,
  isRecord,
  type Kind,
  listOf,
  NONEMPTY,
  optional,
  type OptionalKind,
  optionChecks,
  type OptionChecks,
  orNull,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { VizPromptError } from './errors.ts';
import { isUuid } from './format/ids-and-times.ts';
import { DEFAULT_LIMITS } from './limits.ts';

const UUID: Kind<string> = {
  expected: 'the id of a node: a UUID',
  accepts: (value) => typeof value === 'string' && isUuid(value),
  json: { type: 'string' },
};
/** Returns an array on the wire: each item is checked alone, so that a problem says which one it is. */
function eachOf(
  expected: string,
  kind: Kind<string>,
  least = 0,
  most: number = Infinity,
): Kind<readonly string[]> {
  return {
    ...listOf(expected, kind, least, most),
    accepts: (value) => Array.isArray(value) && value.length >= least && value.length <= most,
  };
}

/** The id of a node: in code any other text is that of nothing. */
export const NODE_ID: Kind<string> = { ...TEXT, en: 'The id of a node: a UUID', onWire: UUID };
/** The id of a node; `null`: none. */
export const NODE_ID_OR_NONE: Kind<string | null> = { ...orNull(TEXT), onWire: orNull(UUID) };
/** A list of this many ids of nodes. */
export function nodeIds(least: number, most: number): Kind<readonly string[]> {
  return eachOf('ids of nodes', UUID, least, most);
}
export const IDS: Kind<readonly string[]> = { ...TEXTS, onWire: eachOf('ids of nodes', UUID) };
/** An id, or several; `null` says that there is none. */
export const IDS_OR_NONE: Kind<string | readonly string[] | null> = {
  ...orNull(either(TEXT, TEXTS)),
  onWire: orNull(either(UUID, eachOf('ids of nodes', UUID))),
};
/** The nodes that something continues from. */
export const PARENTS: OptionalKind<string | readonly string[] | null> = optional(IDS_OR_NONE, {
  en: 'The node or nodes that it continues from; null: none. Default: the head of the flow',
});

/** A flow by any of its names. */
export const FLOW_NAME: Kind<string> = {
  ...TEXT,
  en: 'A flow: its id, its alias, its file name or its name',
  onWire: NONEMPTY,
};
export const FLOW_OR_NONE: Kind<string | null> = { ...orNull(TEXT), onWire: orNull(NONEMPTY) };
export const BRANCH_NAME: OptionalKind<string> = optional(TEXT, {
  en: 'The name of the branch that begins',
});
/** A name. */
export const LABEL: Kind<string> = { ...TEXT, onWire: NONEMPTY };
export const LABELS: Kind<readonly string[]> = { ...TEXTS, onWire: eachOf('strings', NONEMPTY) };
export const ALIAS: OptionalKind<string> = optional(LABEL, {
  en: 'A short name that no other flow has',
});
export const REGISTRY: Kind<never> = having(
  'a ModelRegistry, such as createModelRegistry()',
  'model',
);
export const COUNTER: Kind<never> = having(
  'a TokenCounter, such as createTokenEstimator()',
  'count',
);
export const MODEL_OR_NONE: Kind<null> = orNull<never>(CHAT_MODEL);
/** A flow or a node as it was read, or the version of it. */
export const VERSION: Kind<string> = {
  ...either<string, never>(TEXT, having('what was read, with its version', 'version')),
  en: 'The version that was read: if it is another now, the answer is the error conflict',
  onWire: TEXT,
};

export const LISTENERS: Kind<never> = {
  expected: 'an object of functions by the names of events',
  accepts: (value) =>
    isRecord(value) &&
    Object.values(value).every((one) => one === undefined || typeof one === 'function'),
};

/** Limits of a project, each by its name. */
export const LIMITS: Kind<never> = {
  expected: `an object of numbers from 1 with the keys ${Object.keys(DEFAULT_LIMITS).join(', ')}`,
  accepts: (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([key, one]) =>
        Object.hasOwn(DEFAULT_LIMITS, key) &&
        (one === undefined || (typeof one === 'number' && one >= 1)),
    ),
};

/** Any value that JSON can express, at every depth. */
export const JSON_VALUE: Kind<never> = {
  expected: 'a value of JSON',
  accepts(value) {
    try {
      return JSON.stringify(value) !== undefined;
    } catch {
      return false;
    }
  },
};

/** An object of JSON. */
export const JSON_OBJECT: Kind<JsonObject> = {
  expected: 'an object of JSON',
  accepts: (value) => isRecord(value) && JSON_VALUE.accepts(value),
};

/** Returns a kind that servers check at once, and code where the value is read. */
export function checkedLater<Value>(
  onWire: Kind<Value>,
  description: Description,
): OptionalKind<Value> {
  return { ...ANYTHING, ...description, onWire };
}

/** Checks whether a value is an object whose fields are of these kinds. */
export function hasFields(value: unknown, kinds: Readonly<Record<string, Kind>>): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(kinds).every(([key, kind]) => {
    const field: unknown = Reflect.get(value, key);
    return kind.accepts(field) || (kind.isOptional === true && field === undefined);
  });
}

/** An argument that plain JavaScript passes and TypeScript would not is a VizPromptError with the code `invalid-input`. */
const checks: OptionChecks = optionChecks(
  (message, context) => new VizPromptError('invalid-input', message, { context }),
);

export const checkArgument: OptionChecks['checkArgument'] = checks.checkArgument;
export const assertOpened: OptionChecks['assertOpened'] = checks.assertOpened;
export const checkOptions: OptionChecks['checkOptions'] = checks.checkOptions;
export const listenerCheck: OptionChecks['listenerCheck'] = checks.listenerCheck;

/** Returns the error for a form of import or export that there is none of. */
export function noFormat(format: unknown, known: readonly string[]): VizPromptError {
  const nearest = nearestName(String(format), known);
  const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
  const message = `'${String(format)}' is no format: ${hint}there are ${known.join(', ')}`;
  return new VizPromptError('invalid-input', message);
}
