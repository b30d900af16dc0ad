import type OpenAI from 'openai';
import { readErrorBody } from '../../adapter-kit/error-body.ts';
import { withUsage } from '../../adapter-kit/estimate-usage.ts';
import { explainFailure } from '../../adapter-kit/explain.ts';
import { readFinish } from '../../adapter-kit/finish-reasons.ts';
import { fileOf, soundType } from '../../adapter-kit/media.ts';
import { PartWriter } from '../../adapter-kit/part-writer.ts';
import {
  type Fields,
  fieldsOf,
  jsonOf,
  listOf,
  numberOf,
  objectOf,
  stringOf,
} from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { ChatEvent, ChatWarning, FinishEvent, Usage } from '../../models/events.ts';
import type { ProviderMeta } from '../../models/message.ts';
import { inBandError } from '../exchange.ts';
import type { OpenAIProfile } from '../profiles.ts';
import { readUsage } from '../read-usage.ts';
import { type EventMeaning, meaningOf } from './event-kinds.ts';
import { ItemReader, type OpenItem, OpenItems } from './item-reader.ts';
import { kindOf } from './items.ts';

/** How an answer ended. */
interface Ending {
  readonly status: string;
  readonly reason: string | undefined;
}

/** How the events of an answer are read. */
interface EventReaderOptions {
  readonly profile: OpenAIProfile;
  readonly warnings: readonly ChatWarning[];
  /** The server keeps the response, so that a later request may continue it. */
  readonly isStored: boolean;
}

/** Reads the events of one response, or a response as a whole. */
export class EventReader {
  readonly #options: EventReaderOptions;
  readonly #writer: PartWriter;
  readonly #whole: ItemReader;
  readonly #items = new OpenItems();
  #hasStarted = false;
  #response: string | undefined;
  #usage: Usage | undefined;
  #ending: Ending | undefined;
  /** The response, if it failed. */
  #failed: Fields | undefined;
  #isRefusal = false;
  /** The item whose text came last. */
  #speaking: OpenItem | undefined;
  /** Pieces of sound, in base64. */
  #sound: string[] = [];

  constructor(options: EventReaderOptions) {
    this.#options = options;
    this.#writer = new PartWriter(options.profile.thinkTags);
    this.#whole = new ItemReader(this.#writer);
  }

