import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectOf,
  textAt,
} from '@vizprompt/providers/internal';
import { isBlank } from './fields.ts';
import { isMessage } from './list-messages.ts';

/** A program that stores a conversation as steps, each of a kind of its own. */
interface Program {
  /** Paths to the steps. */
  readonly lists: readonly (readonly string[])[];
  /** Checks whether a step shows the program. */
  readonly is: (step: JsonObject) => boolean;
  /** Checks whether an object may be another step of the program. */
  readonly mayBe: (step: JsonObject) => boolean;
  /** Returns the messages of a step; none if nothing is said in it. */
  readonly read: (step: JsonObject) => readonly JsonObject[];
}

const PROGRAMS: readonly Program[] = [
  // The parent of a step of Chainlit is the step that it is a part of, not the message that it answers.
  {
    lists: [['steps'], ['thread', 'steps'], ['records']],
    is: ({ type, output }) => SPEAKERS.has(type) && type !== 'tool' && typeof output === 'string',
    mayBe: ({ type, ...step }) => typeof type === 'string' && ('output' in step || 'input' in step),
    read: ({ type = null, output = null, parentId: _, ...step }) => {
      const role = SPEAKERS.get(type);
      return role === undefined || isBlank(output) ? [] : [{ ...step, role, content: output }];
    },
  },
  { lists: [['records'], ['turns']], is: isTurn, mayBe: isTurn, read: readTurn },
  {
    lists: [['transcript', 'logs'], ['logs'], ['records']],
    is: isLog,
    mayBe: ({ type, ...log }) => typeof type === 'string' && 'createdAt' in log && 'data' in log,
    read: readLog,
  },
  {
    lists: [['agent_memory'], ['steps'], ['memory', 'steps'], ['records']],
    is: ({ step_number: number, ...step }) =>
      number !== undefined && ('model_output' in step || 'action_output' in step),
    mayBe: (step) => 'step_number' in step || isStep(step),
    read: readAction,
  },
  // An execution of n8n has runs by the names of their nodes.
  {
    lists: [
      ['data', 'resultData', 'runData'],
      ['resultData', 'runData'],
    ],
    is: (run) => saidInRun(run).length > 0,
    mayBe: () => true,
    read: saidInRun,
  },
  // Crews: a log has a task as it starts and as it ends; a result has both in one.
  { lists: [['records'], ['tasks_output']], is: isTask, mayBe: isTask, read: readTask },
  { lists: [['interactions'], ['records']], is: isQuery, mayBe: () => true, read: readQuery },
];

/**
 * Returns a conversation that is stored as steps: threads of Chainlit, transcripts of Voiceflow, the memory of an agent of
 * smolagents, executions of n8n, tasks of CrewAI, interactions of Dialogflow. Not if messages of another form are among the
 * steps or next to them: these are the conversation.
 *
 * Source: `StepDict` of Chainlit; the transcripts and the types of traces in the API of Voiceflow; `MemoryStep` of
 * smolagents; `IRunData` of n8n; `CrewOutput` and `output_log_file` of CrewAI; `DetectIntentResponse` of Dialogflow.
 */
export function fromSteps(entry: JsonObject): JsonObject | undefined {
  for (const { lists, is, mayBe, read } of PROGRAMS) {
    for (const path of lists) {
      const steps = listIn(entry, path);
      if (!steps.some((each) => isJsonObject(each) && is(each))) continue;
      const isOther = (each: JsonValue): boolean =>
        isMessage(each) && ('role' in each || !mayBe(each));
      const rest = without(entry, path);
      if (holdsTalk(rest) || steps.some(isOther)) continue;
      const messages = steps.flatMap((each): readonly JsonObject[] => {
        const found = isJsonObject(each) ? read(each) : [];
        return found.length > 0 ? found : [{ step: each }];
      });
      return { ...rest, messages };
    }
  }
  return undefined;
}

/** Checks whether what is next to steps is a message with a role, has a list with one, or has `messages`. */
export function holdsTalk(rest: JsonObject): boolean {
  return (
    ('role' in rest && isMessage(rest)) ||
    Object.values(rest).some(
      (each) =>
        Array.isArray(each) && each.some((one: JsonValue) => isMessage(one) && 'role' in one),
    ) ||
    !isBlank(rest['messages'])
  );
}

