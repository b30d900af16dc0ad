import {
  type Fields,
  fieldsOf,
  jsonOf,
  numberOf,
  omitUndefined,
  stringOf,
  textAt,
} from '../json/fields.ts';
import type { SourcePart } from '../models/message.ts';

/** Collects the sources of one answer, each once: servers repeat them with every piece. */
export class Sources {
  readonly #provider: string;
  readonly #parts = new Map<string, SourcePart>();

  /** @param provider - The name under which the provider's own record is in `meta`. */
  constructor(provider: string) {
    this.#provider = provider;
  }

  /** Adds a source in any form: an address, or an object that has one, a title or a text. */
  add(value: unknown): void {
    const fields = typeof value === 'string' ? { url: value } : innerOf(fieldsOf(value));
    const url = textAt(fields, 'url', 'uri', 'link', 'source_url', 'retrievedUrl');
    const title = textAt(
      fields,
      'title',
      'name',
      'filename',
      'document_title',
      'document_name',
      'file_name',
      'filepath',
      'file_id',
    );
    const text = textAt(fields, 'content', 'snippet', 'text', 'quote', 'cited_text', 'chunk_text');
    if (url === undefined && title === undefined && text === undefined) return;
    const [from, to] = [fields['start_index'], fields['end_index']].map(numberOf);
    const key = [url ?? title ?? text, from, to].join(' ');
    const known = this.#parts.get(key);
    const meta = { [this.#provider]: { source: jsonOf(value) } };
    const part = omitUndefined({
      url: url || undefined,
      title: title || undefined,
      text: text || undefined,
    });
    const isPlain = typeof value === 'string';
    this.#parts.set(key, {
      ...known,
      ...part,
      type: 'source',
      ...(isPlain ? known?.meta && { meta: known.meta } : { meta }),
    });
  }

  /** Adds all sources in a value, however deep: gateways pass on the records of others in lists and objects of their own. */
  addWithin(value: unknown, depth: number = 0): void {
    if (typeof value === 'string') {
      if (URL.canParse(value)) this.add(value);
    } else if (looksLikeSource(value)) {
      this.add(value);
    } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      for (const inner of Object.values(value))
        if (typeof inner === 'object' || Array.isArray(value)) this.addWithin(inner, depth + 1);
    }
  }

  /** The sources in the order in which they came. */
  get parts(): readonly SourcePart[] {
    return [...this.#parts.values()];
  }
}

const MAX_DEPTH = 5;

/** Checks whether a value has an address, or a title with a text. */
function looksLikeSource(value: unknown): boolean {
  const fields = innerOf(fieldsOf(value));
  if (textAt(fields, 'url', 'uri', 'link', 'source_url', 'retrievedUrl') !== undefined) return true;
  const hasTitle =
    textAt(fields, 'title', 'document_title', 'filename', 'filepath') !== undefined ||
    isFile(fields);
  const hasText = textAt(fields, 'content', 'snippet', 'text', 'quote', 'cited_text') !== undefined;
  return hasTitle && (hasText || isFile(fields));
}

function isFile({ type, file_id: id }: Fields): boolean {
  return type === 'file' || (type === 'file_citation' && typeof id === 'string');
}

/** `{ type: 'url_citation', url_citation: { … } }`, `{ web: { … } }`: the object within the object. */
function innerOf(fields: Fields): Fields {
  const named = stringOf(fields['type']);
  for (const key of [
    named,
    'url_citation',
    'file_citation',
    'web',
    'retrievedContext',
    'maps',
    'image',
    'source',
    'document',
  ]) {
    const inner = key === undefined ? {} : fieldsOf(fields[key]);
    if (Object.keys(inner).length > 0) return { ...fields, ...inner };
  }
  return fields;
}
