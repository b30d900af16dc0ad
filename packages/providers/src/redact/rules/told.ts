import { heldTexts, type Offsets, type RedactionRule } from '../redaction-rule.ts';
import { isMixed, isNameOfParts, isNameOfWords, isOfWords, isShuffled } from './judge.ts';
import { LastBefore } from './text-before.ts';
import { isPublicName } from './assigned-name.ts';
import { isPlaceholder, isReference, isStrongValue } from './placeholder.ts';
import { traitsOf } from './traits.ts';

/** Words for passwords in languages of other scripts: no text of Latin letters is searched for them. */
const PASSWORDS =
  'パスワード|パスフレーズ|パスコード|暗証番号|合言葉|密码|密碼|口令|비밀번호|비번|암호|Wi-?Fi ?のパス(?!ワード)|パス(?=[:：])|парол[ьяюем]{1,2}(?: (?:от|для|к|на|в) [^.?!:\n]{1,40})?|mật khẩu|hasło|şifre|كلمة المرور|كلمة السر|รหัสผ่าน|סיסמה|סיסמא|पासवर्ड|κωδικός';
/** Words for keys. */
const KEYS =
  '(?:API|アクセス|シークレット|秘密|認証|暗号化?|署名)[ ・]?キー|トークン|シークレット|秘密鍵|暗号鍵|認証コード|密钥|密鑰|令牌|私钥|시크릿|토큰|비밀 ?키|(?:API|액세스|인증) ?키|токен';
/** Words of European languages, whose letters of ASCII are keywords. */
const EUROPEAN = [
  'passwort',
  'kennwort',
  'mot de passe',
  'contrase',
  'senha',
  'wachtwoord',
  'senord',
  'parola',
  'salasana',
  'heslo',
  'chave secreta',
  'chave de api',
  'api-schl',
];
/** Not in `enclave`, and not of a table or a search: `clave primaria`, `palabra clave`. */
const CLAVE = String.raw`(?<![a-zñ]|palabras? )clave(?!s? (?:primaria|for[aá]nea|p[uú]blica))`;
/** Text between such a word and its value: particles, verbs, colons, quotation marks, emphasis. */
const LINK = String.raw`(?:[（(][^）)\n]{1,20}[）)])?["'\`」』*]{0,3}(?:の値)?\s{0,3}(?:は(?:以下|次|下記|こちら)(?:の(?:通り|とおり))?(?:です|になります|となります)?[。.]?|って|とは|[:：=＝はがをに也も是为為는은이가|→—–-]|ist|lautet|est|es|é|è|is|är|er|to|改[成为為]|[设設]置?[成为為]|[换換变變]成|を[ぁ-ん一-龠]{1,8}:)?[\s　:：]{0,4}["'\`“”‘’„«「『《【（(*]{0,3}\s?`;
/** Brackets in which the value is, before a particle: `（value）を`. */
const BRACKET = String.raw`["'\`」』*]{0,3}(?:の値)?\s{0,3}[（(]`;
const SECRET = String.raw`(?<secret>[!#-&(-+\--;=?-_a-~]{4,100})`;

/** The end of a name, and a quotation mark, which is looked for first: most characters are none. */
const QUOTED_NAME = String.raw`(?=[「『“【])(?<=(?:password|passwd|pwd|pass|secret|token|key)\s?)[「『“【]`;

/** Returns a pattern that ends with the secret; the words are not ASCII, so that they are not keywords. */
function told(words: string, link: string): RegExp {
  return new RegExp(`(?:${words})${link}${SECRET}`, 'dgi');
}

