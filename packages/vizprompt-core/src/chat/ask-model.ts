import {
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  createTokenEstimator,
  LLMError,
  type Message,
  type Part,
  textMessage,
  type Tool,
  type ToolCallPart,
} from '@vizprompt/providers';
import { cutMiddle, type Language } from '@vizprompt/providers/internal';
import { PHRASES, shareOut } from '../context/write-context.ts';
import type { StoredNode } from '../node/node.ts';
import type { AnswerRecord, ChatTurnEvent } from './chat-turn.ts';

/** The question to a model, and its limits. */
export interface Question {
  readonly model: ChatModel;
  readonly messages: readonly Message[];
  readonly request: Omit<ChatRequest, 'messages' | 'tools' | 'toolChoice' | 'signal'>;
  readonly signal: AbortSignal;
  readonly language: Language;
  /** How often the model may ask for nodes in full. */
  readonly maxDetails: number;
  /** How many tokens the nodes that it asks for may have, all together. */
  readonly maxDetailTokens: number;
  /** True if the messages instruct the model already how to ask in words. */
  readonly isTold: boolean;
  /** Returns a node by its number in the context or its id; `undefined` if there is none. */
  findNode(name: string): Promise<StoredNode | undefined>;
}

/**
 * Asks a model, and gives it the nodes that it asks for, until it has answered: by a tool where the model
 * has tools, in words otherwise.
 */
export async function* askModel(
  question: Question,
  record: AnswerRecord,
): AsyncGenerator<ChatTurnEvent> {
  const { model, maxDetails } = question;
  let hasTools = maxDetails > 0 && model.capabilities.tools === true;
  const allowance = new DetailAllowance(question.maxDetailTokens, question.language);
  let said: Message[] = [];
  for (let details = 0; ; details++) {
    const mayAsk = details < maxDetails;
    try {
      yield* call(question, said, mayAsk && hasTools, mayAsk && !hasTools, record);
    } catch (error) {
      const isRefused = LLMError.isInstance(error) && error.code === 'unsupported';
      if (!isRefused || !hasTools || error.outputStarted) throw error;
      // The model turned out to have no tools.
      hasTools = false;
      continue;
    }
    const { parts, text } = record.result;
    const calls = parts.filter((part) => part.type === 'tool-call');
    const written = hasTools || !mayAsk ? [] : requestedInText(text);
    const ids = calls.length > 0 ? calls.map(requestedByCall) : written;
    // Without tools, some models continue calling them.
    if (ids.length === 0 || !mayAsk) return;
    yield { type: 'detail', ids };
    const given = await answerRequests(question, ids, calls, allowance);
    record.next(given.parts);
    said = [...said, { role: 'assistant', parts }, given.message];
  }
}

async function* call(
  { model, messages, request, signal, language, isTold }: Question,
  said: readonly Message[],
  withTool: boolean,
  withRule: boolean,
  record: AnswerRecord,
): AsyncGenerator<ChatTurnEvent> {
  const rule = withRule && !isTold ? [textMessage('system', askingRule(language))] : [];
  const spoken = messages.findIndex(({ role }) => role !== 'system');
  const stream = model.stream({
    ...request,
    messages: [...messages.slice(0, spoken), ...rule, ...messages.slice(spoken), ...said],
    ...(withTool ? { tools: [SHOW_NODE] } : {}),
    signal,
  });
  for await (const event of stream) {
    record.add(event);
    const shown = shownOf(event);
    if (shown) yield shown;
  }
  if (!record.isFinished) {
    throw new LLMError('truncated', 'the stream ended without a finish event', {
      outputStarted: record.result.parts.length > 0,
    });
  }
}

function shownOf(event: ChatEvent): ChatTurnEvent | undefined {
  if (event.type === 'text-delta') return { type: 'text', text: event.text };
  return event.type === 'reasoning-delta' ? { type: 'reasoning', text: event.text } : undefined;
}

