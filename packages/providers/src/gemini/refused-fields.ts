import { forbidsStreams } from '../adapter-kit/failure-words.ts';
import { type Droppable, optionalField } from '../adapter-kit/refused-fields.ts';
import { fieldsOf } from '../json/fields.ts';
import type { ChatRequest } from '../models/request.ts';

/** A request, and what of it this server does not take. */
export interface Settings {
  readonly request: ChatRequest;
  /** The server gives no streams: it is asked for the whole answer. */
  readonly isWhole?: boolean;
  /** Fields of the configuration that are left out. */
  readonly without?: readonly string[];
  /** The setting of thinking: the least that it takes, or nothing. Default: by the request. */
  readonly thinking?: 'least' | 'nothing';
  /** JSON is asked for by its schema, by its type only, or in words. Default: by its schema. */
  readonly json?: 'type' | 'words';
  /** True if the system message is sent as the user's. */
  readonly isSystemSaid?: boolean;
}

/**
 * Fields without which a request still means the same, or nearly; the least important first.
 *
 * Sources: vercel/ai#18986, googleapis/js-genai, and what the API answers for each model.
 */
export const DROPPABLE: readonly Droppable<Settings>[] = [
  {
    names: ['stream'],
    sent: (body) => fieldsOf(body)['stream'] || undefined,
    isMeant: forbidsStreams,
    isWish: true,
    adapt: (settings) => (settings.isWhole ? undefined : { ...settings, isWhole: true }),
  },
  optionalField('seed', 'seed'),
  optionalField('topK', 'topK'),
  optionalField('topP', 'topP'),
  optionalField('temperature', 'temperature'),
  optionalField('stopSequences', 'stop'),
  {
    names: ['thinkingConfig'],
    field: 'reasoning',
    instead: 'the model thinks as much as it does, or as little as it can',
    isWish: true,
    sent: (body) => fieldsOf(body)['thinkingConfig'],
    isMeant: (said, param) =>
      /thinking|thought|\bbudget\b/i.test(`${said} ${param ?? ''}`) && !/signature/i.test(said),
    adapt: (settings) => {
      const { thinking, request } = settings;
      if (thinking === 'nothing') return undefined;
      // A model that always thinks has a least that it takes.
      const isLess = request.reasoning === 'none' || request.reasoning === 'minimal';
      return { ...settings, thinking: isLess && thinking === undefined ? 'least' : 'nothing' };
    },
  },
  optionalField('toolConfig', 'toolChoice', {
    isWish: true,
    isMeant: (said) =>
      /tool_?config|function_?calling_?config|functionCallingConfig|tool_choice|(?:calling )?mode ['"`]?ANY/i.test(
        said,
      ),
  }),
  {
    names: ['responseJsonSchema'],
    field: 'output',
    instead: 'the model was asked in words',
    isWish: true,
    sent: (body) => fieldsOf(body)['responseMimeType'],
    isMeant: (said) =>
      /response_?(?:json_?)?schema|response ?mime ?type|response_mime_type|json mode|structured output|schema/i.test(
        said,
      ),
    adapt: (settings, said) => {
      const { json, request } = settings;
      if (json === 'words') return undefined;
      const hasSchema = request.output?.type === 'json' && request.output.schema !== undefined;
      const isOfSchema = /schema/i.test(said) && !/mime|json mode/i.test(said);
      return {
        ...settings,
        json: hasSchema && isOfSchema && json === undefined ? 'type' : 'words',
      };
    },
  },
  {
    names: ['systemInstruction'],
    field: 'messages',
    instead: 'what the system says was said by the user',
    isWish: true,
    sent: (body) => fieldsOf(body)['systemInstruction'],
    isMeant: (said) => /(?:system|developer)[_ ]?instruction/i.test(said),
    adapt: (settings) => (settings.isSystemSaid ? undefined : { ...settings, isSystemSaid: true }),
  },
  optionalField('maxOutputTokens', 'maxOutputTokens', { isMeant: () => false }),
];
