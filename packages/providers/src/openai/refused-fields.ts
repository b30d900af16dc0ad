import { milderEffort, nearestEffort } from '../adapter-kit/effort.ts';
import { forbidsStreams } from '../adapter-kit/failure-words.ts';
import type { Droppable } from '../adapter-kit/refused-fields.ts';
import { fieldsOf, listOf } from '../json/fields.ts';
import type { ChatRequest } from '../models/request.ts';
import type { OpenAIProfile } from './profiles.ts';

/** A request, and the profile by which it is written. */
export interface Settings {
  readonly request: ChatRequest;
  readonly profile: OpenAIProfile;
  /** The server gives no streams: it is asked for the whole answer. */
  readonly isWhole?: boolean;
}

type Adapt = Droppable<Settings>['adapt'];

const byProfile =
  (change: Partial<OpenAIProfile>): Adapt =>
  (settings) => {
    const profile = { ...settings.profile, ...change };
    const isSame = JSON.stringify(profile) === JSON.stringify(settings.profile);
    return isSame ? undefined : { ...settings, profile };
  };

const without =
  (name: 'temperature' | 'topP' | 'stop' | 'seed'): Adapt =>
  ({ request: { [name]: value, ...request }, ...rest }) =>
    value === undefined ? undefined : { ...rest, request };

const inBody =
  (name: string) =>
  (body: object): unknown =>
    fieldsOf(body)[name];

/** A field under one name in the wire. */
function field(
  name: string,
  requestField: string,
  adapt: Adapt,
  more: Partial<Droppable<Settings>> = {},
): Droppable<Settings> {
  return { names: [name], field: requestField, sent: inBody(name), adapt, ...more };
}

/** The limit goes by another name; by neither it would be lost. */
function renamed(
  name: OpenAIProfile['tokenLimitField'],
  other: OpenAIProfile['tokenLimitField'],
): Droppable<Settings> {
  return {
    names: [name],
    sent: inBody(name),
    adapt: ({ profile, ...rest }, said) =>
      new RegExp(`${other}['"\`]? is (?:not|un)`).test(said)
        ? undefined
        : byProfile({ tokenLimitField: other })({ ...rest, profile }, said),
  };
}

function messagesOf(body: object): readonly unknown[] {
  return listOf(fieldsOf(body)['messages']);
}

function hasRole(role: string) {
  return (body: object): unknown =>
    messagesOf(body).some((message) => fieldsOf(message)['role'] === role) ? role : undefined;
}

const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];

function reasoningSent(body: object): unknown {
  const fields = messagesOf(body).flatMap((message) => Object.keys(fieldsOf(message)));
  return fields.find((key) => REASONING_FIELDS.includes(key));
}

