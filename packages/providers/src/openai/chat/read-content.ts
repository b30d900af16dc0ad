import { fileOf, pictureOf, soundType } from '../../adapter-kit/media.ts';
import { Sources } from '../../adapter-kit/sources.ts';
import type { PartWriter } from '../../adapter-kit/part-writer.ts';
import {
  fieldsOf,
  isRecord,
  jsonOf,
  listOf,
  numberOf,
  stringOf,
  textAt,
  type Fields,
} from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { ChatEvent } from '../../models/events.ts';
import type { ProviderMeta } from '../../models/message.ts';

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
export class ContentReader {
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
