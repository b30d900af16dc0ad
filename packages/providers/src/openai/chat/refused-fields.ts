import { type Droppable, inBody } from '../../adapter-kit/refused-fields.ts';
import { fieldsOf, listOf, stringOf } from '../../json/fields.ts';
import {
  byProfile,
  field,
  looserOutput,
  otherEffort,
  OUTPUT_NAMES,
  roles,
  SAMPLING,
  STREAM,
  SYSTEM_FIRST,
  TOOL_CHOICE,
  withoutField,
} from '../droppables.ts';
import type { OpenAIProfile } from '../profiles.ts';
import type { Settings } from '../settings.ts';

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

const REASONING_FIELDS = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'reasoning_opaque',
  'thinking_blocks',
];

function reasoningSent(body: object): unknown {
  const fields = messagesOf(body).flatMap((message) => Object.keys(fieldsOf(message)));
  return fields.find((key) => REASONING_FIELDS.includes(key));
}

/** Fields without which a request still means the same, or nearly; the least important first. */
export const DROPPABLE: readonly Droppable<Settings>[] = [
  STREAM,
  field('stream_options', 'usage', byProfile({ streamUsage: false })),
  ...roles(messagesOf),
  {
    names: ['several system messages'],
    field: 'messages',
    instead:
      'what the system says is one message at the beginning, and later it was said by the user',
    sent: (body) => (messagesOf(body).slice(1).some(isInstruction) ? 'several' : undefined),
    isMeant: (said) => SYSTEM_FIRST.test(said),
    isWish: true,
    adapt: byProfile({ systemFirst: true }),
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
    sent: reasoningMissing,
    isMeant: (said) => /reasoning_content/i.test(said) && isMissing(said),
    isWish: true,
    adapt: (settings, said) => {
      const { when } = settings.profile.reasoningOut;
      // Moonshot takes an empty text for none.
      const none = when === 'required' ? { none: '.' } : {};
      const reasoningOut = { field: 'reasoning_content', when: 'required', ...none } as const;
      return byProfile({ reasoningOut })(settings, said);
    },
  },
  field('seed', 'seed', withoutField('seed')),
  ...SAMPLING,
  field('stop', 'stop', withoutField('stop'), { names: ['stop', 'stop_sequences'] }),
  {
    names: ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking'],
    field: 'reasoning',
    instead: 'the model thinks as much as it does, or as the server allows',
    isWish: true,
    // Some models think unless the request turns it off, and refuse tools then.
    sent: (body) =>
      fieldsOf(body)['reasoning_effort'] ??
      fieldsOf(body)['reasoning'] ??
      fieldsOf(body)['thinking'] ??
      ('tools' in body ? 'default' : undefined),
    isMeant: (said, param) =>
      /reasoning[_ ]?effort|reasoningEffort|thinking (?:level|budget|mode)|['"`.]reasoning['"`.]|enable_thinking|effort|level ['"`]?(?:none|minimal|low|medium|high|xhigh|max)\b|(?:reasoning|thinking) (?:is|are|cannot|can't|must)\b/i.test(
        `${said} ${param ?? ''}`,
      ) && !/tool_choice|reasoning_content/i.test(said),
    adapt: otherEffort,
  },
  TOOL_CHOICE,
  {
    names: OUTPUT_NAMES,
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

/** Returns how the field is missing in an answer, as the records of other servers are none of it. */
function reasoningMissing(body: object): 'none' | 'empty' | undefined {
  const answers = messagesOf(body)
    .map(fieldsOf)
    .filter(({ role }) => role === 'assistant');
  if (!answers.every((answer) => 'reasoning_content' in answer)) return 'none';
  return answers.some((answer) => answer['reasoning_content'] === '') ? 'empty' : undefined;
}

function isInstruction(message: unknown): boolean {
  return /^(?:system|developer)$/.test(stringOf(fieldsOf(message)['role']) ?? '');
}
