import { jsonSchemaOf, objectSchemaOf } from './json-schema.ts';
import {
  type AnyKinds,
  type InputProblem,
  isRecord,
  type JsonSchema,
  type Kind,
  memberProblems,
  type OptionalKind,
  shownInstead,
  shownValue,
} from './kinds.ts';

/** The values of fields, as code has them. */
export type InputOf<Fields extends AnyKinds> = {
  readonly [Key in keyof Fields as Fields[Key] extends OptionalKind ? never : Key]: ValueOf<
    Fields[Key]
  >;
} & {
  readonly [Key in keyof Fields as Fields[Key] extends OptionalKind ? Key : never]?:
    | ValueOf<Fields[Key]>
    | undefined;
};

type ValueOf<One> = One extends Kind<infer Value> ? Value : never;

/** Something that is wrong with what came, and where. */
interface WireProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** The received value, as code has it, or the problem with it. */
export type WireResult<Value> =
  | { readonly value: Value; readonly problems?: undefined }
  | { readonly problems: readonly WireProblem[] };

/** The Standard Schema of an input, with its JSON Schema (standardschema.dev), as MCP servers take it. */
interface StandardInput<Value> {
  readonly version: 1;
  readonly vendor: 'vizprompt';
  readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  readonly validate: (value: unknown) =>
    | { readonly value: Value; readonly issues?: undefined }
    | {
        readonly issues: readonly { readonly message: string; readonly path: string[] }[];
      };
  readonly jsonSchema: {
    readonly input: () => Record<string, unknown>;
    readonly output: () => Record<string, unknown>;
  };
}

/** The input of a server, a tool or a command, made of the description of a method's input. */
export interface WireInput<Value> {
  /** The kinds by the names that they have on the wire. */
  readonly members: AnyKinds;
  readonly jsonSchema: JsonSchema;
  /** Checks what came, gives members their names in code, and absent ones their defaults. */
  read(value: unknown): WireResult<Value>;
  /** Returns the same for the query of an address, whose values are texts. */
  readQuery(query: URLSearchParams): WireResult<Value>;
  readonly '~standard': StandardInput<Value>;
}

/**
 * Makes the input of a server, a tool or a command. It takes what JSON can hold: signals, functions and what only code
 * may give are left out.
 *
 * @param fields - The kinds by the names of members in code, arguments and options together.
 * @param names - Names on the wire. Default: those in code.
 */
export function wireInput<const Fields extends AnyKinds>(
  fields: Fields,
  names: { readonly [Key in keyof Fields]?: string } = {},
): WireInput<InputOf<Fields>> {
  const keys = new Map<string, string>();
  const members: Record<string, Kind> = {};
  for (const [key, { onWire, ...rest }] of Object.entries(fields)) {
    const kind = { ...rest, ...onWire };
    if (kind.isCodeOnly === true || !jsonSchemaOf(kind)) continue;
    const name = names[key] ?? key;
    keys.set(name, key);
    members[name] = kind;
  }
  const jsonSchema = objectSchemaOf(members);
  const read = (given: unknown): WireResult<InputOf<Fields>> => {
    if (!isRecord(given)) {
      return { problems: [{ path: [], message: `expected an object, got ${shownValue(given)}` }] };
    }
    const problems = memberProblems(members, given).map((problem) =>
      toWireProblem(problem, members),
    );
    if (problems.length > 0) return { problems };
    const entries = [...keys].flatMap(([name, key]) => {
      const value: unknown = Reflect.get(given, name);
      const used = value === undefined ? members[name]?.default : value;
      return used === undefined ? [] : [[key, used]];
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked by its kinds
    return { value: Object.fromEntries(entries) as InputOf<Fields> };
  };
  return {
    members,
    jsonSchema,
    read,
    readQuery: (query) => read(valuesOf(query, members)),
    '~standard': {
      version: 1,
      vendor: 'vizprompt',
      validate(given) {
        const result = read(given);
        if (!result.problems) return { value: result.value };
        const issues = result.problems.map(({ path, message }) => ({ message, path: [...path] }));
        const all = `there are ${[...keys.keys()].join(', ')}`;
        if (issues.some(({ message }) => message.endsWith(all))) return { issues };
        return { issues: [...issues, { message: all, path: [] }] };
      },
      jsonSchema: { input: () => ({ ...jsonSchema }), output: () => ({ ...jsonSchema }) },
    },
  };
}

function toWireProblem(problem: InputProblem, members: AnyKinds): WireProblem {
  const { path } = problem;
  if (problem.unknown === undefined) {
    const isMissing = problem.given === undefined;
    const found = `expected ${problem.expected}, got ${shownInstead(problem)}`;
    const { en } = members[path[0] ?? ''] ?? {};
    // Its author may be a model, which does better when it knows what the member is for.
    const use = en === undefined ? '' : ` (${en})`;
    return { path, message: `${isMissing ? 'it is missing' : found}${use}` };
  }
  const { unknown, nearest, known } = problem;
  const hint = nearest === undefined ? `there are ${known.join(', ')}` : `is '${nearest}' meant?`;
  return { path, message: `there is no '${unknown}': ${hint}` };
}

/** Returns the values of a query by the kinds that they should have; what is of no kind stays a text, to be refused. */
function valuesOf(query: URLSearchParams, members: AnyKinds): object {
  const values = [...new Set(query.keys())].map((name): [string, unknown] => {
    const given = query.getAll(name);
    const { json, items } = Object.hasOwn(members, name) ? (members[name] ?? {}) : {};
    if (items) return [name, given.flatMap((text) => text.split(',')).map(valueOf(items.json))];
    return [name, given.length === 1 ? given.map(valueOf(json))[0] : given];
  });
  // A key such as __proto__ becomes a key, not a prototype.
  return Object.fromEntries(values);
}

function valueOf(json: JsonSchema = {}): (text: string) => unknown {
  return (text) => {
    const { type } = json;
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
    const isNumber = type === 'number' || type === 'integer';
    return isNumber && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
  };
}

/** Returns the same with snake_case for the names in code that are not named otherwise. */
export function snakeInput<const Fields extends AnyKinds>(
  fields: Fields,
  names: { readonly [Key in keyof Fields]?: string } = {},
): WireInput<InputOf<Fields>> {
  const snake = Object.keys(fields).map((key) => [
    key,
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]);
  return wireInput(fields, { ...Object.fromEntries(snake), ...names });
}