/** Checks whether a value is a step of smolagents, CrewAI or Dialogflow, which has neither a type nor a role. */
export function isStep(value: JsonObject): boolean {
  if (isTask(value) || isQuery(value)) return true;
  const isAction = 'step_number' in value && 'model_output' in value;
  const isOnly = typeof value['system_prompt'] === 'string' && Object.keys(value).length === 1;
  return isAction || isOnly || (typeof value['task'] === 'string' && 'task_images' in value);
}

function listIn(entry: JsonObject, [name = '', ...path]: readonly string[]): readonly JsonValue[] {
  if (path.length > 0) return listIn(objectAt(entry, name), path);
  return name === 'runData' ? runsIn(objectAt(entry, name)) : listAt(entry, name);
}

function without(entry: JsonObject, [name = '', ...path]: readonly string[]): JsonObject {
  const { [name]: value, ...rest } = entry;
  return path.length === 0 ? rest : { ...rest, [name]: without(objectOf(value), path) };
}

/** The speakers of the outputs of steps of Chainlit. */
const SPEAKERS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['user_message', 'user'],
  ['assistant_message', 'assistant'],
  ['system_message', 'system'],
  ['tool', 'tool'],
]);

/** The kinds of turns of a transcript of Voiceflow. */
const TURNS: ReadonlySet<unknown> = new Set(['request', 'trace', 'launch']);

function isTurn({ format, payload, ...turn }: JsonObject): boolean {
  return TURNS.has(format) && isJsonObject(payload) && 'turnID' in turn;
}

function readTurn({ format = null, payload = null, ...turn }: JsonObject): readonly JsonObject[] {
  return said(format === 'trace', payload, { ...turn, format });
}

function isLog({ type, data, createdAt }: JsonObject): boolean {
  const isKind = type === 'action' || type === 'trace';
  return isKind && createdAt !== undefined && textAt(objectOf(data), 'type') !== undefined;
}

function readLog({ type = null, data = null, ...log }: JsonObject): readonly JsonObject[] {
  return said(type === 'trace', data, { ...log, type });
}

/** Returns what a trace of a bot says, or an action of a user. */
function said(isOfBot: boolean, value: JsonValue, about: JsonObject): readonly JsonObject[] {
  const { payload = null, ...rest } = objectOf(value);
  const names = isOfBot ? ['message'] : ['query', 'label', 'message'];
  const name = names.find((each) => textAt(objectOf(payload), each) !== undefined) ?? '';
  const content = typeof payload === 'string' ? payload : textAt(objectOf(payload), name);
  if (isBlank(content)) return [];
  const { [name]: _, slate = null, ...others } = objectOf(payload);
  // The slate of a text is the text again, in pieces.
  const left = isOfBot && name !== '' ? others : { ...others, slate };
  const of = { ...about, what: { ...rest, payload: left } };
  return [{ ...of, role: isOfBot ? 'assistant' : 'user', content: content ?? null }];
}

/** Reads a step of smolagents: the task, or what the model thought, called, saw and answered. */
function readAction(step: JsonObject): readonly JsonObject[] {
  const { task = null, system_prompt: system = null, ...action } = step;
  if (!isBlank(task)) return [{ ...action, role: 'user', content: task }];
  if (!isBlank(system)) return [{ ...action, role: 'system', content: system }];
  const {
    model_output: thought = null,
    plan = null,
    tool_calls: calls = null,
    observations: seen = null,
    action_output: output = null,
    ...rest
  } = action;
  const isFinal = rest['is_final_answer'] === true || isLast(rest, calls);
  const content = isFinal && !isBlank(output) ? inText(output) : null;
  const reasoning = isBlank(thought) ? plan : thought;
  const others = [content === null ? output : null, reasoning === plan ? null : plan];
  if ([content, reasoning, calls, seen].every(isBlank)) return [];
  return [
    { ...rest, role: 'assistant', content, reasoning, tool_calls: calls, others },
    ...(isBlank(seen) ? [] : [{ role: 'tool', content: seen }]),
  ];
}

/** Checks whether a step calls for the end; versions before 1.15 do not say so otherwise. */
function isLast(step: JsonObject, calls: JsonValue): boolean {
  if ('is_final_answer' in step || !Array.isArray(calls)) return false;
  return calls.some(
    (each: JsonValue) => objectAt(objectOf(each), 'function')['name'] === 'final_answer',
  );
}