  /**
   * Reads an event of the stream, or a whole response.
   *
   * @throws LLMError if the server says that it failed.
   */
  read(event: unknown): ChatEvent[] {
    const fields = fieldsOf(event);
    if (fields['object'] === 'response') return this.#readResponse(fields);
    const kind = stringOf(fields['type']) ?? '';
    const meaning = meaningOf(kind);
    // An unknown kind may hold the response, too.
    if (meaning === 'response' || fields['response'] !== undefined)
      return this.#readResponse(fieldsOf(fields['response']));
    if (meaning === 'error') throw inBandError(fields['error'] ?? fields);
    const events = this.#start({});
    for (const each of this.#readItemEvent(meaning, fields)) events.push(each);
    return events;
  }

  /** Returns the last events; none of an answer that was cut off. */
  end(): ChatEvent[] {
    if (this.#failed) throwFailure(this.#failed, this.#usage);
    const ending = this.#ending;
    if (ending === undefined) return [];
    const { status, reason: word } = ending;
    const rawReason = word ?? status;
    const said = withUsage(this.#usage, () => readFinish(rawReason));
    const reason = this.#isRefusal && said === 'stop' ? 'content-filter' : said;
    const parts = [
      ...this.#writer.endText(),
      ...this.#soundPart(),
      ...this.#whole.sources(),
      ...withUsage(this.#usage, () => this.#writer.end(reason === 'length')),
    ];
    const hasCalls = this.#writer.hasToolCalls || this.#whole.hasOpenCalls;
    const finish: FinishEvent = {
      type: 'finish',
      reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason,
      rawReason,
      usage: this.#usage ?? {},
    };
    return [...parts, finish];
  }

  #start(response: Fields): ChatEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    const [id, model] = [stringOf(response['id']), stringOf(response['model'])];
    this.#response = id;
    return [
      {
        type: 'start',
        ...(id ? { id } : {}),
        ...(model ? { model } : {}),
        warnings: this.#options.warnings,
      },
    ];
  }

  #readResponse(response: Fields): ChatEvent[] {
    const events = this.#start(response);
    this.#usage = readUsage(response) ?? this.#usage;
    const status = stringOf(response['status']) ?? (response['error'] ? 'failed' : '');
    if (status === 'queued' || status === 'in_progress' || status === '') return events;
    for (const event of this.#readOutput(listOf(response['output']))) events.push(event);
    if (status === 'failed') {
      if (events.length === 0) throwFailure(response, this.#usage);
      // The events that came with the failure come first.
      this.#failed = response;
      return events;
    }
    // xAI
    for (const url of listOf(response['citations'])) this.#whole.cite(url);
    const { reason } = fieldsOf(response['incomplete_details']);
    this.#ending = { status, reason: stringOf(reason) };
    return events;
  }

  /** Returns the output of the response as a whole counts where its events did not come. */
  #readOutput(output: readonly unknown[]): ChatEvent[] {
    return this.#items.match(output).flatMap(([item, fields]) => this.#endItem(item, fields));
  }

  #readItemEvent(meaning: EventMeaning, event: Fields): readonly ChatEvent[] {
    switch (meaning) {
      case 'item-begins':
        return this.#beginItem(event);
      case 'item-ends': {
        const item = fieldsOf(event['item']);
        return this.#endItem(this.#items.of(event, stringOf(item['type']) ?? ''), item);
      }
      case 'text':
        return this.#piece(this.#items.of(event, 'message'), 'text', slotOf(event), event['delta']);
      case 'text-ends':
        return this.#rest(this.#items.of(event, 'message'), 'text', slotOf(event), event['text']);
      case 'refusal':
        return this.#refuse(this.#items.of(event, 'message'), slotOf(event), event['delta'], false);
      case 'refusal-ends':
        return this.#refuse(
          this.#items.of(event, 'message'),
          slotOf(event),
          event['refusal'],
          true,
        );
      case 'thought':
        return this.#piece(
          this.#items.of(event, 'reasoning'),
          'reasoning',
          slotOf(event),
          event['delta'],
        );
      case 'thought-ends':
        return this.#rest(
          this.#items.of(event, 'reasoning'),
          'reasoning',
          slotOf(event),
          event['text'],
        );
      case 'content-ends':
        return this.#content(
          this.#items.of(event, ofPart(fieldsOf(event['part']))),
          slotOf(event),
          fieldsOf(event['part']),
        );
      case 'arguments':
        return this.#arguments(this.#items.of(event, 'function_call'), event['delta'], false);
      case 'arguments-end':
        return this.#arguments(this.#items.of(event, 'function_call'), event['arguments'], true);
      case 'source':
        this.#whole.cite(event['annotation']);
        return [];
      case 'sound': {
        const sound = stringOf(event['delta']);
        if (sound) this.#sound.push(sound);
        return [];
      }
      default:
        return [];
    }
  }

  #beginItem(event: Fields): ChatEvent[] {
    const fields = fieldsOf(event['item']);
    const item = this.#items.open(fields, numberOf(event['output_index']));
    // An open item belongs to the one before.
    const events = this.#writer.endText();
    return item.type === 'function_call' ? [...events, ...this.#callBegins(item, fields)] : events;
  }

  #callBegins(item: OpenItem, fields: Fields): ChatEvent[] {
    if (item.isNamed || typeof fields['name'] !== 'string') return [];
    item.isNamed = true;
    // A call within a program, or of a namespace, goes back with what says so.
    const { namespace, caller } = fields;
    const own: JsonObject = {
      ...(namespace === undefined || namespace === null ? {} : { namespace: jsonOf(namespace) }),
      ...(caller === undefined || caller === null ? {} : { caller: jsonOf(caller) }),
    };
    const record = Object.keys(own).length > 0 ? { item: { type: item.type, ...own } } : {};
    return this.#writer.toolCall(item.key, {
      id: stringOf(fields['call_id']) || item.id,
      name: stringOf(fields['name']),
      meta: this.#metaOf(record),
    });
  }

  #arguments(item: OpenItem, value: unknown, isWhole: boolean): ChatEvent[] {
    // Without its name a call cannot be emitted yet.
    if (!item.isNamed) return [];
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    const before = item.lengths.get('arguments') ?? 0;
    const whole = stringOf(text) ?? '';
    const input = isWhole ? whole.slice(before) : whole;
    if (input === '') return [];
    item.lengths.set('arguments', before + input.length);
    return this.#writer.toolCall(item.key, { input });
  }

  #endItem(item: OpenItem, fields: Fields): ChatEvent[] {
    if (item.isDone) return [];
    item.isDone = true;
    switch (kindOf({ ...fields, type: item.type }).role) {
      case 'message':
        return this.#endMessage(item, fields);
      case 'reasoning':
        return this.#endReasoning(item, fields);
      case 'function_call':
        return [
          ...this.#callBegins(item, fields),
          ...this.#arguments(item, fields['arguments'], true),
        ];
      default:
        return this.#whole.read(fields);
    }
  }

  #endMessage(item: OpenItem, fields: Fields): ChatEvent[] {
    const content = fields['content'];
    const list = typeof content === 'string' ? [{ type: 'output_text', text: content }] : content;
    const events = listOf(list).flatMap((part, at) =>
      this.#content(item, `content ${at}`, fieldsOf(part)),
    );
    const { phase } = fields;
    const own: JsonObject = typeof phase === 'string' ? { phase } : {};
    if (item.lengths.size === 0) return events;
    return [...events, ...this.#mark('text', own), ...this.#writer.endText()];
  }

  /** Returns a part of a message or of reasoning, whole. */
  #content(item: OpenItem, slot: string, part: Fields): ChatEvent[] {
    for (const annotation of listOf(part['annotations'])) this.#whole.cite(annotation);
    if (part['type'] === 'refusal') return this.#refuse(item, slot, part['refusal'], true);
    if (part['type'] === 'reasoning_text') return this.#rest(item, 'reasoning', slot, part['text']);
    return this.#rest(item, 'text', slot, part['text'] ?? part['transcript']);
  }

  #endReasoning(item: OpenItem, fields: Fields): ChatEvent[] {
    const events = this.#texts(item, 'content', listOf(fields['content']));
    // The thoughts themselves say more than their summary.
    if (!hasSlot(item, 'content')) {
      events.push(...this.#texts(item, 'summary', listOf(fields['summary'])));
    }
    const { isStored } = this.#options;
    const { status: _status, ...record } = objectOf(jsonOf(fields));
    const isKept = isStored || Boolean(fields['encrypted_content']) || hasSlot(item, 'content');
    const marks = isKept ? this.#mark('reasoning', { item: record }) : [];
    return [...events, ...marks, ...this.#writer.endText()];
  }

  #texts(item: OpenItem, key: string, list: readonly unknown[]): ChatEvent[] {
    return list.flatMap((part, at) =>
      this.#rest(item, 'reasoning', `${key} ${at}`, fieldsOf(part)['text']),
    );
  }

  #refuse(item: OpenItem, slot: string, value: unknown, isWhole: boolean): ChatEvent[] {
    if (value) this.#isRefusal = true;
    return isWhole ? this.#rest(item, 'text', slot, value) : this.#piece(item, 'text', slot, value);
  }

  /** Returns the part of a whole text that has not come in pieces. */
  #rest(item: OpenItem, type: 'text' | 'reasoning', slot: string, value: unknown): ChatEvent[] {
    const rest = (stringOf(value) ?? '').slice(item.lengths.get(slot) ?? 0);
    return rest === '' ? [] : this.#piece(item, type, slot, rest);
  }

  #piece(item: OpenItem, type: 'text' | 'reasoning', slot: string, value: unknown): ChatEvent[] {
    const text = stringOf(value) ?? '';
    if (text === '') return [];
    const before = item.lengths.get(slot);
    item.lengths.set(slot, (before ?? 0) + text.length);
    const isNext = before === undefined && item.lengths.size > 1;
    if (isNext && type === 'reasoning') return this.#writer.said(type, `\n\n${text}`);
    const isOther = this.#speaking !== item;
    this.#speaking = item;
    const ended = isNext || isOther ? this.#writer.endText() : [];
    const said = this.#writer.said(type, text);
    return ended.length === 0 ? said : [...ended, ...said];
  }

  /** Notes data to send back at the open part; reasoning without text is a part of its own. */
  #mark(type: 'text' | 'reasoning', own: JsonObject): ChatEvent[] {
    const meta = this.#metaOf(own);
    if (meta === undefined) return [];
    if (type === 'text' && this.#writer.openType !== 'text') return [];
    return this.#writer.text(type, '', meta);
  }

  #metaOf(own: JsonObject): ProviderMeta | undefined {
    const { isStored } = this.#options;
    const response: JsonObject =
      isStored && this.#response !== undefined ? { response: this.#response } : {};
    const all = { ...own, ...response };
    return Object.keys(all).length === 0 ? undefined : { openai: all };
  }

  #soundPart(): ChatEvent[] {
    const [first] = this.#sound;
    if (first === undefined) return [];
    const data = Buffer.concat(this.#sound.map((piece) => Buffer.from(piece, 'base64')));
    return this.#writer.part({ ...fileOf('', soundType(first)), data });
  }
}

