import type { RedactionRule } from '../redaction-rule.ts';
import { isMixed } from './judge.ts';
import { isPlaceholder } from './placeholder.ts';
import { isStrongValue } from './strong-value.ts';
import { traitsOf } from './traits.ts';

/** Words for passwords in languages whose words are not those of names in programs. */
const PASSWORDS =
  'パスワード|パスフレーズ|パスコード|暗証番号|合言葉|密码|密碼|口令|비밀번호|암호|пароль|mật khẩu|contraseña|contrasena|mot de passe|passwort|kennwort|senha|wachtwoord|hasło|lösenord|parola|şifre|salasana|heslo';
/** Words for keys. */
const KEYS =
  '(?:API|アクセス|シークレット|秘密|認証|暗号化?|署名)[ ・]?キー|トークン|シークレット|秘密鍵|暗号鍵|認証コード|密钥|密鑰|令牌|私钥|시크릿|토큰|비밀키|API ?키|токен|ключ API|jeton|clé API|clé secrète|chave secreta|clave secreta|clave de API|API-Schlüssel';
/** What may stand between such a word and its value: particles, verbs, colons, quotation marks, emphasis. */
const LINK = String.raw`["'\`」』*]{0,3}\s{0,3}(?:[:：=＝はがをも是为為는은이가|→]|ist|est|es|é|is)?[\s　:：]{0,4}["'\`“”‘’«「『《【*]{0,3}`;
const SECRET = String.raw`(?<secret>[!-&(-+\--;=?-_a-~]{4,400})`;

/** The first group is the secret; the words are no ASCII, so that they are no keywords. */
function told(words: string): RegExp {
  return new RegExp(`(?:${words})${LINK}${SECRET.replace('?<secret>', '')}`, 'dgi');
}

/** Secrets that a sentence says, in several languages. */
export const toldRules: readonly RedactionRule[] = [
  {
    name: 'told-password',
    what: 'A sentence in English that says a secret',
    keywords: [
      ' is ',
      ' are ',
      ' to be ',
      ' to equal ',
      ' to eql ',
      ' set to ',
      ' equals ',
      ' was ',
    ],
    pattern:
      / (?:is|are|was|equals|set to|to (?:be|equal|eql)):? {1,2}["'`*“]{0,3}(?<secret>[^\s"'`*,;”]{6,400})/iy,
    accepts: ({ input, index, groups }) =>
      isStrongValue(withoutPeriod(groups?.['secret'] ?? '')) &&
      ENGLISH.test(input.slice(Math.max(0, index - LONGEST_SUBJECT), index)),
  },
  {
    name: 'told-password',
    what: 'A word for a password in another language, and its value',
    pattern: told(PASSWORDS),
    accepts: ({ 1: secret = '' }) => isToldPassword(withoutPeriod(secret)),
  },
  {
    name: 'told-key',
    what: 'A word for a key in another language, and its value',
    pattern: told(KEYS),
    accepts: ({ 1: secret = '' }) => isToldKey(withoutPeriod(secret)),
  },
];

const LONGEST_SUBJECT = 60;
/** What a sentence is about: `the password for admin`, `apiKey`, `access token of the bot`. */
const ENGLISH =
  /(?:pass ?(?:word|code|phrase|wd)|pwd|key|token|secret|credential)s?["'`*)]{0,2}(?: (?:for|of|to|on|in|from)\b[^.?!;:\n]{1,40})?$/i;

function withoutPeriod(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** A word with a digit or a sign, or a number: no word of a sentence, no path, no call. */
function isToldPassword(text: string): boolean {
  const { length, digits, lowers, uppers, others } = traitsOf(text);
  if (length < 4 || isPlaceholder(text) || /^[\w.-]*[(/[{]|^https?:|\.\w{2,4}$/i.test(text))
    return false;
  if (lowers + uppers === 0) return digits === length && digits >= 4;
  return length >= 6 && (isMixed(text) || (digits > 1 && others > 0) || digits > 2);
}

function isToldKey(text: string): boolean {
  const { length, digits, lowers, uppers, distinct } = traitsOf(text);
  return (
    length >= 16 &&
    digits >= 3 &&
    lowers + uppers >= 3 &&
    distinct >= 8 &&
    !isPlaceholder(text) &&
    !/[a-z]{10}|^https?:|[()]/.test(text)
  );
}
