import type { ErrorJson, JsonValue, Part, Turn, TurnStatus, Usage } from '@vizprompt/providers';

/** A piece of work of a run: an agent, an aggregate, a person, a function, a tool, a search or an activity. */
export interface RunTurn {
  /** The place in the run; it is the id of the turn. */
  readonly path: string;
  /** The paths of the work that it came after: several where branches come together. */
  readonly follows: readonly string[];
  readonly kind: 'turn' | 'aggregate';
  /** The agent, the function, the tool, ... */
  readonly speaker: string;
  /** The prompt as it was sent, or the named inputs. */
  readonly input: JsonValue;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** How a piece of work ended. */
export interface TurnEnd {
  readonly status: Exclude<TurnStatus, 'pending'>;
  /** What it gave, or as much of an answer as there was. */
  readonly output?: JsonValue;
  readonly model?: string;
  readonly usage?: Usage;
  readonly error?: ErrorJson;
  /** ISO 8601. */
  readonly endedAt: string;
}

/** The turn that recorders are given. */
export function toTurn(runId: string, work: RunTurn, end?: TurnEnd): Turn {
  const { path, follows, kind, speaker, input, startedAt } = work;
  const { status = 'pending', output = null, ...more } = end ?? {};
  return {
    id: path,
    conversationId: runId,
    follows,
    kind,
    status,
    speaker,
    input: partsOf(input),
    output: partsOf(output),
    startedAt,
    ...more,
  };
}

/** A text as it is, nothing as no part, and everything else as JSON that can be read. */
function partsOf(value: JsonValue): readonly Part[] {
  if (value === null || value === '') return [];
  return [
    { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) },
  ];
}
