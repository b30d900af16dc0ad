import { listAt, numberAt, objectAt, objectOf, omitUndefined, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';

/**
 * Returns a record of a session of opencode 2, or a message of the versions before 0.3, as a message of version 1, with its
 * parts; `undefined` for records of the program itself, such as the end of a turn, and instructions that it adds.
 */
export function messageOfRecord(record: JsonObject, sessionID: string): JsonObject | undefined {
  if (Array.isArray(record['parts'])) return messageOfFirst(record, sessionID);
  const id = textAt(record, 'id') ?? '';
  const { created, completed } = objectAt(record, 'time');
  const time = omitUndefined({ created, completed });
  const message = (info: JsonObject, parts: readonly JsonObject[]): JsonObject => ({
    info: { id, sessionID, time, ...info },
    parts: parts.map((part, at) => ({ id: `${id}/${at}`, sessionID, messageID: id, ...part })),
  });
  switch (textAt(record, 'type')) {
    case 'user': {
      const text = { type: 'text', text: textAt(record, 'text') ?? '' };
      const files = listAt(record, 'files').filter(isJsonObject).map(filePart);
      return message({ role: 'user' }, [text, ...files]);
    }
    case 'assistant': {
      const { agent, error, tokens } = record;
      const facts = { agent, error, tokens, modelID: textAt(objectAt(record, 'model'), 'id') };
      const content = listAt(record, 'content').filter(isJsonObject);
      const parts = content.map((part, at) => partOf(part, time, at === content.length - 1));
      return message({ role: 'assistant', ...omitUndefined(facts) }, parts);
    }
    case 'compaction': {
      const text = textAt(record, 'summary', 'text') ?? '';
      if ((textAt(record, 'status') ?? 'completed') !== 'completed') return undefined;
      return message({ role: 'assistant', summary: true }, [{ type: 'text', text }]);
    }
    case 'shell':
      return message({ role: 'assistant' }, [commandOf(record, id)]);
    default:
      return undefined;
  }
}

function filePart(file: JsonObject): JsonObject {
  const { data, ...facts } = file;
  const mime = textAt(file, 'mime') ?? 'application/octet-stream';
  const url = typeof data === 'string' ? `data:${mime};base64,${data}` : textAt(file, 'uri');
  return omitUndefined({ ...facts, type: 'file', filename: textAt(file, 'name'), url });
}

/** Texts have no times of their own: the last one grows until the message is complete. */
function partOf(part: JsonObject, { created, completed }: JsonObject, isLast: boolean): JsonObject {
  if (part['type'] === 'tool') return callOf(part);
  const own = objectAt(part, 'time');
  const start = own['created'] ?? created;
  const end = own['completed'] ?? completed ?? (isLast ? undefined : start);
  return { ...part, time: omitUndefined({ start, end }) };
}

function callOf(part: JsonObject): JsonObject {
  const { created, ran, completed } = objectAt(part, 'time');
  const told = objectAt(part, 'state');
  const content = listAt(told, 'content').filter(isJsonObject);
  const texts = content.map((item) => textAt(item, 'text') ?? '').filter((text) => text !== '');
  // The program says to the model what the metadata have.
  if (/^Command exited with code -?\d\d*\.$/.test(texts.at(-1) ?? '')) texts.pop();
  const files = content.filter((item) => item['type'] === 'file').map(filePart);
  const status = textAt(told, 'status') ?? '';
  const state = {
    // Its input is not complete yet.
    status: status === 'streaming' ? 'pending' : status,
    input: told['input'],
    output: texts.length === 0 ? undefined : texts.join('\n'),
    error: textAt(objectAt(told, 'error'), 'message'),
    metadata: told['metadata'],
    attachments: files.length === 0 ? undefined : files,
    time: omitUndefined({ start: ran ?? created, end: completed }),
  };
  return {
    type: 'tool',
    callID: part['id'] ?? '',
    tool: part['name'] ?? 'unknown',
    state: omitUndefined(state),
  };
}

/** A command that the user runs, as version 1 has it. */
function commandOf(record: JsonObject, id: string): JsonObject {
  const { created, completed } = objectAt(record, 'time');
  const isRunning = textAt(record, 'status') === 'running';
  const output: JsonValue = objectOf(record['output'])['output'] ?? record['output'] ?? '';
  const state = {
    status: isRunning ? 'running' : 'completed',
    input: { command: record['command'] ?? '' },
    output,
    metadata: omitUndefined({ exit: numberAt(record, 'exit') }),
    time: omitUndefined({ start: created, end: completed }),
  };
  return { type: 'tool', callID: textAt(record, 'shellID', 'callID') ?? id, tool: 'shell', state };
}

/** Returns a message of the versions before 0.3, which have its parts in it, and all facts in `metadata`. */
function messageOfFirst(record: JsonObject, sessionID: string): JsonObject {
  const { id, role } = record;
  const metadata = objectAt(record, 'metadata');
  const { system: _system, ...assistant } = objectAt(metadata, 'assistant');
  const { time, error } = metadata;
  const parts = listAt(record, 'parts').filter(isJsonObject);
  return {
    info: omitUndefined({ ...assistant, id, role, sessionID, time, error }),
    parts: parts.map((part) => firstPart(part, objectAt(metadata, 'tool'))),
  };
}

function firstPart(part: JsonObject, tools: JsonObject): JsonObject {
  if (part['type'] === 'file') return omitUndefined({ ...part, mime: part['mediaType'] });
  if (part['type'] !== 'tool-invocation') return part;
  const call = objectAt(part, 'toolInvocation');
  const callID = textAt(call, 'toolCallId') ?? '';
  const { time, ...metadata } = objectAt(tools, callID);
  const status = metadata['error'] === true ? 'error' : STATUSES.get(textAt(call, 'state') ?? '');
  const { args: input, result: output } = call;
  const state = omitUndefined({ status: status ?? 'running', input, output, metadata, time });
  return { type: 'tool', callID, tool: call['toolName'] ?? 'unknown', state };
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['partial-call', 'pending'],
  ['result', 'completed'],
]);