function inText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the runs of the nodes of an execution of n8n, in the order of their times. */
function runsIn(byNode: JsonObject): readonly JsonValue[] {
  const startOf = (run: JsonValue): number => numberAt(objectOf(run), 'startTime') ?? 0;
  const runs = Object.entries(byNode).flatMap(([node, list]) =>
    listAt({ list }, 'list').map((run): JsonValue => ({ node, ...objectOf(run) })),
  );
  return runs.toSorted((a, b) => startOf(a) - startOf(b));
}

/** Returns what a trigger of a chat was asked, and what an agent or a chain answered. */
function saidInRun({
  node = null,
  startTime = null,
  data = null,
  ...run
}: JsonObject): readonly JsonObject[] {
  const { main = null, ...rest } = objectOf(data);
  const items = listAt({ main }, 'main').flatMap((list) => (Array.isArray(list) ? list : [list]));
  // Nodes after the trigger may hand on the question.
  const isFirst = !listAt(run, 'source').some(isJsonObject);
  const others: JsonValue[] = [run, rest];
  const messages = items.flatMap((item: JsonValue): JsonObject[] => {
    const { json = null, ...of } = objectOf(item);
    const { chatInput = null, output = null, ...about } = objectOf(json);
    const message = { node, timestamp: startTime, ...about };
    if (typeof output === 'string' && output !== '') {
      others.push(of, { chatInput });
      return [{ ...message, role: 'assistant', content: output }];
    }
    if (isFirst && !isBlank(chatInput)) {
      others.push(of, { output });
      return [{ ...message, role: 'user', content: chatInput }];
    }
    others.push(item);
    return [];
  });
  return messages.map((message, at) => (at === 0 ? { ...message, others } : message));
}

function isTask({ task, agent, status, description, raw, ...rest }: JsonObject): boolean {
  const isLogged = [task, agent, status].every((each) => typeof each === 'string');
  const isResult = typeof description === 'string' && typeof raw === 'string';
  return isLogged ? 'task_name' in rest : isResult && 'expected_output' in rest;
}

/** Reads a task of a crew: what an agent was to do, and what it returned. */
function readTask(step: JsonObject): readonly JsonObject[] {
  const { task = null, description = task, output = null, raw = output, ...rest } = step;
  const isEnd = typeof raw === 'string' && raw !== '';
  // In a log, the task is there when it starts, and again when it ends.
  const isAsked = 'expected_output' in rest || !isEnd;
  return [
    ...(isAsked && !isBlank(description) ? [{ role: 'user', content: description }] : []),
    ...(isEnd
      ? [{ ...rest, ...(isAsked ? {} : { description }), role: 'assistant', content: raw }]
      : []),
  ];
}

function queryIn(step: JsonObject): JsonObject {
  const held = objectAt(objectAt(step, 'response'), 'queryResult');
  return Object.keys(held).length > 0 ? held : objectAt(step, 'queryResult');
}

const ASKED = ['queryText', 'text', 'transcript'];

function isQuery(step: JsonObject): boolean {
  const result = queryIn(step);
  return (
    textAt(result, ...ASKED) !== undefined &&
    ('fulfillmentText' in result || 'responseMessages' in result || 'fulfillmentMessages' in result)
  );
}

/** Reads an interaction of Dialogflow: what a user said, and all texts of the agent. */
function readQuery(step: JsonObject): readonly JsonObject[] {
  const result = queryIn(step);
  const asked = textAt(result, ...ASKED);
  const { createTime: time = null, ...about } = step;
  const messages = ['responseMessages', 'fulfillmentMessages'].flatMap((name) =>
    listAt(result, name),
  );
  const texts = messages.flatMap((each) =>
    listAt(objectAt(objectOf(each), 'text'), 'text').filter((text) => typeof text === 'string'),
  );
  const answer = texts.length > 0 ? texts.join('\n') : textAt(result, 'fulfillmentText');
  const others = [...messages.filter((each) => !isJsonObject(objectOf(each)['text'])), about];
  return [
    ...(asked === undefined ? [] : [{ role: 'user', content: asked, createTime: time }]),
    ...(answer === undefined
      ? []
      : [{ role: 'assistant', content: answer, createTime: time, others }]),
  ];
}