function hasSlot({ lengths }: OpenItem, key: string): boolean {
  return [...lengths.keys()].some((slot) => slot.startsWith(key));
}

/** Which text of its item an event is about. */
function slotOf(event: Fields): string {
  const summary = numberOf(event['summary_index']);
  return summary === undefined
    ? `content ${numberOf(event['content_index']) ?? 0}`
    : `summary ${summary}`;
}

function ofPart({ type }: Fields): string {
  return type === 'reasoning_text' || type === 'summary_text' ? 'reasoning' : 'message';
}

/** The codes with which a response may fail, as the installed SDK and newer ones know them. */
type FailureCode = OpenAI.Responses.ResponseError['code'] | 'misalignment_policy_violation';

/** The HTTP status that each code would have: the words of the server say the rest. */
export const FAILURE_STATUS: Readonly<Record<FailureCode, number>> = {
  server_error: 500,
  rate_limit_exceeded: 429,
  invalid_prompt: 400,
  data_residency_mismatch: 403,
  bio_policy: 400,
  misalignment_policy_violation: 400,
  vector_store_timeout: 504,
  invalid_image: 400,
  invalid_image_format: 400,
  invalid_base64_image: 400,
  invalid_image_url: 400,
  image_too_large: 400,
  image_too_small: 400,
  image_parse_error: 400,
  image_content_policy_violation: 400,
  invalid_image_mode: 400,
  image_file_too_large: 400,
  unsupported_image_media_type: 400,
  empty_image_file: 400,
  failed_to_download_image: 400,
  image_file_not_found: 400,
};

const STATUS_OF = new Map<string, number>(Object.entries(FAILURE_STATUS));

/**
 * Throws the failure of a response, with the usage that it reports.
 *
 * @throws LLMError
 */
function throwFailure(response: Fields, usage: Usage | undefined): never {
  const error = response['error'] ?? { message: 'the server gave no reason' };
  const body = readErrorBody(error);
  const status = STATUS_OF.get(stringOf(Object(error)['code']) ?? '') ?? body.status;
  return withUsage(usage, () => {
    throw explainFailure(error, { ...body, status });
  });
}
