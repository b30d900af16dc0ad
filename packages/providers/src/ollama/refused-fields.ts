import { nearestEffort } from '../adapter-kit/effort.ts';
import { forbidsStreams } from '../adapter-kit/failure-words.ts';
import { type Droppable, droppableField, inBody } from '../adapter-kit/refused-fields.ts';
import { fieldsOf } from '../json/fields.ts';
import type { WrittenRequest } from './write-request.ts';

/** The body of a request, and whether the server gives no streams. */
export interface Settings {
  readonly body: Omit<WrittenRequest['body'], 'stream'>;
  readonly isWhole?: boolean;
}

function droppable(
  name: string,
  field: string,
  more: Partial<Droppable<Settings>> = {},
): Droppable<Settings> {
  return droppableField(name, field, {
    adapt: ({ body, ...rest }) =>
      name in body ? { ...rest, body: withoutKey(body, name) } : undefined,
    ...more,
  });
}

function withoutKey<Body extends object>(body: Body, name: string): Body {
  const kept = Object.entries(body).filter(([key]) => key !== name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key is optional
  return Object.fromEntries(kept) as Body;
}

function option(name: string, field: string): Droppable<Settings> {
  return droppableField(name, field, {
    sent: (body) => fieldsOf(fieldsOf(body)['options'])[name],
    adapt: ({ body, ...rest }) => {
      const { options = {} } = body;
      return name in options
        ? { ...rest, body: { ...body, options: withoutKey(options, name) } }
        : undefined;
    },
  });
}

/**
 * Fields without which a request still means the same, or nearly; the least important first. Ollama itself leaves out
 * what it does not know; servers and proxies of its protocol do not.
 */
export const DROPPABLE: readonly Droppable<Settings>[] = [
  {
    names: ['stream'],
    sent: inBody('stream'),
    isMeant: forbidsStreams,
    isWish: true,
    adapt: (settings) => (settings.isWhole ? undefined : { ...settings, isWhole: true }),
  },
  droppable('shift', 'messages', { instead: 'a long answer may lose the beginning of the prompt' }),
  droppable('truncate', 'messages', { instead: 'a prompt that is too long may be cut' }),
  option('seed', 'seed'),
  option('top_k', 'topK'),
  option('top_p', 'topP'),
  option('temperature', 'temperature'),
  option('stop', 'stop'),
  droppable('keep_alive', 'keepAlive', { isWish: true }),
  {
    names: ['think'],
    field: 'reasoning',
    instead: 'the model thinks as it does',
    isWish: true,
    sent: inBody('think'),
    isMeant: (said) => /think|reason/i.test(said),
    // Most models think or not; only some know levels, and some do not think at all.
    adapt: ({ body, ...rest }, said) => {
      const { think } = body;
      if (think === undefined) return undefined;
      const level = typeof think === 'string' ? nearestEffort(think, said) : undefined;
      if (level === 'low' || level === 'medium' || level === 'high') {
        return { ...rest, body: { ...body, think: level } };
      }
      const isLevel = typeof think === 'string' && !/does not support thinking/i.test(said);
      return { ...rest, body: isLevel ? { ...body, think: true } : withoutKey(body, 'think') };
    },
  },
  {
    names: [
      'format',
      'schema',
      'grammar',
      'structured output',
      'structured outputs',
      'json mode',
      'required for format',
    ],
    field: 'output',
    instead: 'the model was asked in words',
    isWish: true,
    sent: inBody('format'),
    adapt: ({ body, ...rest }) => {
      const { format, messages = [] } = body;
      if (format === undefined) return undefined;
      const schema =
        typeof format === 'object'
          ? ` It must follow this JSON Schema:\n${JSON.stringify(format)}`
          : '';
      const content = `Answer with JSON and nothing else.${schema}`;
      return {
        ...rest,
        body: {
          ...withoutKey(body, 'format'),
          messages: [{ role: 'system', content }, ...messages],
        },
      };
    },
  },
];