/** A lower or a higher level where the server lists what it takes, or none at all. */
const otherEffort: Adapt = ({ request, profile, ...rest }, said) => {
  const { reasoning = 'default' } = request;
  if (/set ['"`]?reasoning_effort['"`]? to ['"`]?none/i.test(said) && reasoning !== 'none') {
    return { ...rest, profile, request: { ...request, reasoning: 'none' } };
  }
  const level = nearestEffort(reasoning, said) ?? milderEffort(reasoning, said);
  if (level !== undefined) return { ...rest, profile, request: { ...request, reasoning: level } };
  return byProfile({ reasoningEffort: 'none' })({ ...rest, request, profile }, said);
};

/** One step further from the schema: without `strict`, as any object, in words. */
const looserOutput: Adapt = ({ profile, request, ...rest }, said) => {
  const { jsonMode } = profile;
  const hasSchema = request.output?.type === 'json' && request.output.schema !== undefined;
  const change = (mode: OpenAIProfile['jsonMode']): Settings => ({
    ...rest,
    request,
    profile: { ...profile, jsonMode: mode },
  });
  if (/must be ['"`]?json_schema/i.test(said) && jsonMode !== 'schema-only')
    return change('schema-only');
  const isSchema = hasSchema && (jsonMode === 'schema' || jsonMode === 'loose');
  if (
    isSchema &&
    jsonMode === 'schema' &&
    /schema|strict|format['"`]?\b(?! type)|keyword|propert|\$ref|anyOf/i.test(said)
  ) {
    if (!/json_schema['"`]? (?:is|are) not|does not support ['"`]?json_schema|type/i.test(said))
      return change('loose');
  }
  if (isSchema && !/json mode|json_object|tool|function/i.test(said)) return change('object');
  return jsonMode === 'none' ? undefined : change('none');
};

/** Fields without which a request still means the same, or nearly; the least important first. */
export const DROPPABLE: readonly Droppable<Settings>[] = [
  {
    names: ['stream'],
    sent: (body) => fieldsOf(body)['stream'] || undefined,
    isMeant: forbidsStreams,
    isWish: true,
    adapt: (settings) => (settings.isWhole ? undefined : { ...settings, isWhole: true }),
  },
  field('stream_options', 'usage', byProfile({ streamUsage: false })),
  {
    names: ['developer'],
    sent: hasRole('developer'),
    isMeant: (said, param) => /developer/i.test(said) || /messages\S*role/.test(param ?? ''),
    isWish: true,
    adapt: byProfile({ systemRole: 'system' }),
  },
  {
    names: ['system'],
    field: 'messages',
    instead: 'what the system says was said by the user',
    sent: hasRole('system'),
    isMeant: (said, param) =>
      /system (?:role|messages?|prompts?|instructions?)[^.]{0,40}(?:not|un)|(?:not support|unsupported)[^.]{0,30}(?:['"`]system['"`]|system (?:role|message|prompt|instruction))/i.test(
        said,
      ) || /messages\S*role/.test(param ?? ''),
    isWish: true,
    adapt: byProfile({ systemRole: 'user' }),
  },
  {
    names: ['reasoning_content'],
    field: 'messages',
    instead: 'the reasoning of earlier turns was left out',
    sent: reasoningSent,
    isMeant: (said, param) => {
      const where = `${said} ${param ?? ''}`;
      return (
        /reasoning_content|thinking_blocks|reasoning_details|messages\S*reasoning/i.test(where) &&
        !isMissing(said)
      );
    },
    isWish: true,
    adapt: (settings) =>
      byProfile({
        reasoningOut: { field: 'reasoning_content', when: 'never' },
        thinkingBlocks: false,
      })(settings, ''),
  },
  {
    names: ['reasoning in answers'],
    sent: (body) =>
      reasoningSent(body) === undefined || !allHaveReasoning(body) ? 'none' : undefined,
    isMeant: (said) => /reasoning_content/i.test(said) && isMissing(said),
    isWish: true,
    adapt: byProfile({ reasoningOut: { field: 'reasoning_content', when: 'required' } }),
  },
  field('seed', 'seed', without('seed')),
  field('top_k', 'topK', byProfile({ topK: false })),
  field('top_p', 'topP', without('topP')),
  field('temperature', 'temperature', without('temperature')),
  field('stop', 'stop', without('stop'), { names: ['stop', 'stop_sequences'] }),
  {
    names: ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking'],
    field: 'reasoning',
    instead: 'the model thinks as much as it does, or as the server allows',
    isWish: true,
    // Some models think unless they are told not to, and refuse tools then.
    sent: (body) =>
      fieldsOf(body)['reasoning_effort'] ??
      fieldsOf(body)['reasoning'] ??
      fieldsOf(body)['thinking'] ??
      ('tools' in body ? 'default' : undefined),
    isMeant: (said, param) =>
      /reasoning[_ ]?effort|reasoningEffort|thinking (?:level|budget|mode)|['"`.]reasoning['"`.]|enable_thinking|effort/i.test(
        `${said} ${param ?? ''}`,
      ) && !/tool_choice/i.test(said),
    adapt: otherEffort,
  },
  field('tool_choice', 'toolChoice', byProfile({ toolChoice: false }), {
    isWish: true,
    names: ['tool_choice', 'toolChoice'],
  }),
  {
    names: [
      'response_format',
      'json mode',
      'json_schema',
      'json_object',
      'structured output',
      'structured outputs',
      'response format',
      'guided_json',
      'guided decoding',
    ],
    field: 'output',
    instead: 'the model was asked in words',
    isWish: true,
    sent: inBody('response_format'),
    adapt: looserOutput,
  },
  renamed('max_tokens', 'max_completion_tokens'),
  renamed('max_completion_tokens', 'max_tokens'),
];

function isMissing(said: string): boolean {
  return /missing|must be (?:passed|provided|included|present|sent)|is required|passed back|not provided/i.test(
    said,
  );
}

function allHaveReasoning(body: object): boolean {
  return messagesOf(body).every((message) => {
    const fields = fieldsOf(message);
    return fields['role'] !== 'assistant' || REASONING_FIELDS.some((key) => key in fields);
  });
}