async function answerRequests(
  { language, findNode }: Question,
  ids: readonly string[],
  calls: readonly ToolCallPart[],
  allowance: DetailAllowance,
): Promise<{ readonly parts: readonly Part[]; readonly message: Message }> {
  const whole = await Promise.all(
    ids.map(async (id) => detailText(language, id, await findNode(id))),
  );
  const texts = allowance.cut(whole);
  if (calls.length === 0) {
    const message = textMessage('user', texts.join('\n\n'));
    const parts = ids.map((id, at): Part => {
      return { type: 'tool-result', id, name: SHOW_NODE.name, output: texts[at] ?? '' };
    });
    return { parts, message };
  }
  const parts = calls.map(({ id, name }, at): Part => {
    const isKnown = name === SHOW_NODE.name;
    const output = isKnown ? (texts[at] ?? '') : `there is no tool '${name}'`;
    return { type: 'tool-result', id, name, output, ...(isKnown ? {} : { isError: true }) };
  });
  return { parts, message: { role: 'tool', parts } };
}

/** The tool by which a model asks for a node in full. */
const SHOW_NODE: Tool = {
  name: 'show_node',
  description:
    'Gives the full prompt and response of a node of this conversation that is in the context as a summary only.',
  parameters: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'its number in the context, such as 12, or its id' },
    },
    required: ['id'],
    additionalProperties: false,
  },
};

/** Returns the node that a call of {@link SHOW_NODE} asks for. */
function requestedByCall({ input }: ToolCallPart): string {
  const isObject = typeof input === 'object' && input !== null && 'id' in input;
  const id = isObject ? input['id'] : input;
  return typeof id === 'string' || typeof id === 'number'
    ? String(id).replaceAll(/[[\]\s]/g, '')
    : '';
}

/** Returns the rule by which a model without tools requests nodes. */
function askingRule(language: Language): string {
  return language === 'ja'
    ? '詳細情報が必要な場合は「[番号]の詳細を知りたい」と指示できます。'
    : 'If you need the details of a turn, say "show me [number]".';
}

/** Returns the answer to a request: the node in full, or that there is none. */
function detailText(
  language: Language,
  id: string,
  node: { readonly prompt: string; readonly response: string } | undefined,
): string {
  if (language === 'ja') {
    return node
      ? `[${id}] の全文:\n\n[プロンプト]\n${node.prompt}\n\n[回答]\n${node.response}`
      : `[${id}] というノードはありません。`;
  }
  return node
    ? `[${id}] in full:\n\n[Prompt]\n${node.prompt}\n\n[Response]\n${node.response}`
    : `There is no node [${id}].`;
}

/** Keeps what a model is given on request within its tokens, over all its requests. */
class DetailAllowance {
  readonly #estimator = createTokenEstimator();
  readonly #language: Language;
  #left: number;

  constructor(tokens: number, language: Language) {
    this.#left = tokens;
    this.#language = language;
  }

