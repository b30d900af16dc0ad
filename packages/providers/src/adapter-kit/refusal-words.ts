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
export function withoutOffer(said: string): string {
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
