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
import type { JsonValue } from '../../json/json-value.ts';
import type { ChatEvent } from '../../models/events.ts';
import type { ProviderMeta } from '../../models/message.ts';

/** Lists of sources, in a chunk or in a message. */
const SOURCE_LISTS = [
  'annotations',
  'citations',
  'search_results',
  'web_search',
  'sources',
  'references',
  'grounding',
];

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

  /** The lists of sources of a delta, a message or a chunk. */
  sourcesIn(fields: Fields): void {
    for (const key of SOURCE_LISTS) {
      const list = fields[key];
      if (Array.isArray(list)) for (const source of list) this.#sources.add(source);
    }
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
    return this.#others.length === 0 ? undefined : { openai: { content: this.#others } };
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
    if (typeof item['refusal'] === 'string') return this.#writer.text('text', item['refusal']);
    if (/image/.test(stringOf(type) ?? '')) return this.#picture(item);
    if (type === 'reference' || type === 'url_citation' || type === 'file_citation')
      this.#sources.add(item);
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
