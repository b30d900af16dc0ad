import { withUsage } from '../../adapter-kit/estimate-usage.ts';
import { isPlainStop, readFinish } from '../../adapter-kit/finish-reasons.ts';
import { fileOf, pictureOf, soundType } from '../../adapter-kit/media.ts';
import { PartWriter } from '../../adapter-kit/part-writer.ts';
import { Sources } from '../../adapter-kit/sources.ts';
import {
  type Fields,
  fieldsOf,
  isRecord,
  jsonOf,
  listOf,
  numberOf,
  stringOf,
  textAt,
} from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { ChatEvent, ChatWarning, Usage } from '../../models/events.ts';
import type { ProviderMeta } from '../../models/message.ts';
import { failureIn, inBandError } from '../exchange.ts';
import type { OpenAIProfile } from '../profiles.ts';
import { readUsage } from '../read-usage.ts';
import { ReasoningReader, signatureIn } from './read-reasoning.ts';

/** Reads the chunks of one answer. */
export class ChunkReader {
  readonly #writer: PartWriter;
  readonly #content: ContentReader;
  readonly #reasoning: ReasoningReader;
  readonly #profile: OpenAIProfile;
  readonly #warnings: readonly ChatWarning[];
  #hasStarted = false;
  #reason: string | undefined;
  #usage: Usage | undefined;
  #isRefusal = false;
  /** The choice that is read: others were asked for by `n`, and have no place in an answer. */
  #choice: number | undefined;
  /** A thought that Gemini marks came last. */
  #hasThought = false;
  /** The text of the deltas, which some servers repeat as a whole message at the end. */
  #said = '';

  /** The present call at a place of the wire, and the ids of the calls. */
  readonly #current = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  /** The last call of each id. */
  readonly #byId = new Map<string, string>();
  #lastCall: string | undefined;

  constructor(profile: OpenAIProfile, warnings: readonly ChatWarning[]) {
    this.#profile = profile;
    this.#warnings = warnings;
    this.#writer = new PartWriter(profile.thinkTags);
    this.#content = new ContentReader(this.#writer);
    this.#reasoning = new ReasoningReader(profile.reasoningIn);
  }

