import { nearestEffort } from '../adapter-kit/effort.ts';
import { forbidsStreams } from '../adapter-kit/failure-words.ts';
import { type Droppable, optionalField, inBody } from '../adapter-kit/refused-fields.ts';
import { fieldsOf, listOf } from '../json/fields.ts';
import type { Settings, ThinkingMode } from './options.ts';

/** Values that newer models take only as they are by default. */
function sampling(name: string, field: string): Droppable<Settings> {
  return optionalField(name, field, { isWish: true });
}

function blocksOf(body: object, role: string): readonly (readonly unknown[])[] {
  return listOf(fieldsOf(body)['messages'])
    .map((message) => fieldsOf(message))
    .filter((message) => message['role'] === role)
    .map((message) => listOf(message['content']));
}

const THOUGHTS: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

function typeOf(block: unknown): unknown {
  return fieldsOf(block)['type'];
}

function hasThoughts(body: object): unknown {
  const blocks = blocksOf(body, 'assistant').flat();
  return blocks.some((block) => THOUGHTS.has(typeOf(block))) ? 'thoughts' : undefined;
}

function isThinking(body: object): boolean {
  const type = fieldsOf(fieldsOf(body)['thinking'])['type'];
  return type === 'enabled' || type === 'adaptive';
}

/** Another model called a tool without a thought, which a model that thinks does not accept as its own. */
function callsUnthought(body: object): unknown {
  const last = blocksOf(body, 'assistant').at(-1) ?? [];
  const isUnthought =
    last.some((block) => typeOf(block) === 'tool_use') &&
    !last.some((block) => THOUGHTS.has(typeOf(block)));
  return isThinking(body) && isUnthought ? 'unthought' : undefined;
}

/** Returns the next way to ask for thinking; each way is tried once. */
function nextThinking(settings: Settings, body: string): ThinkingMode | undefined {
  const { request, thinking, traits } = settings;
  const isLess = request.reasoning === 'none';
  if (isLess) {
    if (thinking === 'least' || thinking === 'nothing')
      return thinking === 'least' ? 'nothing' : undefined;
    return /between_tools/.test(body) && thinking === undefined ? 'between_tools' : 'least';
  }
  if (/tool_choice|forces tool use|may not be enabled/i.test(body))
    return thinking === 'nothing' ? undefined : 'nothing';
  if (thinking === undefined) return traits.thinking === 'adaptive' ? 'budget' : 'adaptive';
  return thinking === 'nothing' ? undefined : 'nothing';
}

/**
 * Fields without which a request still means the same, or nearly; the least important first.
 *
 * Sources: the messages of the API for each generation of its models (platform.claude.com, migration guides; the reports
 * opik#7531, Fabric#2207, agenc-core#2398, llxprt-code#1307), of Bedrock and Vertex, and of the servers of others that
 * speak the protocol (LiteLLM, vLLM, LM Studio, DeepSeek, Moonshot).
 */
export const DROPPABLE: readonly Droppable<Settings>[] = [
  {
    names: ['stream'],
    sent: (body) => fieldsOf(body)['stream'] || undefined,
    isMeant: forbidsStreams,
    isWish: true,
    adapt: (settings) => (settings.isWhole ? undefined : { ...settings, isWhole: true }),
  },
  {
    names: ['thinking without thoughts'],
    field: 'reasoning',
    instead:
      'the last call of a tool has no thought, so that the model does not think in this turn',
    isWish: true,
    sent: callsUnthought,
    isMeant: (said) =>
      /expected [^.]{0,40}thinking[^.]{0,80}found|must start with a thinking block/i.test(said),
    adapt: (settings) =>
      settings.thinking === 'nothing' ? undefined : { ...settings, thinking: 'nothing' },
  },
  {
    names: ['thinking of earlier turns'],
    field: 'messages',
    instead: 'the thoughts of earlier turns were left out',
    isWish: true,
    sent: hasThoughts,
    isMeant: (said, param) =>
      /invalid [`'"]?signature|signature[`'"]?[^.]{0,40}(?:invalid|not valid|required|extra)|(?:redacted_)?thinking[`'"]? (?:blocks?|content)|thinking[`'"]? or [`'"]?redacted_thinking[`'"]? blocks|messages\.\d+\.content\.\d+\.(?:redacted_)?thinking|(?:redacted_)?thinking[^.]{0,30}(?:unknown|does not match any|content type)/i.test(
        `${said} ${param ?? ''}`,
      ) &&
      !/must start with a thinking block|expected [^.]{0,40}thinking[^.]{0,80}found/i.test(said),
    adapt: (settings) => (settings.isForgetful ? undefined : { ...settings, isForgetful: true }),
  },
  sampling('top_k', 'topK'),
  sampling('top_p', 'topP'),
  sampling('temperature', 'temperature'),
  optionalField('stop_sequences', 'stop'),
  optionalField('cache_control', 'cache', { instead: 'the prompt is not cached', isWish: true }),
  {
    names: ['effort'],
    field: 'reasoning',
    instead: 'the model thinks as much as it does, or as the server allows',
    isWish: true,
    sent: (body) => fieldsOf(fieldsOf(body)['output_config'])['effort'],
    isMeant: (said, param) =>
      /\beffort\b/i.test(`${said} ${param ?? ''}`) &&
      !/output_config\.effort['"`]? (?:instead|to control)|use [^.]{0,60}effort/i.test(said),
    adapt: (settings, said) => {
      const level = settings.effort ?? settings.request.reasoning ?? 'default';
      const nearest = 'effort' in settings ? undefined : nearestEffort(level, said);
      if (nearest !== undefined) return { ...settings, effort: nearest };
      return 'effort' in settings && settings.effort === undefined
        ? undefined
        : { ...settings, effort: undefined };
    },
  },
  {
    names: ['thinking'],
    field: 'reasoning',
    instead: 'the model thinks as much as it does, or as the server allows',
    isWish: true,
    sent: inBody('thinking'),
    isMeant: (said, param) =>
      /thinking|budget_tokens|reasoning/i.test(`${said} ${param ?? ''}`) &&
      !/signature|must start with a thinking block|(?:temperature|top_[kp])[^.]{0,60}(?:thinking|may only)|thinking_blocks/i.test(
        said,
      ),
    adapt: (settings, said) => {
      const thinking = nextThinking(settings, said);
      return thinking === undefined ? undefined : { ...settings, thinking };
    },
  },
  optionalField('tool_choice', 'toolChoice', { isWish: true }),
  {
    names: ['output_config', 'output_format', 'structured outputs', 'structured output'],
    field: 'output',
    instead: 'the model was asked in words',
    isWish: true,
    sent: (body) => fieldsOf(fieldsOf(body)['output_config'])['format'],
    isMeant: (said, param) =>
      /output[_ ](?:config|format)|structured output|json_schema|grammar|\bschema\b/i.test(
        `${said} ${param ?? ''}`,
      ) && !/tools\.\d|input_schema|effort/i.test(said),
    adapt: (settings) => (settings.json === 'words' ? undefined : { ...settings, json: 'words' }),
  },
  optionalField('container', 'container'),
];
