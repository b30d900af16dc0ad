import type { LLMErrorCode } from '../models/llm-error.ts';

/** Words by which servers say one kind of failure. */
interface FailureWords {
  readonly code: LLMErrorCode;
  readonly words: RegExp;
  /** Says the same words of something else. */
  readonly unless?: RegExp;
}

/** Waiting helps: it is the rate that is too high, whatever else is named. */
const THROTTLED =
  /rate[ _-]?limit|per[ _-]?(?:minute|min\b|second|sec\b|hour)|\b[TRQ]P[MS]\b|please wait|throttl|slow down|too many requests|请稍后|too quickly|\b1039\b.{0,40}token limit/i;

/** A request that is larger than the whole limit of a minute: waiting never helps. */
const NEVER_FITS = /request (?:is )?too large|reduce your message size|must be reduced/i;

/**
 * Longer than the model reads.
 *
 * Sources: OpenAI, Azure, Anthropic, Bedrock, Gemini, xAI, Groq, Mistral, Cohere, Together, Fireworks, Cerebras,
 * SambaNova, OpenRouter, Perplexity, Moonshot, MiniMax, DashScope, Zhipu (1261), Baidu, iFlytek, vLLM, SGLang, TGI,
 * llama.cpp, LM Studio, Ollama, Xinference and LiteLLM; earendil-works/pi `overflow.ts`, BerriAI/litellm#21647.
 */
