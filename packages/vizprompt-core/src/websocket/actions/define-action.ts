import type { WireInput } from '@vizprompt/providers/config/internal';
import { z } from 'zod';
import type { VizPrompt } from '../../vizprompt.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { FieldProblem } from '../wire/error.ts';

/** The context of an action besides its data. */
export interface ActionContext {
  readonly vizprompt: VizPrompt;
  readonly subscriptions: Subscriptions;
  /** Ends a long action: the client left, cancelled it, or the server closes. */
  readonly signal: AbortSignal;
  /** Reports to the client how the action continues; resolves when there is room for more. */
  tell(event: string, data: object): Promise<void>;
  /** Ends a long action of the client; `false` if none of this id is in progress. */
  cancel(id: string | number): boolean;
}

/** The result of an action. */
export interface ActionResult {
  readonly data: object;
  /** The node that was created; it is at the top level of the answer, too. */
  readonly nodeId?: string;
}

/** The data of a message as an action takes it, or what is wrong with it. */
type ReadData<Data> =
  | { readonly value: Data; readonly problems?: undefined }
  | { readonly problems: readonly FieldProblem[] };

/** An action of the protocol: its implementation, and its description in the AsyncAPI document. */
export interface Action {
  readonly name: string;
  readonly summary: string;
  /** The form of its data, as JSON Schema. */
  readonly data: z.ZodType;
  /** `true`: a message may omit the data. */
  readonly isDataOptional: boolean;
  /** The contents of its answer. */
  readonly answer: z.ZodType;
  /** `true`: the answer has a `node_id` next to its data. */
  readonly makesNode: boolean;
  /** `true`: runs alongside the other actions of its client, and can be cancelled. */
  readonly isLong: boolean;
  /** It changes nothing, and its answer may be large: few of them run at a time. */
  readonly isReading: boolean;
  /** The events that it emits while it runs, by name. */
  readonly tells: Readonly<Record<string, z.ZodType>>;
  /** Checks the data of a message; the problems name fields by their places in the message. */
  read(data: unknown): ReadData<unknown>;
  run(context: ActionContext, data: unknown): Promise<ActionResult>;
}

/** An action with its input. */
export interface ActionDefinition<Data> {
  readonly name: string;
  readonly summary: string;
  /** Made of the kinds of the method that it calls. */
  readonly data: WireInput<Data>;
  readonly answer: z.ZodRawShape;
  readonly makesNode?: boolean;
  readonly isLong?: boolean;
  readonly tells?: Readonly<Record<string, z.ZodType>>;
  /** Finds what no field alone can be blamed for. */
  check?(data: Data): FieldProblem | undefined;
  run(context: ActionContext, data: Data): Promise<ActionResult>;
}

/** Makes an action; its data is checked before it runs. */
export function defineAction<Data>(definition: ActionDefinition<Data>): Action {
  const { name, summary, data, answer, makesNode = false, isLong = false, tells = {} } = definition;
  const read = (given: unknown): ReadData<Data> => {
    const result = data.read(given);
    if (result.problems) {
      const problems = result.problems.map(({ path, message }) => {
        return { field: ['data', ...path].join('.'), message };
      });
      return { problems };
    }
    const problem = definition.check?.(result.value);
    return problem ? { problems: [problem] } : result;
  };
  return {
    name,
    summary,
    data: z.unknown().meta(data.jsonSchema),
    isDataOptional: !read({}).problems,
    answer: z.strictObject(answer),
    makesNode,
    isLong,
    isReading: /^(?:get|list|search)_/.test(name),
    tells,
    read,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was read by the input
    run: (context, value) => definition.run(context, value as Data),
  };
}

/** Returns the problem of a patch that changes nothing. */
export function emptyPatch(patch: object): FieldProblem | undefined {
  if (Object.values(patch).some((value) => value !== undefined)) return undefined;
  return { field: 'data', message: 'there is nothing to change' };
}
