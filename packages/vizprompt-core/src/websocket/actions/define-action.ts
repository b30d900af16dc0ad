import { z } from 'zod';
import type { VizPrompt } from '../../vizprompt.ts';
import type { Subscriptions } from '../subscriptions.ts';

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

/** An action of the protocol: how it is done, and what the AsyncAPI document says of it. */
export interface Action {
  readonly name: string;
  readonly summary: string;
  /** What its data must be. */
  readonly data: z.ZodType;
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
  run(context: ActionContext, data: unknown): Promise<ActionResult>;
}

/** An action with its schema. */
export interface ActionDefinition<Data extends z.ZodType> {
  readonly name: string;
  readonly summary: string;
  readonly data: Data;
  readonly answer: z.ZodRawShape;
  readonly makesNode?: boolean;
  readonly isLong?: boolean;
  readonly tells?: Readonly<Record<string, z.ZodType>>;
  run(context: ActionContext, data: z.infer<Data>): Promise<ActionResult>;
}

/** Makes an action; its data is checked before it runs. */
export function defineAction<Data extends z.ZodType>(definition: ActionDefinition<Data>): Action {
  const { makesNode = false, isLong = false, tells = {}, answer, run, ...rest } = definition;
  return {
    ...rest,
    answer: z.strictObject(answer),
    makesNode,
    isLong,
    isReading: /^(?:get|list|search)_/.test(definition.name),
    tells,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was read by the schema
    run: (context, data) => run(context, data as z.infer<Data>),
  };
}
