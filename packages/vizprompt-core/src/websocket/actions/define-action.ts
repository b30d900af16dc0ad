import type { WireInput } from '@vizprompt/providers/config/internal';
import { z } from 'zod';
import type { VizPrompt } from '../../vizprompt.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { FieldProblem } from '../wire/error.ts';

/** What an action is given beside its data. */
export interface ActionContext {
  readonly vizprompt: VizPrompt;
  readonly subscriptions: Subscriptions;
  /** Ends a long action: the client left, cancelled it, or the server closes. */
  readonly signal: AbortSignal;
  /** Tells the client how the action goes on; resolves when there is room for more. */
  tell(event: string, data: object): Promise<void>;
  /** Ends a long action of the client; `false` if none of this id is under way. */
  cancel(id: string | number): boolean;
}

/** What an action answers with. */
export interface ActionResult {
  readonly data: object;
  /** The node that was made: it stands at the top of the answer, too. */
  readonly nodeId?: string;
}

/** The data of a message as an action takes it, or what is wrong with it. */
type ReadData<Data> =
  | { readonly value: Data; readonly problems?: undefined }
  | { readonly problems: readonly FieldProblem[] };

/** An action of the protocol: how it is done, and what the AsyncAPI document says of it. */
export interface Action {
  readonly name: string;
  readonly summary: string;
  /** What its data must be, as JSON Schema. */
  readonly data: z.ZodType;
  /** Whether a message may come without data. */
  readonly isDataOptional: boolean;
  /** What its answer holds. */
  readonly answer: z.ZodType;
  /** Whether the answer has a `node_id` beside its data. */
  readonly makesNode: boolean;
  /** It runs beside the other actions of its client, and can be cancelled. */
  readonly isLong: boolean;
  /** It changes nothing, and its answer may be large: few of them run at a time. */
  readonly isReading: boolean;
  /** What is told while it runs, by the name of the event. */
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

/** What a change is refused with that changes nothing. */
export function emptyPatch(patch: object): FieldProblem | undefined {
  if (Object.values(patch).some((value) => value !== undefined)) return undefined;
  return { field: 'data', message: 'there is nothing to change' };
}