const TOO_LONG =
  /context[_ -]?(?:length|window|size|limit|overflow|shift)|maximum context|max_(?:seq|model)_len|max(?:imum)?[_ ]sequence[_ ]length|max(?:imum)?[_ ]prompt[_ ]length|max(?:imum)? (?:allowed )?(?:input|prompt|number of (?:input )?tokens)|too many (?:input |prompt )?tokens|(?:prompt|input|request|query|text|message|conversation|body)(?: tokens?| length)?(?: \(\d[^)]{0,40}\))? (?:is |was |are )?too (?:long|large|big)|messages? (?:is |are )too long|too large for (?:the )?model|(?:input|prompt|(?<![_a-z])tokens?|request (?:payload )?(?:size|body|tokens?)|length)[^.]{0,60}(?:exceed(?:s|ed|ing)?|longer than|greater than|larger than|above)[^.]{0,50}(?:token|limit|max|context|length|allowed|window|model)|max tokens of \d+ exceeded|tokens (?:is|are) more than (?:the )?max|\d tokens[^.]{0,30}more than|input tokens?[^.]{0,20}must be (?:less|at most)|exceed(?:s|ed)?[^.]{0,30}(?:maximum|max|model)[^.]{0,20}(?:tokens?|context|input|prompt|sequence)|token limit|range of input length|must have less than \d+ tokens|inputs?[`']? tokens? \+ [`']?max_new_tokens|but (?:the )?(?:model )?(?:only )?supports? up to \d+|tokens_too_long|characters_too_long|n(?:um)?_ctx|reduce the length|string_above_max_length|request_too_large|超长|过长|超[出过][^，。]{0,8}(?:长度|上下文)|(?:上下文|长度|token ?数?)[^，。]{0,8}超[过出限]|(?:入力|プロンプト|メッセージ|会話)が長すぎ/i;

/** A limit of the answer, a batch or a picture, and a value that is not a length of a prompt. */
const OTHER_LENGTH =
  /^(?!.*context).*(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens|num_predict)['"`]?(?: is too large| must be| should be| cannot|: \d+ >)|max_(?:completion_|output_)?tokens['"`]? must be less than or equal to|^(?!.*(?:context|input|prompt)).*(?:exceed\w*|maximum)[^.,]{0,40}(?:output|completion) tokens|maximum tokens you requested|image (?:exceeds|is too large)|file (?:is )?too (?:large|big)|tool(?:s| name| description)[^.]{0,20}too long|['"][^'" ]*(?<!content|text|input|output|prompt|instructions|messages)['"]: (?:string|array) too long/i;

/** A numeric code of Zhipu or MiniMax alone in `code`. */
const codes = (...numbers: readonly number[]): string => `\\b(?:${numbers.join('|')})\\b`;

/**
 * Out of money or allowance.
 *
 * Sources: OpenAI, Azure, Anthropic, Gemini, OpenRouter, DeepSeek, Moonshot, Zhipu (1113, 1304, 1308 to 1310), MiniMax
 * (1008), DashScope (`Arrearage`), Baidu, SiliconFlow, ModelScope, Together, Fireworks (412), Groq, Cerebras, Mistral,
 * Hugging Face, Cohere, Perplexity, Ollama's cloud, GitHub Models, new-api and one-api.
 */
const OUT_OF_QUOTA = new RegExp(
  [
    /(?:insufficient|not enough|no|low|negative|exhausted|overdue)[_ -]+(?:remaining[_ -]+)?(?:account[_ -]+|user[_ -]+|api[_ -]+)?(?:quota|balance|credits?|funds|tokens left)|(?:balance|credits?|funds|quota) (?:is|are) (?:insufficient|too low|not enough|negative|zero)|(?:does|do)(?: not|n't) have (?:any|enough|sufficient) [^.]{0,20}(?:credits?|balance|funds|quota|licenses?)/,
    /exceeded[_ ](?:your[_ ])?current[_ ]quota|\bquota_exceeded\b(?!.*per[ _-]?min)|(?:key|total) limit (?:exceeded|reached)/,
    /billing[_ ](?:hard|soft|limit|not|details?|account|issue|error|is)|billing_|payment required|(?:payment|subscription|account|invoice|balance|bill)s? (?:is |are )?past[- ]due|past[- ]due (?:payment|account|invoice|balance|bill)|out of credits?|requires more credits|credit[_ ]balance|credits? (?:are |is |have |has )?(?:been )?(?:exhausted|depleted|used up|required|expired)|subscription (?:has |is )?(?:expired|lapsed|required)/,
    /(?:per[ _-]?day|per[ _-]?month|\bRPD\b|\bTPD\b|PerDay|daily|weekly|monthly|hourly|annual|today's|usage(?=[ _-](?:limit|quota|cap))|spend(?:ing)?|free[ -]tier|included credits?|call volume)[^.]{0,40}(?:limit|quota|cap\b|exhausted|exceeded|used up|budget|allocation|allowance)/,
    /too many (?:tokens|requests) per (?:day|week|month)|limited to \d+ [^.]{0,30}(?:\/|per|an?) ?(?:day|week|month)|By(?:Day|Month)\b|per 86400 ?s|premium request allowance/,
    /(?:limit|quota|allowance|budget)[^.]{0,40}(?:per[ _-]?day|per[ _-]?month|daily|weekly|monthly|\bfor (?:today|the (?:day|month))\b|\((?:TPD|RPD)\))/,
    /out of (?:call volume )?quota|quota (?:has been |is )?(?:exhausted|used up|depleted)|budget (?:has been |is )?exceeded|(?:over|exceeded)[_ ]?budget|out of (?:\w+ )?usage|extra usage is required|SetLimitExceeded|exceeded (?:your |the )?(?:monthly|budget|spend)/,
    /arrearage|AccountOverdue|in good standing|account (?:is |has been )?(?:suspended|deactivated|in arrears|overdue|not active)|overdue[- ]payment|FreeTierOnly|free (?:tier|quota|allocated quota)[^.]{0,40}(?:exhausted|exceeded)|ServiceQuotaExceeded|upgrade (?:your|to a (?:paid|higher)) plan/,
    /余额不足|欠费|(?:额度|余量|资源包|余额)[^，。]{0,6}(?:不足|已用|用完|用尽|耗尽)|免费(?:使用)?额度|使用上限|次数限额|套餐已到期/,
  ]
    .map(({ source }) => source)
    .concat(codes(1113, 1304, 1308, 1309, 1310, 1008))
    .join('|'),
  'i',
);

/** Quotas of a minute, which refill by themselves, and a word of comfort. */
const REFILLS =
  /^(?!.*(?:day|daily|month|insufficient|balance|credit|current quota)).*(?:per[ _-]?min|\b[TR]PM\b)|no credits were charged|PerMinute(?!.*PerDay)|Throttling\.(?:Rate|Burst)|please increase your quota limit/i;

/**
 * The provider would not read or say it.
 *
 * Sources: OpenAI, Azure, Anthropic, Gemini and Vertex, Bedrock guardrails, OpenRouter, xAI, DeepSeek, Zhipu (1301),
 * MiniMax (1026, 1027), Moonshot, DashScope (`DataInspectionFailed`), Baidu, UCloud, Volcengine, Mistral.
 */
const FILTERED = new RegExp(
  [
    /content[_ -]?(?:filter(?:ed|ing)?\b(?!['"`_]? is not)|policy|management|moderation|exists risk|risk|safety|violat|security|warning)/,
    /safety[_ ](?:system|settings|check|filter|reasons)|responsible[ _]?ai|moderation|prohibited[_ ]content|blocked by (?:the )?(?:content|safety|guardrail|policy|prompt)/,
    /(?:input|prompt|request|output|content|response|message)s?[^.]{0,30}(?:flagged|blocked|high risk|inappropriate|unsafe|illegal|violat(?:es?|ed|ing))|blocked (?:input|output|prompt)|(?:unsafe|harmful) content/,
    /violat(?:es?|ed|ing|ion of)[^.]{0,40}(?:polic(?:y|ies)|guidelines|terms|principles|practices)|guardrail|data[_ ]?inspection|sensitive[_ ](?:content|words?|check|chat|information|material)|new_sensitive|SensitiveContent|(?:bio|cyber|safety)_policy|_policy_violation|invalid_prompt/,
    /敏感|不安全|违规|内容安全|违反/,
  ]
    .map(({ source }) => source)
    .concat(codes(1301, 1026, 1027))
    .join('|'),
  'i',
);

/** A parameter or an account, not what was said. */
const NOT_FILTERED = /unsupported_parameter|unknown_parameter|Unrecognized request argument/i;

/** No room now. Sources: OpenAI, Anthropic, Gemini, Groq (498), Mistral, Hugging Face, vLLM, Ollama, llama.cpp. */
const NO_CAPACITY =
  /overload|(?:no|insufficient|at|exceeded|lack of|out of|reached) (?:\w+ )?capacity|capacity (?:\w+ )?(?:exceeded|reached|constraints?|limit)|^(?:\d+ )?UNAVAILABLE\b|service[ _]unavailable|(?:temporarily|currently) (?:unavailable|out of service)|(?:server|model|engine|service|system)s? (?:is |are )?(?:currently |too |very )?(?:busy|loading|unavailable|warming|not ready)|loading model|high (?:demand|traffic|load)|pending requests|queue (?:is )?full|no (?:healthy|available) (?:upstream|workers?|instances?|channels?|deployments?)|no deployments available|ModelNotReady|DEGRADED function|负载(?:较|过)高|访问量过大|繁忙|过载|饱和|insufficient_system_resource|\b1305\b/i;

/** Too fast. Sources: all of the above; Zhipu 1302 and 1303, MiniMax 1002, 1039 and 1041, DashScope `Throttling`. */
const TOO_FAST =
  /rate[ _-]?limit(?!_(?!exceed|error|reached))|RESOURCE_EXHAUSTED|too many (?:requests|concurrent|calls)|throttl|requests? (?:limit|rate)|concurren(?:cy|t)[^.]{0,40}(?:limit|exceed|high|too many)|\bQPS\b|slow down|too quickly|\b1039\b.{0,40}token limit|\b1041\b.{0,40}conn(?:ection)? limit|频率|频繁|并发|限流|速率|\b130[23]\b/i;

const NO_MODEL =
  /model(?:[^.]|\.(?=\S)){0,80}(?:not found|does not exist|not exist|doesn't exist|is not available|not loaded|no longer available|has been (?:retired|deprecated|decommissioned|sunset|removed|shut ?down)|reached (?:the|its) end of)|model_(?:not_found|not_available|decommissioned)|unable to access (?:\S+ )?model|model (?:identifier|id|name) [^.]{0,40}is invalid|model(?:_?id|_?name)? ['"`][^'"`]+['"`] is (?:not valid|invalid)|unknown[ _]model|no such (?:model|deployment)|not a valid model|invalid model|ModelNotFound|NoSuchModel|no models? loaded|模型不存在|\b1211\b/i;

const BAD_KEY =
  /api[-_ ]?key[^.]{0,40}(?:invalid|not valid|expired|missing|incorrect|wrong|disabled|revoked|leaked|compromised|required|not found)|(?:invalid|incorrect|missing|no|wrong|expired|bad)[-_ ](?:\w+[-_ ])?api[-_ ]?key|invalid (?:subscription key|authentication|bearer|token|credentials?)|invalid_api_key|missing (?:the )?authorization|security token[^.]{0,40}(?:expired|invalid)|api ?key[^，。]{0,6}(?:无效|错误)|(?:authentication|login)[_ ](?:error|fails?|failed|required)|unauthori[sz]ed|UNAUTHENTICATED|身份验证|无效的令牌/i;

/** Excludes values that JSON cannot hold, which Ollama reports for its own answer: `json: unsupported value: NaN`. */
const UNSUPPORTED =
  /(?:does|do) not support|doesn't support|(?:is|are) not supported|unsupported(?! value: [-+]?(?:NaN|Inf))|not supported|不支持|no endpoints? found that support/i;

/** A call of a tool that the model got wrong, where the server reads it. Sources: Groq, Ollama, vLLM, llama.cpp. */
const BAD_CALL =
  /tool_use_failed|tool call validation failed|failed to call a function|(?:error|failed|cannot|could not|unable to) pars(?:e|ing)[^.]{0,20}(?:tool|function)[ _-]?calls?|(?:tool|function)[ _-]?call[^.]{0,40}(?:invalid json|not valid json|failed to parse)|MALFORMED_FUNCTION_CALL|json_validate_failed|failed to validate json/i;

/** Rights that the account does not have. Sources: Groq, Anthropic, Zhipu (1311). */
const NOT_ALLOWED =
  /(?:organization|account|project|workspace) (?:has been|is) (?:restricted|disabled|blocked|banned)|terms acceptance|(?:plan|subscription)[^.]{0,20} (?:does not|doesn't)(?: yet| currently)? include access|套餐[^，。]{0,12}(?:未开放|不支持|不包含)[^，。]{0,40}(?:权限|模型(?!参数))/i;

/** The process that runs the model is gone, and is started again; not in what is quoted. Sources: LM Studio, Ollama. */
const CRASHED =
  /^[^'"]*(?:(?:model|engine|runner|worker) (?:process )?(?:has |is |was )?(?:crashed|terminated|unloaded)|(?:model|engine|runner|worker) process (?:has |is )?(?:exited|died|stopped|been killed|no longer running))/i;

/** A server that failed to finish in time. */
const TIMED_OUT = /timed?[ _-]?out|deadline[_ ]exceeded/i;

/** The kinds of failures by their words, the surest first. */
const FAILURE_WORDS: readonly FailureWords[] = [
  { code: 'context_length', words: NEVER_FITS },
  { code: 'quota', words: OUT_OF_QUOTA, unless: REFILLS },
  { code: 'output_parse', words: BAD_CALL },
  {
    code: 'context_length',
    words: TOO_LONG,
    unless: new RegExp(`${THROTTLED.source}|${OTHER_LENGTH.source}`, 'i'),
  },
  { code: 'content_filter', words: FILTERED, unless: NOT_FILTERED },
  { code: 'auth', words: BAD_KEY },
  { code: 'permission', words: NOT_ALLOWED },
  { code: 'rate_limit', words: TOO_FAST },
  { code: 'not_found', words: NO_MODEL },
  { code: 'overloaded', words: NO_CAPACITY, unless: /response_format/i },
  { code: 'timeout', words: TIMED_OUT },
  { code: 'server', words: CRASHED },
  { code: 'unsupported', words: UNSUPPORTED },
];

/** Returns the kinds of failures that the words of a server name, the surest first. */
export function kindsIn(said: string): LLMErrorCode[] {
  return FAILURE_WORDS.flatMap(({ code, words, unless }) =>
    words.test(said) && !unless?.test(said) ? [code] : [],
  );
}

/**
 * Says that an answer may not be streamed.
 *
 * Sources: OpenAI (organisations that are not verified; o1), LiteLLM, dify#9591, Bedrock gateways, Gemini's gateways.
 */
const NO_STREAMS =
  /verified to stream|stream(?:ing|ed)?['"`]?(?: (?:mode|responses?|output|requests?|completions?|=?true|option))? (?:is|are) (?:not|un|dis)[^.]{0,30}(?:support|allow|permit|enabl|implement|available|abled)|(?:does|do|can) ?not (?:currently |yet )?(?:support|allow|do|be) (?:response |the )?['"`]?(?:stream(?:ing|ed)?)\b(?!_)|(?:does|do)n't support stream|stream['"`]? does not support true|(?:un|not )supported[^.]{0,20}['"`]?stream(?:ing)?['"`]?(?![_\w])|only (?:supports? )?non-stream|(?:set|must (?:be|set)) ['"`]?stream['"`]?[^.]{0,12}false|stream(?:ing)? (?:must|should) be (?:set to )?false|streaming disabled|remove ['"`]?stream['"`]? key|not support(?:ed)? [^.]{0,30}\bin streaming mode|(?:does|do)(?: not|n't) support [^.]{0,30}\bin streaming mode|不支持流式/i;

/** The opposite, and the field `stream_options`. */
const STREAMS_ONLY =
  /only supports? stream|non-streaming (?:is|calls?|output)[^.]{0,20}not|stream must be (?:set to )?true/i;

/** Checks whether a server says that it gives no streams. */
export function forbidsStreams(said: string, param: string | undefined): boolean {
  if (STREAMS_ONLY.test(said)) return false;
  return param === 'stream' || NO_STREAMS.test(withoutOffer(said));
}

/**
 * Words by which servers refuse a field, a value or a combination.
 *
 * Sources: OpenAI, Azure, Gemini, Anthropic, Bedrock, Mistral, Groq, Cerebras, xAI, DeepSeek, Moonshot, DashScope, Zhipu
 * (1214, 1215), Fireworks, Together, SambaNova, NVIDIA NIM and Dynamo, vLLM, SGLang, TGI, llama.cpp, LM Studio, Ollama,
 * LiteLLM; new-api#418, openai-python#1469, garak#748, eino#994, DeepSeek-V3#1376, ai-dynamo/dynamo#4021.
 */
const REFUSED =
  /unsupported|not (?:currently |yet )?(?:support(?:ed)?\b|permitted|allowed|available|accepted|recogni[sz]ed|valid|compatible|enabled|implemented|an? (?:valid|supported|known|allowed|recogni[sz]ed)|known|used|found)|(?:does|do|did|can|could)(?: not|n't) (?:currently )?(?:support|allow|accept|recogni[sz]e|work|have|take|be|find)|unknown|unspecified|unrecogni[sz]ed|unexpected|undefined|unavailable|extra(?:neous)?\b|extra_forbidden|additional propert|invalid|illegal|deprecated|removed|no longer|forbidden|disallowed|disabled|prohibited|mandatory|restricted|incompatible|cannot|can't|must (?:be|not|have|either)|may only|only (?:be )?(?:enabled|used|set|valid|allowed|available|accepted|supported) |only [^.]{0,30} (?:is|are) (?:allowed|supported|accepted)|only (?:the|one|when|if|\w+ is|\w+ are|supports?)|mutually exclusive|conflict|expected one of|input should be|drop_params|should not|incorrect|不正确|不支持|非法|不能|未知|无效/i;

/** A value that is wrong in itself, which is the caller's to repair. */
const WRONG_VALUE =
  /(?:above|below|exceeds?)[^.]{0,20}(?:maximum|minimum|limit)|too (?:large|small|long|short|high|low|many)|\brange\b|between|\bin ?[([]-?\d|less than|greater than|at (?:most|least)|non-?negative|positive|[<>]=? ?-?\d|valid (?:string|number|integer|boolean|list|dict|array|object|float)|(?<!object )of type|must be (?:an? )?(?:integer|int\b|number|float|string|boolean|array|list|object)|be empty|expected type|invalid[_ ]type|wrong type|not a (?:string|number|list)|decimal_|integer_|_above_max|_below_min|is required|missing/i;

/** A wish that the server could not fulfil, such as a schema that it cannot compile. */
const FAILED =
  /failed to|could not|unable to|conversion failed|error:|unimplemented|too (?:complex|large|deep|many)/i;

/** Checks whether a text refuses something, and not only a value that is wrong. */
export function isRefusal(said: string, isWish: boolean): boolean {
  return isWish
    ? REFUSED.test(said) || FAILED.test(said)
    : REFUSED.test(said) && !WRONG_VALUE.test(said);
}

/** Checks whether it is a combination that is refused, each part of which may be sent. */
export function isCombination(said: string): boolean {
  return /\bboth\b|together|combin(?:ed|ation)|in conjunction|simultaneous|at the same time|mutually exclusive|only one of|conflict|along(?:side| with)|(?:function|tools?|calling)[^.]{0,20} with|with (?:a |the )?(?:function|tools?|tool_choice|tool calling|response|json|structured|reasoning|thinking|streaming|temperature|stop)\b|(?:thinking|reasoning)(?: mode)? (?:is |mode )?(?:enabled|on|mode)|in (?:thinking|reasoning|non-thinking|json|streaming) mode|(?:when|while|if) (?:using|thinking|reasoning|tools?|json|stream|response)|不能同时/i.test(
    said,
  );
}

/** After this comes a list of the values that the server does take. */
const ALLOWED_LIST =
  /(?<!un|in|not |dis)(?:supported|allowed|accepted|valid|permitted|available|known|possible) (?:parameters?|fields?|values?|options?|keys?|inputs?|arguments?|properties)[^:=]{0,20}(?:are|[:=])|expected (?:one of|fields?)|use ['"`]?\w+['"`]? instead|did you mean/i;

/** Words that are also words of the language: they must be marked as names. */
const PLAIN_WORDS = new Set([
  'stop',
  'stream',
  'reasoning',
  'format',
  'think',
  'tools',
  'role',
  'developer',
  'input',
]);

/** Returns a text up to the names and values that the server offers instead. */
function withoutOffer(said: string): string {
  const list = ALLOWED_LIST.exec(said);
  return list ? said.slice(0, list.index) : said;
}

/** Checks whether a text speaks of a field by its name, in the spelling of the wire or another. */
export function mentions(said: string, name: string): boolean {
  const text = withoutOffer(said);
  const spelled = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .split(/[_ ]/)
    .join('[_ -]?');
  if (!PLAIN_WORDS.has(name)) return new RegExp(`(?<![a-z])${spelled}(?![a-z_])`, 'i').test(text);
  const asName = `['"\`\\[.]${spelled}['"\`\\].,:]`;
  const afterKind = `(?:parameters?|arguments?|fields?|property|properties|keys?|inputs?|options?|name)[^a-z]{0,12}${spelled}(?![a-z_])`;
  const afterColon = `: ?${spelled}(?![a-z_ ])|^${spelled}(?![a-z_ ])|-> ?\\**${spelled}(?![a-z_])`;
  const asSubject = `(?<![a-z_])${spelled} (?:parameter|sequences?|is|are|was|does|must|cannot|should)\\b`;
  return new RegExp(`${asName}|${afterKind}|${afterColon}|${asSubject}`, 'i').test(text);
}

/** Returns the values that a text lists as those which are taken. */
export function listedValues(said: string): string[] {
  const from =
    /(?<!un)(?:supported|allowed|valid|possible|expected|should be|must be|one of|choose from)[^]*$/i.exec(
      said,
    )?.[0] ?? '';
  const quoted = Array.from(from.matchAll(/['"`]([a-z]+)['"`]/gi), ([, value = '']) => value);
  // Some list them without quotes: `valid levels: low, high`.
  const list =
    /(?:are|is|:|one of):? {0,2}((?:[a-z]{1,12}(?:, ?(?:or |and )?| (?:or |and |\| )|[|/]))+[a-z]{1,12})/i.exec(
      from,
    );
  const bare = (list?.[1] ?? '').split(/[^a-z]+/i).filter((value) => value !== '');
  return (quoted.length > 1 || bare.length < 2 ? quoted : bare).map((value) => value.toLowerCase());
}