  /** Returns the texts, with a mark in the middle of those that are too long. */
  cut(texts: readonly string[]): string[] {
    const shares = shareOut(
      texts.map((text) => this.#count(text)),
      this.#left,
    );
    const cut = texts.map((text, at) => this.#cutTo(text, shares[at] ?? 0));
    this.#left -= cut.reduce((sum, text) => sum + this.#count(text), 0);
    return cut;
  }

  #cutTo(text: string, tokens: number): string {
    return cutMiddle(
      text,
      (shorter) => this.#count(shorter) <= tokens,
      (characters) => PHRASES[this.#language].cut(characters),
    );
  }

  /** With what parts it from the next. */
  #count(text: string): number {
    return this.#estimator.count(`${text}\n\n`).tokens;
  }
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** A number, a letter or two, or the id of a node. */
const ID = `${UUID}|[0-9０-９]{1,6}|[A-ZＡ-Ｚ]{1,2}`;
/** A word before an id in brackets: `[ノードID: 3]`, `[node 3]`. */
const LABEL = '(?:(?:ノード|node|会話|ターン|turn)[\\s_-]*(?:ID|番号)?|ID|No\\.?)\\s*[:：]?';
/** More of them in the same brackets, as in the line of a run: `[1–8]`, `[3, 5]`. */
const INNER = `(?:${LABEL})?\\s*#?(?:${ID})(?:\\s*[,、，・~〜～–—-]\\s*#?[0-9０-９]{1,6})*`;
/** In brackets of any kind, or a number or an id alone. */
const NAMED = `[[［「『【〔〈《〖(（]\\s*${INNER}\\s*[\\]］」』】〕〉》〗)）]`;
const BARE = `#?(?:${UUID}|[0-9０-９]{1,6})(?![0-9０-９%％]|[.．:]\\d)`;
const AND = '\\s*(?:と|、|,|，|・|＆|&|および|及び|and|or|から|[〜～~–—-]|to|through)\\s*';
const LIST = `(?:${NAMED}|${BARE})(?:${AND}(?:(?:ノード|node)\\s*)?(?:${NAMED}|${BARE})|${NAMED})*`;
const NAMED_LIST = `${NAMED}(?:${AND}${NAMED}|${NAMED})*`;

/** In square brackets, as in the rule for asking: answers enumerate steps and cases in the others. */
const SQUARE = `[[［]\\s*${INNER}\\s*[\\]］]`;
const SQUARE_LIST = `${SQUARE}(?:${AND}${SQUARE}|${SQUARE})*`;

const NOUN_JA = '(?:ノード|ターン|会話|番号|項目|参照|発言|やりとり)';
/** Verbs of a wish, or of a request to another. */
const WISH_VERB =
  '(?:知り|しり|見|み|読み|よみ|確認し|参照し|閲覧し)たい|(?:見せ|教え|示し|提示し|表示し|提供し|共有し|読ませ|確認させ|参照させ)て';
const WISH = `${WISH_VERB}|(?:知る|見る|読む|(?:確認|参照)する)必要があり|必要`;
/** `[3]の詳細を知りたい`, `ノード3の全文が見たいです`, `３番の詳細をお願いします`. */
const JAPANESE = `(?:${NOUN_JA}\\s*)?(?:${LIST})\\s*(?:番目?|つ目)?(?:の?${NOUN_JA})?\\s*(?:の|について)?\\s*の?(?:詳細(?:な?(?:情報|内容))?|詳しい(?:内容|情報)|(?:完全な|すべての|全ての|元の)(?:内容|情報|会話|文章|発言)|全文|全体|内容|中身|本文|原文)\\s*(?:を|が|も|について|、)?\\s*(?:もう少し|もう一度|再度|詳しく)?(?:${WISH}|お(?:教え|知らせ|見せ)(?=ください|下さい|いただ|頂|願)|ください|下さい|お願い(?:でき|いたし|し)?|いただけ|いただき|頂け|もらえ)`;
const FULLY =
  '(?:もっと|もう少し|もう一度|再度|すべて|全て|全部)?(?:詳しく|詳細に|全文で|全部)?\\s*';
/** `[3]について詳しく知りたい`, `[3]を全文で見せて`, `[3]の続きを見せて`, `[3]が必要です`. */
const JAPANESE_ALONE = `(?:${NOUN_JA}\\s*)?(?:${NAMED}(?:番目?)?|(?<=${NOUN_JA}\\s*)[0-9０-９]{1,6})(?:\\s*(?:について|を|の続き[をが]|が))\\s*${FULLY}(?:${WISH})`;
/** `[3]の回答を見せて`, `[3]の発言が必要です`. Not `[3]の回答が必要です`, which answers say of procedures. */
const JAPANESE_PART = `(?:${NOUN_JA}\\s*)?${SQUARE}(?:番目?)?\\s*の(?:(?:回答|応答|返答)[をが]\\s*${FULLY}(?:${WISH_VERB})|(?:発言|やりとり)[をが]\\s*${FULLY}(?:${WISH}))`;
/** `[3]の詳細を要求します`. */
const JAPANESE_FORMAL = `(?<formal>${SQUARE_LIST})\\s*の(?:(?:詳細(?:な?(?:情報|内容))?|全文)を(?:要求|リクエスト|希望)|内容を要求)(?:し(?=ます)|いたし(?=ます))`;
/** Names no other who requests, or of whom it is requested, though it has such a particle. */
const OF_THE_MODEL = new RegExp(
  [
    '(?:^|(?<=[、,，\\s]))(?:はい|では|それでは)',
    '(?:まず|また|私|私として|について|に関して|(?<![一-龠])(?:今回|今|次|実))は|私が|まず|はじめ|ありがと|ながら',
    '(?:だけ|のみ|まま|これ|要約|情報)では',
    '(?:[うくすつぬむるぐぶ]|回答|返答|質問)には',
    '(?:です|ます|ません|でした|ました)(?:が|から)|[いただ]から',
    // The subject of a reason: `理由が分からないため`, `経緯は書かれていないので`.
    'が(?=[^はが]*(?:(?<!の)ため|ので|から))',
    'は(?=[^はが、]*(?:れていな|不明|不十分|短い)[^はが、]*(?:ため|ので))',
    '(?:要約|情報|内容|詳細|全文|文脈|根拠|答え|質問)に?[はが](?!\\s*[、,，]?\\s*$)',
    '(?:ため|回答|返答|さら|最初|ほか|よう|(?<![一-龠])[先他])に|初めに|次に(?=[、,，])',
  ].join('|'),
  'g',
);
/** Makes a formal request a statement of what others request: `サーバーに[3]の詳細を要求します`. */
const BY_OTHERS = new RegExp(
  `[はが]|(?:[にへも]|から)\\s*[、,，]?\\s*(?:${NOUN_JA}|ノード(?:ID|番号)|ID)?[\\s:：]*$`,
  'i',
);
const POLITE_JA =
  '(?:(?:です|ます|と思います|します|いたします|ください|下さい|(?:いただ|頂)け(?:ますか|ませんか|ますでしょうか)|(?:いただ|頂)きたい|(?:いただ|頂)けると(?:助かり|幸い|うれしい|嬉しい|ありがたい)|くださいますか|くださいませんか|ますか|もらえ(?:ますか|ませんか)|もらいたい|くれ(?:ますか|ませんか)?|のですが|よろしいでしょうか|でしょうか|可能ですか|いいですか|ほしい|欲しい|ね|、|。|．|！|!|？|\\?|…|\\.)\\s*)*';

const NOUN = '(?:nodes?|turns?|numbers?|no\\.|items?|entry|entries|references?)';
const DETAILS = '(?:details?|full text|text|contents?|full version|rest)';
const ADVERBS = '(?: (?:also|first|really|still|please)){0,2}';
/** Begins a wish of the model itself: others learn more about a thing, too. */
const I_WISH = `\\b(?:(?:I|we)(?:['’](?:d|ll)| would| will| do| may)?${ADVERBS} (?:(?:need|want|wish|have|like|love) to|must|should)|let me|(?:may|can|could) I)${ADVERBS} `;
/** Asks for it, as `Users tell me` does not. */
const TELL_ME =
  'tell me(?<=(?:^|[^\\w\\s]|\\b(?:please|kindly|you|you to|and|but|so)\\b)\\s*(?:(?:also|now|first|then|next|just|please)\\s+){0,2}tell me)';
/** `show me [3]`, `please show the details of node 3`, `I need the full text of turn 3`. */
const ENGLISH = [
  `(?:show|give|display|open|expand|read|(?<=\\b(?:I(?: (?:please|must|should|also|first))?|me|to|us)\\s)see|view|fetch|provide|get)(?: me)?(?: (?:the|more))?(?: (?:full )?${DETAILS})?(?: (?:of|for|from|on|about))?(?: the)?(?: ${NOUN})?:?\\s*(?:${LIST})`,
  `(?:need|want|require|like)(?: to (?:see|read|know))?(?: (?:the|more))?(?: (?:full )?${DETAILS})(?: (?:of|for|from|on|about))(?: the)?(?: ${NOUN})?\\s*(?:${LIST})`,
  `${DETAILS} (?:of|for|on|about)(?: the)?(?: ${NOUN})?\\s*(?:${LIST})`,
  `(?<=${I_WISH})(?:look at|check|review|reread|re-read|consult)(?: the)?(?: (?:full )?${DETAILS}(?: (?:of|for|in|on))?)?(?: the)?(?: ${NOUN})?\\s*(?:${NAMED_LIST})`,
  `(?:more|additional|further) info(?:rmation)? (?:on|about|from|for|of)(?: the)?(?: ${NOUN})?\\s*(?:${NAMED_LIST})`,
  `^what (?:does|did|do)(?: ${NOUN})?\\s*(?:${NAMED_LIST}) say`,
  `(?:(?<=${I_WISH})(?:know|hear|learn|read|see)|${TELL_ME})(?: a (?:bit|little))? more (?:about|on|of|from)(?: the)?(?: ${NOUN})?\\s*(?:${NAMED_LIST})`,
].join('|');
const POLITE =
  '(?:\\s*(?:in full|in detail|to (?:answer|reply|respond|continue|proceed)(?: (?:this|that|you))?|so (?:that )?I can (?:answer|reply|respond|continue|proceed|help)(?: (?:this|that|you))?|before (?:I can )?(?:answer|respond)(?:ing)?|please|first|again|now|thanks?|thank you|,|\\.|!|\\?))*';

const DETAILS_ALONE = '(?:details?|full text|full version)';
/**
 * Requests that count only where an answer has nothing else, since answers have such lines and headings, too:
 * `詳細を知りたい: [3]`, `[3]の詳細`, `[3]の詳細を確認します`, `node 3 details please`.
 */
const TERSE = new RegExp(
  [
    `^(?:詳細|全文)\\s*(?:[をが]\\s*)?(?:知りたい|見たい|必要な?)(?:です)?\\s*(?:(?:${NOUN_JA}\\s*)?(?:ID\\s*)?[:：]\\s*${NAMED_LIST}|(?:ノード|ターン)(?:ID|番号)?\\s*[:：]\\s*(?:${LIST}))$`,
    `^(?:${NOUN_JA}\\s*)?${NAMED}の?(?:詳細|全文)(?:希望)?$`,
    `^(?:(?:はい|では|それでは|まずは?)[、,，]?\\s*)?(?:${NOUN_JA}\\s*)?${SQUARE_LIST}\\s*の(?:詳細(?:な?(?:情報|内容))?|全文)を(?:参照|確認|閲覧)(?:し|いたし)ます$`,
    `^request(?:ing)?(?: for)?(?: the)? ${DETAILS_ALONE}(?: (?:of|for|on))?\\s*[:：]?\\s*${NAMED_LIST}$`,
    `^${DETAILS_ALONE} (?:requested|needed|please)\\s*[:：]\\s*${NAMED_LIST}$`,
    `^(?:${NOUN}\\s*(?:${LIST})|${NAMED}) ${DETAILS_ALONE}(?:,? please)?$`,
    `^${SQUARE_LIST},? (?:in full,? )?please$`,
    `^(?:please )?(?:request(?:ing)?|retrieve|load|pull up)(?: the)?(?: ${NOUN})? ${SQUARE_LIST}(?: in full)?$`,
    `^(?:${NOUN_JA}\\s*)?(?:${SQUARE_LIST}|(?<=^ノード\\s*)[0-9０-９]{1,6})を(?:展開|取得)(?:して(?:ください)?|します)?$`,
    `^(?:${NOUN_JA}\\s*)?(?:${SQUARE_LIST}|(?<=^ノード\\s*)[0-9０-９]{1,6})(?:を(?:開いて|お見せ|フルで見せて)(?:ください)?|の詳細を知りたく存じます)$`,
    `^${SQUARE_LIST}\\s*의?\\s*(?:자세한|상세한?|세부|전체|전문)(?: ?(?:내용|정보))?[을를이]?\\s*(?:더 )?(?:알고 싶|보고 싶|확인하고 싶|보여|알려|필요)[가-힣 ]{0,12}$`,
    `^(?:我|请|請)?(?:需要|想要?)?(?:了解|查看|知道|显示|顯示|看|展开|展開|阅读)(?:一下)?\\s*${SQUARE_LIST}\\s*(?:的?(?:详细(?:内容|信息)?|詳細(?:內容|資訊)?|详情|全文|完整内容|内容|內容))?$`,
  ].join('|'),
  'i',
);
/** In a terse request, these are words or a list's letters: `[OK]の詳細`, `(c) details`. */
const NO_TERSE_ID = /^(?:[a-z]|[A-Za-z]{2})$/;

/** The characters that close a sentence besides its marks: quotes, brackets, stars. */
const CLOSE = '[\\s"\'“”’「」『』()（）*_`>]*';
const REQUEST = new RegExp(
  `(?:${JAPANESE}|${JAPANESE_ALONE}|${JAPANESE_PART}|${JAPANESE_FORMAL})${POLITE_JA}${CLOSE}$|(?:${ENGLISH})${POLITE}${CLOSE}$`,
  'i',
);
const IDS = new RegExp(`(?:${NAMED}|${BARE})`, 'gi');
/** Words that show that a sentence mentions a request instead of making one. */
const SPOKEN_OF =
  /もし|場合|なら|れば|ときは|時は|\bif\b|\bwhen\b|\byou (?:can|may|could|should|might)\b|\bjust (?:say|ask)\b|\bsay\b|\bask\b|\btype\b|\bwant me to\b/i;
/** More than this besides its requests, in characters of which wide ones count twice, is an answer. */
const MAX_REST = 160;
/** A longer sentence is no request: a hundred ids have as many characters. */
const MAX_REQUEST = 4000;

/**
 * Returns the nodes that an answer asks for in words, by their numbers, letters or ids. An answer that only
 * mentions how to ask, or that says much besides, asks for none.
 */
export function requestedInText(answer: string): string[] {
  const text = answer
    .replaceAll(/<(think(?:ing)?|reasoning)>[^]*?(?:<\/\1>|$)/gi, '')
    // Marks and pictures around a request say nothing.
    .replaceAll(/[*`]{1,3}(?=[[［])|(?<=[\]］])[*`]{1,3}|\p{Extended_Pictographic}\ufe0f?/gu, '')
    .trim();
  const sentences = text
    .split(
      /(?<=[。！？!?])(?![」』)）"'”])|(?<=\.)(?<!\bno\.)\s+(?=\S)|(?<!\s)\s+and\s+(?=(?:please\s+)?show\b)|\n+/iu,
    )
    .filter((part) => part.trim() !== '');
  if (sentences.some(({ length }) => length > MAX_REQUEST)) return [];
  const asked = sentences.map((sentence) => requestIn(sentence.trim()));
  const terse = sentences.map((sentence, at) => asked[at] ?? terseRequestIn(sentence));
  const requests = terse.includes(undefined) ? asked : terse;
  const rest = sentences.filter((_, at) => requests[at] === undefined).join('');
  if (width(rest) > MAX_REST) return [];
  const ids = requests.flatMap((request) => idsIn(request ?? ''));
  // A model may copy the words of the rule: `[ノードID]の詳細を知りたい`.
  return [...new Set(ids.filter((id) => id !== ''))];
}

/** Returns the part of a sentence that is a request, if it is one. */
function requestIn(sentence: string): string | undefined {
  const found = REQUEST.exec(sentence);
  if (!found) return undefined;
  const before = sentence.slice(0, found.index);
  if (SPOKEN_OF.test(before) || width(before) > MAX_REST / 2) return undefined;
  const isFormal = found.groups?.['formal'] !== undefined;
  return isFormal && BY_OTHERS.test(before.replaceAll(OF_THE_MODEL, '')) ? undefined : found[0];
}

/** Returns a sentence without its marks if it is a terse request. */
function terseRequestIn(sentence: string): string | undefined {
  const alone = sentence.replaceAll(
    /^[\s*_`>"'“「][\s*_`>"'“「]*|(?<![\s*_`>"'”」.。!！])[\s*_`>"'”」.。!！][\s*_`>"'”」.。!！]*$/g,
    '',
  );
  return TERSE.test(alone) && !idsIn(alone).some((id) => NO_TERSE_ID.test(id)) ? alone : undefined;
}

/** A run may name this many nodes. */
const MAX_RUN = 40;
const RUN = /^\s*(?:から|[〜～~–—-]|to|through)\s*$/i;

function idsIn(request: string): string[] {
  const ids: string[] = [];
  let end = 0;
  for (const { 0: name, index } of request.matchAll(IDS)) {
    const [first = '', ...more] = idsOf(name);
    const isRun = ids.length > 0 && RUN.test(request.slice(end, index));
    ids.push(...(isRun ? runOf(ids.at(-1) ?? '', first) : [first]), ...more);
    end = index + name.length;
  }
  return ids;
}

/** The bracket and the word before an id; `No` alone is an id. */
const LABEL_BEFORE = new RegExp(`^[^\\p{L}\\p{N}]*(?!no\\P{L}*$)${LABEL}`, 'iu');

/** Returns the ids in one pair of brackets: `[ノードID: 3]`, `[3, 5]`, `[1–8]`. */
function idsOf(name: string): string[] {
  const plain = name.normalize('NFKC');
  const uuid = new RegExp(UUID, 'i').exec(plain)?.[0];
  if (uuid !== undefined) return [uuid.toLowerCase()];
  if (!/\d/.test(plain)) return [plain.replace(LABEL_BEFORE, '').replaceAll(/[^A-Za-z]/g, '')];
  return plain.split(/[,、・]/).flatMap((part) => {
    const [from = '', to] = part.match(/\d\d*/g) ?? [];
    return to === undefined ? [from] : [from, ...runOf(from, to)];
  });
}

/** Returns the numbers after the first one up to the last one. */
function runOf(first: string, last: string): string[] {
  const count = Number(last) - Number(first);
  if (!(count > 0 && count < MAX_RUN)) return [last];
  return Array.from({ length: count }, (_, at) => String(Number(first) + at + 1));
}

function width(text: string): number {
  return text.length + (text.match(/[\u3000-\u9fff\uff00-\uff60]/g)?.length ?? 0);
}
