import { readErrorBody } from '../adapter-kit/error-body.ts';
import { withUsage } from '../adapter-kit/estimate-usage.ts';
import { readFinish } from '../adapter-kit/finish-reasons.ts';
import { fileAt, fileOf } from '../adapter-kit/media.ts';
import { makeCallId, PartWriter } from '../adapter-kit/part-writer.ts';
import { readToolInput } from '../adapter-kit/repair-json.ts';
import { Sources } from '../adapter-kit/sources.ts';
import {
  type Fields,
  fieldsOf,
  isRecord,
  jsonOf,
  listOf,
  numberOf,
  stringOf,
} from '../json/fields.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { ChatEvent, ChatWarning, Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { FilePart, ProviderMeta } from '../models/message.ts';

/** Reads the chunks of one answer. */
export class ChunkReader {
  readonly #writer = new PartWriter();
  readonly #warnings: readonly ChatWarning[];
  #hasStarted = false;
  #hasCall = false;
  #codeId = '';
  #reason: string | undefined;
  #usage: Usage = {};
  readonly #sources = new Sources('gemini');
  /** Records of the whole answer, such as those of grounding. */
  #records: JsonObject = {};
  readonly #streamed = new StreamedCall();

  constructor(warnings: readonly ChatWarning[]) {
    this.#warnings = warnings;
  }