  /**
   * Returns the events of a chunk.
   *
   * @throws LLMError if the server says within the stream that it failed.
   */
  read(chunk: unknown): ChatEvent[] {
    const fields = fieldsOf(chunk);
    const events: ChatEvent[] = [];
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const [id, model] = [stringOf(fields['id']), stringOf(fields['model'])];
      events.push({
        type: 'start',
        ...(id ? { id } : {}),
        ...(model ? { model } : {}),
        warnings: this.#warnings,
      });
    }
    const isPlain = hasOnly(fields, PLAIN_CHUNK);
    if (!isPlain) {
      this.#usage = readUsage(fields) ?? this.#usage;
      const failure = failureIn(fields);
      if (failure) throw failure;
      append(events, this.#content.readChunk(fields));
    }
    const choice = this.#ownChoice(listOf(fields['choices']));
    // A whole answer has a message; old servers have a text.
    const isDelta = isRecord(choice['delta']);
    const delta = isDelta ? fieldsOf(choice['delta']) : this.#newIn(fieldsOf(choice['message']));
    const reason = choice['finish_reason'];
    if (
      isPlain &&
      !reason &&
      !choice['error'] &&
      !this.#hasThought &&
      hasOnly(delta, PLAIN_DELTA) &&
      typeof delta['content'] === 'string'
    ) {
      if (isDelta) this.#said += delta['content'];
      const said = this.#content.content(delta['content']);
      return events.length === 0 ? said : [...events, ...said];
    }
    this.#usage = readUsage(choice) ?? this.#usage;
    append(events, this.#readReasoning(delta));
    append(events, this.#readContent(delta, choice));
    append(events, this.#content.read(delta));
    const refusal = stringOf(delta['refusal']);
    if (refusal) {
      this.#isRefusal = true;
      events.push(...this.#writer.text('text', refusal));
    }
    const called = delta['tool_calls'];
    for (const [at, call] of (isRecord(called) ? [called] : listOf(called)).entries()) {
      events.push(...this.#readCall(fieldsOf(call), at));
    }
    const call = delta['function_call'];
    if (isRecord(call)) events.push(...this.#readCall({ index: 0, function: call }, 0));
    this.#noteReason(stringOf(reason));
    const error = choice['error'];
    if (error) throw inBandError(error);
    return events;
  }

  #ownChoice(choices: readonly unknown[]): Fields {
    const [first] = choices;
    if (first === undefined) return {};
    if (choices.length === 1 && this.#choice === indexOf(first)) return fieldsOf(first);
    this.#choice ??= choices.map(indexOf).find((index) => index === 0) ?? indexOf(first);
    return fieldsOf(choices.find((choice) => indexOf(choice) === this.#choice));
  }

  /** Returns what of a whole message has not come in deltas. */
  #newIn(message: Fields): Fields {
    const { content, ...rest } = message;
    if (this.#said === '' || typeof content !== 'string') return message;
    const { reasoning_content: _content, reasoning: _reasoning, ...others } = rest;
    const isMore = content.startsWith(this.#said);
    return { ...others, content: isMore ? content.slice(this.#said.length) : '' };
  }

  /** Some servers end every chunk with an empty reason, or say "stop" once more after the reason. */
  #noteReason(reason: string | undefined): void {
    if (!reason || reason === 'null') return;
    if (this.#reason === undefined || !isPlainStop(reason)) this.#reason = reason;
  }

  #readReasoning(delta: Fields): ChatEvent[] {
    if (this.#writer.openType !== 'reasoning') this.#reasoning.startPart();
    const read = this.#reasoning.read(delta);
    return read ? this.#writer.said('reasoning', read.text, read.meta) : [];
  }

  #readContent(delta: Fields, choice: Fields): ChatEvent[] {
    const content = delta['content'] ?? choice['text'];
    // Gemini by way of OpenAI's protocol marks its thoughts so.
    const isThought = fieldsOf(fieldsOf(delta['extra_content'])['google'])['thought'] === true;
    if (isRecord(choice['delta']) && typeof content === 'string' && !isThought)
      this.#said += content;
    if (isThought && typeof content === 'string') {
      this.#hasThought = true;
      return this.#writer.said('reasoning', content.replace(/<\/?thought>/g, ''));
    }
    const isAfter = this.#hasThought && typeof content === 'string' && content !== '';
    if (isAfter) this.#hasThought = false;
    const events = this.#content.content(
      isAfter ? content.replace(/^<\/thought>\s*/, '') : content,
    );
    const signature = signatureIn(delta);
    return this.#writer.openType === 'text' && Object.keys(signature).length > 0
      ? [...events, ...this.#writer.text('text', '', { openai: signature })]
      : events;
  }

  #readCall(call: Fields, at: number): ChatEvent[] {
    const called = isRecord(call['function']) ? call['function'] : call;
    if (isRecord(call[stringOf(call['type']) ?? '']) && called === call) {
      this.#content.keep(call);
      return [];
    }
    const inner = isRecord(call['function']) ? signatureIn(called) : {};
    const hasInner = Object.keys(inner).length > 0;
    const signature = { ...signatureIn(call), ...(hasInner && { function: inner }) };
    const input = called['arguments'] ?? called['parameters'];
    const [id, name] = [stringOf(call['id']), stringOf(called['name'])];
    return this.#writer.toolCall(this.#keyOf(placeOf(call['index']), id, name, at), {
      id,
      name,
      input: typeof input === 'object' && input !== null ? JSON.stringify(input) : stringOf(input),
      meta: Object.keys(signature).length === 0 ? undefined : { openai: signature },
    });
  }

  /**
   * Which call a piece belongs to. Servers leave out the index, the id, or give all calls the index 0: a
   * new id opens a call, and so does a name after a call that is complete; all else continues.
   */
  #keyOf(
    index: number | undefined,
    id: string | undefined,
    name: string | undefined,
    at: number,
  ): string {
    const place = `${index ?? (id || name ? at : 'last')}`;
    const key = this.#callOf(id, name, this.#callAt(index, place, Boolean(id || name)));
    const isOther = id ? this.#ids.get(key ?? '') !== id : Boolean(name);
    // Some servers make up a new id for each piece.
    const isWhole = key !== undefined && this.#writer.isComplete(key);
    const opens = key === undefined || (isOther && (Boolean(id && name) || isWhole));
    const chosen = opens ? `${place} ${this.#ids.size}` : key;
    if (opens) {
      this.#ids.set(chosen, id ?? '');
      if (id) this.#byId.set(id, chosen);
    }
    this.#current.set(place, chosen);
    this.#lastCall = chosen;
    return chosen;
  }

  /**
   * Returns the call that has an id already, whatever its index is now (agno#8880). Where servers give several calls one
   * id, the place decides: a piece with a name may begin a call, and a piece at a call with its id continues that.
   */
  #callOf(
    id: string | undefined,
    name: string | undefined,
    present: string | undefined,
  ): string | undefined {
    if (!id || name || this.#ids.get(present ?? '') === id) return present;
    return this.#byId.get(id) ?? present;
  }

  /** Returns the call at a place; what begins there without an id and a name continues the call that is not complete. */
  #callAt(index: number | undefined, place: string, isNamed: boolean): string | undefined {
    const key = index === undefined && !isNamed ? this.#lastCall : this.#current.get(place);
    const last = this.#lastCall;
    if (key !== undefined || isNamed || last === undefined) return key;
    return this.#writer.isComplete(last) ? undefined : last;
  }

  /** Returns the last events; none of an answer that was cut off. */
  end(): ChatEvent[] {
    if (this.#reason === undefined && this.#profile.requireFinish) return [];
    const said = withUsage(this.#usage, () =>
      this.#reason === undefined ? 'unknown' : readFinish(this.#reason),
    );
    const reason = this.#isRefusal || this.#content.isRefusal ? 'content-filter' : said;
    const parts = [
      ...this.#writer.endText(),
      ...this.#content.end(),
      ...withUsage(this.#usage, () => this.#writer.end(reason === 'length')),
    ];
    const { meta } = this.#content;
    return [
      ...parts,
      {
        type: 'finish',
        // Some servers say "stop" after a tool call.
        reason: reason === 'stop' && this.#writer.hasToolCalls ? 'tool-calls' : reason,
        ...(this.#reason === undefined ? {} : { rawReason: this.#reason }),
        usage: this.#usage ?? {},
        ...(meta && { meta }),
      },
    ];
  }
}

function indexOf(choice: unknown): number {
  return placeOf(fieldsOf(choice)['index']) ?? 0;
}

/** Returns a number, also one that came as text. */
function placeOf(index: unknown): number | undefined {
  return typeof index === 'string' && /^\d+$/.test(index) ? Number(index) : numberOf(index);
}

function append(events: ChatEvent[], more: readonly ChatEvent[]): void {
  for (const event of more) events.push(event);
}

/** The keys of nearly all chunks, which mean nothing else. */
const PLAIN_CHUNK = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
  'provider',
]);
const PLAIN_DELTA = new Set(['role', 'content']);

function hasOnly(fields: Fields, keys: ReadonlySet<string>): boolean {
  for (const key in fields) {
    if (!keys.has(key) && fields[key] !== null && fields[key] !== undefined) return false;
  }
  return fields['object'] !== 'error';
}

/**
 * Fields with sources, in a chunk, a message, or what gateways add to them.
 *
 * Sources: OpenAI, OpenRouter (`annotations`), Perplexity and xAI (`citations`, `search_results`), Zhipu (`web_search`),
 * DashScope and Hunyuan (`search_info`), Doubao (`references`), Azure (`context`), LiteLLM (`vertex_ai_grounding_metadata`,
 * `provider_specific_fields`), Gemini (`extra_content`).
 */
const SOURCE_FIELD = /annotation|citation|search|source|reference|grounding|^context$|documents/i;

/** Fields that hold the records of others. */
const RECORDS = ['provider_specific_fields', 'extra_content'];

/** Reads what is neither plain text nor reasoning nor a call: pictures, sound, sources, tools that the server ran. */
class ContentReader {
  readonly #writer: PartWriter;
  readonly #sources = new Sources('openai');
  /** Pieces of sound, in base64. */
  #sound: string[] = [];
  #soundId: string | undefined;
  /** Values without a place in the contract. */
  readonly #others: JsonValue[] = [];
  readonly #ran = new Set<string>();
  readonly #pictures = new Set<string>();
  #questions: JsonValue | undefined;
  #isRefusal = false;

  constructor(writer: PartWriter) {
    this.#writer = writer;
  }

  /** Returns a text, or a list of texts, thoughts, pictures and other things. */
  content(content: unknown): ChatEvent[] {
    if (typeof content === 'string')
      return content === '' ? [] : this.#writer.said('text', content);
    if (isRecord(content)) return this.#item(content);
    return listOf(content).flatMap((item) =>
      typeof item === 'string' ? this.#writer.said('text', item) : this.#item(fieldsOf(item)),
    );
  }

  /** Returns the rest of a delta or message. */
  read(delta: Fields): ChatEvent[] {
    const events = listOf(delta['images']).flatMap((image) => this.#picture(image));
    if (delta['image'] !== undefined) events.push(...this.#picture(delta['image']));
    const audio = fieldsOf(delta['audio']);
    const sound = stringOf(audio['data']);
    if (sound) this.#sound.push(sound);
    this.#soundId = stringOf(audio['id']) ?? this.#soundId;
    const transcript = stringOf(audio['transcript']);
    if (transcript) events.push(...this.#writer.said('text', transcript));
    for (const tool of listOf(delta['executed_tools']))
      events.push(...this.#executed(fieldsOf(tool)));
    this.sourcesIn(delta);
    return events;
  }

  /** Returns what a chunk has besides its choices: sources, and pictures and questions of Perplexity. */
  readChunk(chunk: Fields): ChatEvent[] {
    this.sourcesIn(chunk);
    if (Array.isArray(chunk['related_questions']))
      this.#questions = jsonOf(chunk['related_questions']);
    return listOf(chunk['images']).flatMap((image) => {
      // They come again with every chunk.
      const record = JSON.stringify(image);
      return this.#pictures.has(record) ? [] : (this.#pictures.add(record), this.#picture(image));
    });
  }

  /** Reads the sources of a delta, a message or a chunk. */
  sourcesIn(fields: Fields): void {
    for (const [key, value] of Object.entries(fields)) {
      if (RECORDS.includes(key)) {
        for (const inner of [value, ...Object.values(fieldsOf(value))])
          this.sourcesIn(fieldsOf(inner));
      } else if (SOURCE_FIELD.test(key)) this.#sources.addWithin(value);
    }
  }

  /** Keeps a call that the server ran in a form of its own. */
  keep(record: unknown): void {
    this.#others.push(jsonOf(record));
  }

  /** Checks whether a part of the content is a refusal. */
  get isRefusal(): boolean {
    return this.#isRefusal;
  }

  /** Returns the parts that are whole only at the end. */
  end(): ChatEvent[] {
    const events: ChatEvent[] = [];
    if (this.#sound.length > 0) {
      const data = Buffer.concat(this.#sound.map((piece) => Buffer.from(piece, 'base64')));
      const type = soundType(this.#sound[0] ?? '');
      const meta =
        this.#soundId === undefined ? undefined : { openai: { audio: { id: this.#soundId } } };
      events.push(...this.#writer.part({ ...fileOf('', type, meta), data }));
    }
    return [...events, ...this.#sources.parts.flatMap((part) => this.#writer.part(part))];
  }

  /** Values without a place in the contract, for the `meta` of the finish. */
  get meta(): ProviderMeta | undefined {
    const own: JsonObject = {
      ...(this.#others.length > 0 && { content: this.#others }),
      ...(this.#questions !== undefined && { related_questions: this.#questions }),
    };
    return Object.keys(own).length === 0 ? undefined : { openai: own };
  }

  #item(item: Fields): ChatEvent[] {
    const { type, text, thinking = item['summary'] } = item;
    if (type === 'thinking' || type === 'reasoning') {
      const thoughts = Array.isArray(thinking)
        ? thinking.map((thought) => stringOf(fieldsOf(thought)['text']) ?? '').join('')
        : (stringOf(thinking) ?? stringOf(text) ?? '');
      // It goes back in the content, too.
      const meta = type === 'thinking' ? { openai: { thinking: true } } : undefined;
      return thoughts === '' ? [] : this.#writer.said('reasoning', thoughts, meta);
    }
    if (typeof text === 'string') {
      this.sourcesIn(item);
      return this.#writer.said('text', text);
    }
    if (typeof item['refusal'] === 'string') {
      this.#isRefusal = true;
      return this.#writer.text('text', item['refusal']);
    }
    if (/image/.test(stringOf(type) ?? '')) return this.#picture(item);
    if (/(?:reference|citation)$/.test(stringOf(type) ?? '')) this.#sources.addWithin(item);
    this.#others.push(jsonOf(item));
    return [];
  }

  #picture(value: unknown): ChatEvent[] {
    const part = pictureOf(value);
    if (part) return this.#writer.part(part);
    this.#others.push(jsonOf(value));
    return [];
  }

  /** Tools that Groq's compound systems ran, as calls that have their results. */
  #executed(tool: Fields): ChatEvent[] {
    const name = textAt(tool, 'name', 'type') ?? 'tool';
    const id = `executed_${name}_${numberOf(tool['index']) ?? this.#ran.size}`;
    const output = tool['output'];
    const events: ChatEvent[] = [];
    const meta = { openai: { providerExecuted: true } };
    if (!this.#ran.has(id)) {
      this.#ran.add(id);
      const input = jsonOf(tool['arguments'] ?? tool['input'] ?? {});
      events.push(...this.#writer.part({ type: 'tool-call', id, name, input, meta }));
    }
    if (output === undefined || output === null) return events;
    for (const result of listOf(fieldsOf(tool['search_results'])['results']))
      this.#sources.add(result);
    return [
      ...events,
      ...this.#writer.part({ type: 'tool-result', id, name, output: jsonOf(output), meta }),
    ];
  }
}