/** Where a pattern matches in the text that was read last: the rules that begin so look for it once. */
class Beginnings {
  readonly #pattern: RegExp;
  readonly #forget = (): void => {
    this.#text = '';
    this.#places = [];
  };
  #text = '';
  #places: readonly number[] = [];

  constructor(source: string) {
    this.#pattern = new RegExp(source, 'gi');
  }

  /** Returns the places in a text, overlapping ones too. */
  in(text: string): readonly number[] {
    if (text === this.#text) return this.#places;
    if (this.#text === '') heldTexts.add(this.#forget);
    const pattern = this.#pattern;
    const places: number[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      places.push(match.index);
      pattern.lastIndex = match.index + 1;
    }
    this.#text = text;
    this.#places = places;
    return places;
  }
}

const words = new Beginnings(`${PASSWORDS}|${KEYS}`);
const quotedNames = new Beginnings(QUOTED_NAME);

/** Creates the rule of a pattern that ends with the secret, its only group. Indices of groups would be slow. */
function endingRule(
  name: string,
  what: string,
  pattern: RegExp,
  judge: (secret: string) => boolean,
  beginnings: Beginnings,
): RedactionRule {
  const fast = new RegExp(pattern.source, 'iy');
  const find = (text: string): readonly Offsets[] => {
    const found: Offsets[] = [];
    let end = 0;
    for (const place of beginnings.in(text)) {
      if (place < end) continue;
      fast.lastIndex = place;
      const match = fast.exec(text);
      if (!match) continue;
      end = fast.lastIndex;
      const { 1: secret = '' } = match;
      const start = end - secret.length;
      const value = text.charAt(start - 1) === '(' ? inBrackets(secret) : secret;
      if (value !== secret && isNameInBrackets(value)) continue;
      if (judge(withoutPeriod(value)) || (value !== secret && judge(withoutPeriod(secret))))
        found.push([start, start + value.length]);
    }
    return found;
  };
  return { name, what, pattern, find };
}

/** Words between a password and its value. */
const VERBS =
  'is|was|be|been|has|have|will|should|must|changed|reset|updated|set|rotated|switched|now|stays|as|to|from|equals';

/** The words that may follow `as password`: others make it a name of something else. */
const AFTER = String.raw`(?:for|to|on|in|at|of|and|or|but|so|then|when|if|until|now|here|again|by|with|from|please|because|which|that|it|as|we|you|i|instead|everywhere|temporarily|before|after|while|since|once|only|too|also|later|during|unless|not|via|without|today|tomorrow)\b|[^a-z]|$`;

/** Secrets that a sentence says, in several languages. */
export const toldRules: readonly RedactionRule[] = [
  {
    name: 'told-password',
    what: 'A sentence in English that says a secret',
    keywords: [
      ' is ',
      ' is:',
      ' are ',
      ' are:',
      ' to be ',
      ' to equal ',
      ' to eql ',
      ' set to ',
      ' equals ',
      ' was ',
      ' was:',
    ],
    pattern:
      / (?:is|are|was|equals|set to|to (?:be|equal|eql)):? {1,2}["'`*“]{0,3}(?<secret>[^\s"'`*,;”]{6,400})/iy,
    mayFollow: (text, keyword) => subjects.isBefore(text, keyword),
    accepts: ({ input, index, groups }) =>
      isStrongValue(withoutPeriod(groups?.['secret'] ?? '')) &&
      !METHOD.test(withoutPeriod(groups?.['secret'] ?? '')) &&
      ENGLISH.test(input.slice(Math.max(0, index - LONGEST_SUBJECT), index)),
  },
  {
    name: 'told-password',
    what: 'The new password after the old one: `from x to y`',
    keywords: [' from '],
    pattern: / from ["'`]?[^\s"'`]{4,100}["'`]? to ["'`]?(?<secret>[^\s"'`<>]{6,200})/iy,
    mayFollow: (text, keyword) => subjects.isBefore(text, keyword),
    accepts: ({ input, index, groups }) =>
      isSaid(groups?.['secret'] ?? '', false) &&
      CHANGED.test(input.slice(Math.max(0, index - LONGEST_SUBJECT), index)),
  },
  {
    name: 'told-password',
    what: 'A word for a password in English and its value: `password - x`, `password was changed to x`',
    keywords: ['password', 'passphrase', 'passcode', 'passwd', 'pw '],
    pattern: new RegExp(
      String.raw`(?:pass(?:word|phrase|code|wd)|(?<![a-z\d+/])pw)s?["'\`*)]{0,2}(?<link>(?: (?:for|of|on|in)\b[^.?!;:=\n]{1,40}?(?: ?[:=](?= )|(?= (?:is|was|will|has|-|–|→))))?(?: (?:[→–—è-]|->|=>)(?= )| (?:${VERBS})\b:?){0,5})[*]{0,2} {1,2}["'\`*“«(]{0,3}(?<secret>[^\s"'\`<>“”»]{6,200})`,
      'iy',
    ),
    accepts: ({ groups }) => isSaid(groups?.['secret'] ?? '', groups?.['link'] !== ''),
  },
  {
    name: 'told-password',
    what: 'A password that a sentence calls one after it: `use x as password`',
    keywords: [' as '],
    pattern: new RegExp(
      String.raw`(?= as (?:[a-z]{1,10} ){0,2}(?:password|passphrase|passcode)(?![\w[])(?! (?!${AFTER})))(?<=(?:^|[\s"'\`(])(?<from>[^\s"'\`(]{6,100}["'\`]?))`,
      'iy',
    ),
    accepts: ({ groups }) => isSaid((groups?.['from'] ?? '').replace(/["'`]$/, ''), false),
  },
  {
    name: 'told-password',
    what: 'A user and a password after a word for both: `credentials: user / x`',
    keywords: ['creds', 'credential', 'login', 'zugangsdaten', 'identifiants'],
    pattern:
      /(?:creds|credentials?|login|zugangsdaten|identifiants)(?: (?:for|für|pour|of) [\w.-]{1,30})?(?: (?:are|is|sont|sind)| ?[:=]) {0,2}["'`]?[\w.@+-]{2,60} ?[:/] ?["'`]?(?<secret>[^\s"'`<>/]{6,100})/iy,
    is: (secret) => isSaid(secret, false),
  },
  {
    name: 'told-key',
    what: 'A word for a key, a dash or an arrow, and its value',
    keywords: ['key ', 'token ', 'secret '],
    pattern: /(?:key|token|secret) (?:[-–—→]|->|=>) ["'`*]{0,2}(?<secret>[\w+/=.~-]{16,400})/iy,
    accepts: ({ input, index, 0: whole, groups }) => {
      const secret = groups?.['secret'] ?? '';
      if (
        !isToldKey(secret) ||
        isOfWords(secret) ||
        /^(?:ctrl|control|alt(?:gr)?|shift|cmd|command|meta|super|opt(?:ion)?|win|fn)\+/i.test(
          secret,
        )
      )
        return false;
      const before = LAST_WORD.exec(input.slice(Math.max(0, index - LONGEST_WORD), index))?.[1];
      return !isPublicName(`${before ?? ''}_${whole.slice(0, whole.indexOf(' '))}`);
    },
  },
  {
    name: 'told-password',
    what: 'A word for a password in a European language, and its value',
    keywords: [...EUROPEAN, 'clave', 'mdp'],
    // The thing that it is the password of may be between: `das Passwort für den Server ist`.
    pattern: new RegExp(
      `(?:${EUROPEAN.join('|')}|${CLAVE}|(?<![a-z\\d+/])mdp(?= ?:| est))[a-zñü]{0,6}(?: [^.?!;:=\\n]{1,40}?(?=(?: (?:ist|lautet|est|es|é|è|is|är|er)| ?[:=])[\\s:]))?${LINK}${SECRET}`,
      'iy',
    ),
    // `clave` is any key, of a riddle, too.
    accepts: ({ 0: whole, groups }) => {
      const secret = withoutPeriod(groups?.['secret'] ?? '');
      return isToldPassword(secret) && !(/^clave/i.test(whole) && isNameOfWords(secret));
    },
  },
  ...['」', '』', '”', '】'].map((literal) => ({
    ...endingRule(
      'told-key',
      'A name of a key, and its value in quotation marks of Chinese or Japanese',
      new RegExp(`${QUOTED_NAME}([!#-&(-~]{6,200})(?=${literal})`, 'dgi'),
      isToldPassword,
      quotedNames,
    ),
    literal,
  })),
  ...[LINK, BRACKET].flatMap((link) => [
    endingRule(
      'told-password',
      'A word for a password in a language of another script, and its value',
      told(PASSWORDS, link),
      isToldPassword,
      words,
    ),
    endingRule(
      'told-key',
      'A word for a key in a language of another script, and its value',
      told(KEYS, link),
      isToldKey,
      words,
    ),
  ]),
];

/** Checks for a strong value that is no name with a number; without a word before it for one, it must look random. */
function isSaid(text: string, isLinked: boolean): boolean {
  const secret = withoutPeriod(text).replace(/[,;:)?]*$/, '');
  if (secret.length < 6 || !isStrongValue(secret) || isNameOfWords(secret)) return false;
  if (isReference(secret) || isNameOfParts(secret) || /^[\w~-]*[./({[<]/.test(secret)) return false;
  if (METHOD.test(secret) || SYSTEM.test(secret)) return false;
  return /[!@#$%^&*+~?]/.test(secret) || (isLinked && !isOfWords(secret)) || isShuffled(secret);
}

/** A word before that for a key. */
const LAST_WORD = /([\w-]{1,30})[ _-]$/;
const LONGEST_WORD = 32;

const LONGEST_SUBJECT = 60;
/** The subject of a sentence: `the password for admin`, `apiKey`, `access token of the bot`. */
const ENGLISH =
  /(?:pass ?(?:word|code|phrase|wd)|pwd|key|token|secret|credential)s?["'`*)]{0,2}(?: (?:for|of|to|on|in|from)\b[^.?!;:\n]{1,40})?$/i;

/** The same before `from`: the password was changed, not a manager of passwords. */
const CHANGED = new RegExp(
  `${ENGLISH.source.slice(0, -1)}(?: (?:${VERBS}|got|gets?|went|had|just|recently|already|today|yesterday|again|being|updated|\\([^)\\n]{1,20}\\))){0,4}$`,
  'i',
);

/** The nouns of {@link ENGLISH}. */
const subjects = new LastBefore(/pass|pwd|key|token|secret|credential/i, LONGEST_SUBJECT);

/** Returns what is before the bracket that closes one before a value; a bracket before more of a value is a part of it. */
function inBrackets(text: string): string {
  const end = text.lastIndexOf(')');
  if (end < 0 || /[^.:;!?]/.test(text.slice(end + 1))) return text;
  let open = 0;
  for (const sign of text.slice(0, end)) {
    if (sign === '(') open++;
    else if (sign === ')' && open > 0) open--;
  }
  return open > 0 ? text : text.slice(0, end);
}

function withoutPeriod(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** Names of hashes, ciphers and protocols with the numbers that they have, which texts about passwords have. */
const METHOD =
  /^(?:(?:pbkdf2-)?(?:hmac-)?sha-?(?:1|2|3|224|256|384|512|3-?(?:224|256|384|512))|aes-?(?:128|192|256)(?:-(?:gcm|cbc|ctr|ccm|ecb|xts))?|rsa-?(?:1024|2048|3072|4096)|[ehpr]s(?:256|384|512)|ed25519|pbkdf2|argon2(?:id?|d)?|wpa[23](?:-(?:psk|personal|enterprise))?|(?:tls|ssl)-?v?[1-3](?:\.[0-3])?|oauth-?2(?:\.0)?|base-?(?:32|58|64)|utf-?(?:8|16|32))$/i;

/** Names of systems and versions, which may be a password where no bracket says that they are a note. */
const SYSTEM =
  /^(?:windows[-_]?(?:7|8|8\.1|10|11)|(?:ios|android)[-_]?\d{1,2}|(?:password)?v(?:er(?:sion)?)?[-_.]?\d{1,2}(?:\.\d{1,3}){0,3})$/i;

function isNameInBrackets(text: string): boolean {
  return METHOD.test(text) || SYSTEM.test(text);
}

/** A word with a digit or a sign, or a number: no word of a sentence, no path, no call. */
function isToldPassword(text: string): boolean {
  const { length, digits, lowers, uppers, others } = traitsOf(text);
  if (
    length < 4 ||
    isPlaceholder(text) ||
    METHOD.test(text) ||
    /^[\w.~-]*[(/[{]|^(?:https?|[a-z]):[/\\]|\.\w{2,4}$/i.test(text)
  )
    return false;
  if (lowers + uppers === 0) return digits === length && digits >= 4;
  return length >= 6 && (isMixed(text) || (digits > 1 && others > 0) || digits > 2);
}

function isToldKey(text: string): boolean {
  const { length, digits, lowers, uppers, distinct } = traitsOf(text);
  return (
    length >= 16 &&
    (digits >= 3 || (digits > 0 && isShuffled(text))) &&
    lowers + uppers >= 3 &&
    distinct >= 8 &&
    !isPlaceholder(text) &&
    !/[a-z]{10}|^https?:|^~|[()]/.test(text)
  );
}
