import type { FinishReason } from '../models/events.ts';
import { LLMError, type LLMErrorCode } from '../models/llm-error.ts';

/** Why a whole answer ended. */
type Ending = Exclude<FinishReason, 'error' | 'unknown'>;

/**
 * The words for why an answer ended, in small letters without anything between them.
 *
 * Sources: OpenAI, Azure, Anthropic, Gemini and Vertex, Bedrock, Cohere, Mistral, DeepSeek, Z.ai, Moonshot, MiniMax,
 * Qwen, xAI, Perplexity, Together, Hugging Face TGI, vLLM, SGLang, llama.cpp, LM Studio, Ollama, LiteLLM
 * (`map_finish_reason`) and the reports litellm#24373, laravel/ai#955, promptfoo#9905, any-llm#1204, chat-ui#2383.
 */
const ENDINGS: Readonly<Record<Ending, string>> = {
  stop:
    'stop stopped eos eostoken eosreached endturn endofturn endoftext endofsequence eot eotid end ended complete completed ' +
    'finish finished done success successful normal natural stopsequence stopsequences stoptoken stopstring stopword ' +
    'stopcriteria stopreason matchedstop userdefinedstop finishreasonstop',
  length:
    'length lengthcapped lengthlimit maxlength maxtokens maxtoken maxoutputtokens maxnewtokens maxcompletiontokens ' +
    'maxtokensreached modellength modelcontextwindowexceeded contextwindowexceeded contextlengthexceeded contextlength ' +
    'contextlimit maxcontextlength maxcontext tokenlimit tokenlimitreached limit errorlimit outputlimit truncated ' +
    'truncation finishreasonlength finishreasonmaxtokens incomplete',
  'tool-calls':
    'toolcalls toolcall tooluse functioncall functioncalls functions tools tool finishreasontoolcalls finishreasonfunctioncall ' +
    'pauseturn',
  'content-filter':
    'contentfilter contentfiltered contentfiltering filter filtered sensitive sensitivecontent safety finishreasonsafety ' +
    'recitation language blocklist blocked prohibitedcontent spii refusal refused guardrail guardrails guardrailintervened ' +
    'modelarmor imagesafety imageprohibitedcontent imagerecitation moderation moderated flagged errortoxic toxic copyright ' +
    'policy policyviolation contentpolicy contentpolicyviolation contentrisk risk highrisk datainspectionfailed violation ' +
    'unsafe',
};

/** The words for an answer that was not ended but broken off. */
const FAILURES: Readonly<Partial<Record<LLMErrorCode, string>>> = {
  server:
    'error errors err failed failure fail abort aborted cancel cancelled canceled interrupted internalerror servererror ' +
    'modelerror engineerror unexpectederror unknownerror repetition repeat finishreasonerror load unload imageother noimage ' +
    'other malformedresponse disconnected disconnect shutdown killed crashed crash',
  overloaded:
    'insufficientsystemresource insufficientsystemresources overloaded overload preempted preemption evicted nocapacity ' +
    'resourceexhausted outofmemory oom',
  rate_limit: 'ratelimit ratelimited ratelimitexceeded throttled',
  network: 'networkerror connectionerror connectionlost upstreamerror',
  timeout: 'timeout timedout timelimit deadlineexceeded idletimeout',
  output_parse:
    'malformedfunctioncall malformedtooluse malformedmodeloutput malformedtoolcall unexpectedtoolcall toomanytoolcalls ' +
    'invalidtoolcall toolcallparseerror',
  invalid_request: 'missingthoughtsignature',
};

const BY_WORD = new Map<string, { readonly ending?: Ending; readonly failure?: LLMErrorCode }>();
for (const [ending, words] of Object.entries(ENDINGS)) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
  for (const word of words.split(' ')) BY_WORD.set(word, { ending: ending as Ending });
}
for (const [failure, words] of Object.entries(FAILURES)) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
  for (const word of words.split(' ')) BY_WORD.set(word, { failure: failure as LLMErrorCode });
}

/** Words of which a reason may be put together: one of the first decides, and all others must be among those that fit. */
const COMPOSED: readonly (readonly [ending: Ending, decisive: string, fitting: string])[] = [
  [
    'stop',
    'stop eos eot eom eog end ended finish finished complete completed im s',
    'finish reason of turn token tokens id ids text message sequence sequences string strings str word words criteria ' +
      'natural naturally normal normally stopped matched hit reached reserved generation response',
  ],
  [
    'length',
    'length max maximum limit budget overflow truncated truncation',
    'finish reason of token tokens new output completion context window model sequence generation response input prompt ' +
      'length reached exceeded hit size stopped',
  ],
  [
    'tool-calls',
    'tool tools function functions',
    'finish reason call calls use uses requested required invoked invocation pending',
  ],
  [
    'content-filter',
    'filter filtered filtering safety moderation moderated censored censorship copyright copyrighted policy guardrail ' +
      'guardrails blocked prohibited unsafe toxic flagged sensitive refusal refused',
    'finish reason content output input prompt response violation violated triggered by usage image model text',
  ],
];

/** Reads a reason that is put together of known words, such as `max_new_tokens_reached` or `<|end_of_message|>`. */
function composed(raw: string): Ending | undefined {
  const words = raw
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const isIn = (list: string, word: string): boolean => list.split(' ').includes(word);
  return COMPOSED.find(
    ([, decisive, fitting]) =>
      words.some((word) => isIn(decisive, word)) &&
      words.every((word) => isIn(decisive, word) || isIn(fitting, word)),
  )?.[0];
}

/** Checks whether a reason says that the answer is whole, or says nothing. */
export function isPlainStop(raw: string): boolean {
  return (BY_WORD.get(lettersOf(raw))?.ending ?? composed(raw)) === 'stop';
}

function lettersOf(raw: string): string {
  return raw.toLowerCase().replace(/[^a-z]/g, '');
}

/**
 * Reads a provider's word for why an answer ended.
 *
 * @param more - Further details from the provider.
 * @throws LLMError for a word of a failure, and with the code `truncated` for one that is not known: half an answer is
 * never a whole one.
 */
export function readFinish(raw: string, more: string = ''): Ending {
  const { failure, ending = failure === undefined ? composed(raw) : undefined } =
    BY_WORD.get(lettersOf(raw)) ?? {};
  if (ending !== undefined) return ending;
  const why = more === '' ? '' : `: ${more}`;
  if (failure === undefined) {
    const message = `the answer ended for a reason that is not known ('${raw}')${why}`;
    throw new LLMError('truncated', message, { context: { finishReason: raw } });
  }
  const what =
    failure === 'output_parse'
      ? 'the model made an invalid tool call'
      : 'the server broke the answer off';
  throw new LLMError(failure, `${what} ('${raw}')${why}`, { context: { finishReason: raw } });
}
