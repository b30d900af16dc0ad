import { milderEffort, nearestEffort } from '../adapter-kit/effort.ts';
import { forbidsStreams } from '../adapter-kit/failure-words.ts';
import { type Droppable, inBody } from '../adapter-kit/refused-fields.ts';
import { fieldsOf } from '../json/fields.ts';
import type { OpenAIProfile } from './profiles.ts';
import type { Settings } from './settings.ts';

/** How a request is written without something. */
export type Adapt = Droppable<Settings>['adapt'];

/** Writes by another profile. */
export const byProfile =
  (change: Partial<OpenAIProfile>): Adapt =>
  (settings) => {
    const profile = { ...settings.profile, ...change };
    const isSame = JSON.stringify(profile) === JSON.stringify(settings.profile);
    return isSame ? undefined : { ...settings, profile };
  };

/** Leaves out a field of the request. */
export const withoutField =
  (name: 'temperature' | 'topP' | 'stop' | 'seed'): Adapt =>
  ({ request: { [name]: value, ...request }, ...rest }) =>
    value === undefined ? undefined : { ...rest, request };

/** Returns a field under one name in the wire. */
export function field(
  name: string,
  requestField: string,
  adapt: Adapt,
  more: Partial<Droppable<Settings>> = {},
): Droppable<Settings> {
  return { names: [name], field: requestField, sent: inBody(name), adapt, ...more };
}

/** A stream, where the server gives none. */
export const STREAM: Droppable<Settings> = {
  names: ['stream'],
  sent: (body) => fieldsOf(body)['stream'] || undefined,
  isMeant: forbidsStreams,
  isWish: true,
  adapt: (settings) => (settings.isWhole ? undefined : { ...settings, isWhole: true }),
};

/**
 * Says that a role is not known, without its name; the order of roles and other roles are not meant. Sources: llama.cpp and the templates of Qwen, Zhipu (1214);
 * halogen-flash-server#32, PI-Desktop#30.
 */
const NO_SUCH_ROLE =
  /(?:unexpected|unknown|incorrect|unrecogni[sz]ed|unsupported) (?:message )?role(?!s|[ :=]*(?:information[ :]*)?['"`]?(?:user|assistant|tool|function)| (?:after|property|in (?!(?:the )?messages)))|角色信息[^，。]{0,12}不正确/i;

/**
 * Says that instructions may only be at the beginning, or in one message. Sources: the templates of Qwen, vLLM, llama.cpp;
 * opencode#46481, mistral.rs#45.
 */
export const SYSTEM_FIRST: RegExp =
  /system (?:message|prompt|role)s?['"`]? (?:must|should|can|may|has to|needs to|is)(?: only)? [^.]{0,30}(?:first|beginning|start)|only (?:one|a single|the first)[^.]{0,20} system|(?:multiple|several|more than one|\b2) system (?:message|prompt)/i;

/**
 * Returns the roles of instructions, of which servers take `developer`, `system`, or none but `user`.
 *
 * @param messages - The messages of a body.
 */
export function roles(messages: (body: object) => readonly unknown[]): Droppable<Settings>[] {
  const has = (role: string) => (body: object) =>
    messages(body).some((message) => fieldsOf(message)['role'] === role) ? role : undefined;
  const isRole = (said: string, param: string | undefined): boolean =>
    (/(?:messages|input)\S*role/.test(param ?? '') && /\brole|system|developer/i.test(said)) ||
    (NO_SUCH_ROLE.test(said) && !/\balternat/i.test(said));
  return [
    {
      names: ['developer'],
      sent: has('developer'),
      isMeant: (said, param) => /developer/i.test(said) || isRole(said, param),
      isWish: true,
      adapt: byProfile({ systemRole: 'system' }),
    },
    {
      names: ['system'],
      field: 'messages',
      instead: 'what the system says was said by the user',
      sent: has('system'),
      isMeant: (said, param) =>
        (!SYSTEM_FIRST.test(said) &&
          /(?:system|developer) (?:role|messages?|prompts?|instructions?)[^.]{0,40}(?:not|n't|un)|(?:(?:not|n't) support|unsupported|invalid|unknown|unexpected)[^.]{0,30}(?:['"`]system['"`]|role:? ['"`]?system|system (?:role|message|prompt|instruction))/i.test(
            said,
          )) ||
        isRole(said, param),
      isWish: true,
      adapt: byProfile({ systemRole: 'user' }),
    },
  ];
}

/** How the next word is chosen. */
export const SAMPLING: readonly Droppable<Settings>[] = [
  field('top_k', 'topK', byProfile({ topK: false })),
  field('top_p', 'topP', withoutField('topP')),
  field('temperature', 'temperature', withoutField('temperature')),
];

/** The choice whether tools may, must or must not be called. */
export const TOOL_CHOICE: Droppable<Settings> = field(
  'tool_choice',
  'toolChoice',
  byProfile({ toolChoice: false }),
  { isWish: true, names: ['tool_choice', 'toolChoice'] },
);

/** The servers' names for the form of an answer. */
export const OUTPUT_NAMES: readonly string[] = [
  'response_format',
  'json mode',
  'json_schema',
  'json_object',
  'structured output',
  'structured outputs',
  'response format',
  'response mime type',
  'guided_json',
  'guided decoding',
  'json schema',
  'grammar',
];

/** A lower or a higher level where the server lists what it takes, or none at all. */
export const otherEffort: Adapt = ({ request, profile, ...rest }, said) => {
  const { reasoning = 'default' } = request;
  if (/set ['"`]?reasoning_effort['"`]? to ['"`]?none/i.test(said) && reasoning !== 'none') {
    return { ...rest, profile, request: { ...request, reasoning: 'none' } };
  }
  const level = nearestEffort(reasoning, said) ?? milderEffort(reasoning, said);
  if (level !== undefined) return { ...rest, profile, request: { ...request, reasoning: level } };
  return byProfile({ reasoningEffort: 'none' })({ ...rest, request, profile }, said);
};

/** One step further from the schema: without `strict`, as any object, in words. */
export const looserOutput: Adapt = ({ profile, request, ...rest }, said) => {
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