  /**
   * Returns the events of a chunk.
   *
   * @throws LLMError with the code `content_filter` if the prompt was not let through.
   */
  read(chunk: unknown): ChatEvent[] {
    const fields = fieldsOf(chunk);
    const events: ChatEvent[] = [];
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const [id, model] = [stringOf(fields['responseId']), stringOf(fields['modelVersion'])];
      events.push({
        type: 'start',
        ...(id ? { id } : {}),
        ...(model ? { model } : {}),
        warnings: this.#warnings,
      });
    }
    if (fields['error']) throw inBandError(fields['error']);
    const { blockReason, blockReasonMessage } = fieldsOf(fields['promptFeedback']);
    const blocked = stringOf(blockReason);
    if (blocked !== undefined && blocked !== 'BLOCK_REASON_UNSPECIFIED') {
      const more = stringOf(blockReasonMessage);
      const why = more === undefined ? blocked : `${blocked}: ${more}`;
      throw new LLMError('content_filter', `it would not answer the prompt (${why})`);
    }
    this.#usage = usageOf(fieldsOf(fields['usageMetadata'])) ?? this.#usage;
    const candidate = fieldsOf(listOf(fields['candidates'])[0]);
    this.#readRecords(candidate);
    for (const part of listOf(fieldsOf(candidate['content'])['parts'])) {
      events.push(...this.#readPart(fieldsOf(part)));
    }
    const reason = stringOf(candidate['finishReason']);
    if (reason !== undefined && reason !== 'FINISH_REASON_UNSPECIFIED') {
      // It throws for an answer that was broken off.
      const more = stringOf(candidate['finishMessage']);
      withUsage(this.#usage, () => readFinish(reason, more));
      this.#reason = reason;
    }
    return events;
  }

  #readRecords(candidate: Fields): void {
    for (const key of RECORDS) {
      const record = candidate[key];
      if (record === undefined || record === null) continue;
      // Each chunk may have another part of it.
      const before = fieldsOf(this.#records[key]);
      this.#records = { ...this.#records, [key]: jsonOf({ ...before, ...fieldsOf(record) }) };
      const { groundingChunks, citationSources, citations, urlMetadata } = fieldsOf(record);
      for (const list of [groundingChunks, citationSources, citations, urlMetadata]) {
        for (const source of listOf(list)) this.#sources.add(source);
      }
    }
  }

  #readPart(part: Fields): ChatEvent[] {
    const thoughtSignature = stringOf(part['thoughtSignature']);
    const own = thoughtSignature === undefined ? {} : { thoughtSignature };
    const text = stringOf(part['text']);
    if (text !== undefined) {
      const type = part['thought'] === true ? 'reasoning' : 'text';
      const meta =
        Object.keys(own).length > 0 || type === 'reasoning' ? { gemini: own } : undefined;
      const events = this.#writer.text(type, text, meta);
      // A signature ends what it signs.
      return thoughtSignature === undefined ? events : [...events, ...this.#writer.endText()];
    }
    if (isRecord(part['functionCall'])) return this.#readCall(part['functionCall'], own);
    if (SERVER_CALLS.some((key) => part[key] !== undefined)) return this.#readServerCall(part);
    const file = readFile(part, thoughtSignature === undefined ? undefined : { gemini: own });
    if (file) return this.#writer.part(file);
    // A kind of part that is new goes back as it came; a signature alone ends what it signs.
    const record = thoughtSignature === undefined ? { part: jsonOf(part) } : own;
    if (Object.keys(part).length === 0) return [];
    return [...this.#writer.text('text', '', { gemini: record }), ...this.#writer.endText()];
  }

  #readCall(call: Fields, own: JsonObject): ChatEvent[] {
    const whole = this.#streamed.add(call, own);
    if (!whole) return [];
    this.#hasCall = true;
    const { id, name, args, meta: record } = whole;
    const meta: ProviderMeta = { gemini: { ...record, ...(id ? { id } : {}) } };
    return this.#writer.part({
      type: 'tool-call',
      id: id ?? makeCallId(),
      name,
      input: args,
      meta,
    });
  }

  /** Reads a call that Gemini ran itself, as a call of a tool that has its result already. */
  #readServerCall(part: Fields): ChatEvent[] {
    const { executableCode, codeExecutionResult, toolCall, toolResponse } = part;
    const asked = fieldsOf(toolCall);
    const answered = fieldsOf(toolResponse);
    const { toolType } = toolCall === undefined ? answered : asked;
    const name = stringOf(toolType)?.toLowerCase() ?? 'code_execution';
    const record = jsonOf(part);
    if (executableCode !== undefined || toolCall !== undefined) {
      this.#codeId = stringOf(asked['id']) ?? makeCallId();
      const meta = { gemini: { providerExecuted: true, part: record } };
      const input = jsonOf(executableCode ?? asked['args'] ?? {});
      return this.#writer.part({ type: 'tool-call', id: this.#codeId, name, input, meta });
    }
    const id = stringOf(answered['id']) ?? this.#codeId;
    const output = jsonOf(codeExecutionResult ?? answered['response'] ?? {});
    return this.#writer.part({
      type: 'tool-result',
      id,
      name,
      output,
      meta: { gemini: { part: record } },
    });
  }

  /** Returns the last events; none of an answer that was cut off. */
  end(): ChatEvent[] {
    if (this.#reason === undefined) return [];
    const reason = this.#reason;
    const ending = readFinish(reason);
    const hasRecords = Object.keys(this.#records).length > 0;
    return [
      ...this.#writer.endText(),
      ...this.#sources.parts.flatMap((part) => this.#writer.part(part)),
      ...this.#writer.end(ending === 'length'),
      {
        type: 'finish',
        // Gemini says STOP after tool calls, too.
        reason: ending === 'stop' && this.#hasCall ? 'tool-calls' : ending,
        rawReason: reason,
        usage: this.#usage,
        ...(hasRecords ? { meta: { gemini: this.#records } } : {}),
      },
    ];
  }
}

/** Records of an answer that name sources; Google's terms want them shown. */
const RECORDS = ['groundingMetadata', 'citationMetadata', 'urlContextMetadata'];

/** Parts by which Gemini reports tools that it ran. */
const SERVER_CALLS = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'];

/** Returns a file of an answer, its bytes or its address. */
function readFile(part: Fields, meta: ProviderMeta | undefined): FilePart | undefined {
  const inline = fieldsOf(part['inlineData']);
  const data = stringOf(inline['data']);
  if (data !== undefined) {
    return fileOf(data, stringOf(inline['mimeType']) ?? 'application/octet-stream', meta);
  }
  const { fileUri, mimeType } = fieldsOf(part['fileData']);
  const type = stringOf(mimeType) ?? 'application/octet-stream';
  return typeof fileUri === 'string' ? fileAt(fileUri, type, meta) : undefined;
}

/** Returns an error that came as if it were a chunk, in the form of the SDK's own. */
function inBandError(error: unknown): Error {
  const { status = 500 } = readErrorBody(error);
  return Object.assign(new Error(JSON.stringify({ error })), { status });
}

/** Candidates are counted without thoughts. */
function usageOf(usage: Fields): Usage | undefined {
  const prompt = numberOf(usage['promptTokenCount']);
  if (prompt === undefined) return undefined;
  const thoughts = numberOf(usage['thoughtsTokenCount']);
  const cached = numberOf(usage['cachedContentTokenCount']);
  return {
    inputTokens: prompt + (numberOf(usage['toolUsePromptTokenCount']) ?? 0),
    outputTokens: (numberOf(usage['candidatesTokenCount']) ?? 0) + (thoughts ?? 0),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    raw: jsonOf(usage),
  };
}

/** A call that is whole. */
interface WholeCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonValue;
  /** The provider's own record. */
  readonly meta: JsonObject;
}

/**
 * Puts together calls whose arguments are streamed: `partialArgs` with the path and a piece of the value, and
 * `willContinue` in all but the last piece.
 *
 * Source: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling (streaming arguments)
 */
class StreamedCall {
  #open:
    | { id: string | undefined; name: string; args: Record<string, JsonValue>; meta: JsonObject }
    | undefined;

  /** Adds a `functionCall`; returns the call once it is whole. */
  add(call: Fields, meta: JsonObject): WholeCall | undefined {
    const [id, name] = [stringOf(call['id']), stringOf(call['name'])];
    const pieces = listOf(call['partialArgs']);
    const isMore = call['willContinue'] === true;
    if (!this.#open && !isMore && pieces.length === 0) {
      return name === undefined ? undefined : { id, name, args: inputOf(call['args']), meta };
    }
    const open = (this.#open ??= { id, name: name ?? '', args: {}, meta: {} });
    open.meta = { ...open.meta, ...meta };
    if (isRecord(call['args'])) Object.assign(open.args, call['args']);
    for (const piece of pieces) put(open.args, fieldsOf(piece));
    if (isMore) return undefined;
    this.#open = undefined;
    return open;
  }
}

/** Servers of others send the arguments as text. */
function inputOf(args: unknown): JsonValue {
  return typeof args === 'string' ? (readToolInput(args)?.value ?? args) : jsonOf(args ?? {});
}

/** Puts a value at its path; a text is added to the one that is there. */
function put(root: Record<string, JsonValue>, piece: Fields): void {
  const steps = Array.from(
    (stringOf(piece['jsonPath']) ?? '').matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']+)'\]/g),
  );
  const keys = steps.map(([, name, place, quoted]) => name ?? quoted ?? Number(place));
  const last = keys.pop();
  if (last === undefined) return;
  let at: unknown = root;
  for (const [depth, key] of keys.entries()) {
    const next = keys[depth + 1] ?? last;
    const found: unknown = Reflect.get(Object(at), key);
    const inner =
      typeof found === 'object' && found !== null ? found : typeof next === 'number' ? [] : {};
    Reflect.set(Object(at), key, inner);
    at = inner;
  }
  const before: unknown = Reflect.get(Object(at), last);
  const value = valueOf(piece);
  const joined = typeof before === 'string' && typeof value === 'string' ? before + value : value;
  Reflect.set(Object(at), last, joined);
}

function valueOf(piece: Fields): JsonValue {
  const { stringValue, numberValue, boolValue, nullValue } = piece;
  const value = stringValue ?? numberValue ?? boolValue ?? nullValue ?? null;
  return value === 'NULL_VALUE' ? null : jsonOf(value);
}
