/** Words of names that hold passwords: their values may be any text. */
const PASSWORDS = 'password|passwd|passphrase|passcode|pwd|pass';
/** Words of names that hold keys: their values look random. */
const KEYS =
  'secret|token|api[_. -]?key|access[_. -]?key|auth[_. -]?key|private[_. -]?key|secret[_. -]?key|' +
  'signing[_. -]?key|encryption[_. -]?key|master[_. -]?key|account[_. -]?key|subscription[_. -]?key|' +
  'service[_. -]?key|anon[_. -]?key|application[_. -]?key|license[_. -]?key|shared[_. -]?key|' +
  'credentials?|access|private|(?<=[_. -]|[a-z])key|_pat|_auth|_dsn';
/** Suffixes of the word in a name: `PASSWORD_PROD`, `token2`. */
const SUFFIX = String.raw`(?:[_. -]?(?:base64|base|b64|value|prod|production|dev|development|staging|test|live|key|v?\d{1,3})){0,2}`;
/** Types between a name and its value: `password: str = `, `String? token = `. */
const TYPE = String.raw`\s{0,2}:?\s{0,2}(?:string|str|&str|&'static str|char\*|final|Secret(?:Str|String)?|Option(?:al)?[[<][\w:]{2,20}[\]>]|any|object)\??\s{0,2}(?==(?!=))`;
/** The end of a name: quotes, brackets, emphasis, a type, accessors of C#. */
const NAME_END = String.raw`["'\`\])*]{0,4}(?:${TYPE}|\s?\{\s?get;[ \w;]{0,24}\}(?=\s?=))?`;
/** A field of an object or a block that a value follows: `value: x`, `type = string default = x`. */
const FIELD = String.raw`["',\s>+→\d|{-]{0,16}(?:\b(?:type|sensitive|description|enabled)["']?\s{0,12}[=:]\s{0,4}["']?[\w ().-]{1,40}["']?[,\s]{1,12}){0,3}\b(?:value|default)["']?\s{0,12}[=:]`;
/** Tags around a name or before a value: `</key><string>`, `=<span class="s">`, `><![CDATA[`. */
const TAG = String.raw`<(?:\/?[A-Za-z][\w:-]{0,16}(?:\s[^<>\n]{0,60})?>|!\[CDATA\[)`;
/** The start of a block of YAML: `key: |`, `key: >-`. */
const BLOCK = String.raw`:\s?[|>][+-]?\d?\s{0,2}\n`;
/** From the name to the value: operators of languages, of sentences, of lists of names and values, and of XML. */
const OPERATOR =
  String.raw`(?:\s{0,8}(?:=>|:=|\?=|\|\||\?\?|or(?=\s["'])|${BLOCK}|=(?!=)|:(?!:)|[：＝はがを是为為는은]|${FIELD}|,(?=\s?["'\`]|[!-+.-~-]{8})|\t\s{0,8}|\|)` +
  String.raw`[\s*]{0,24}(?:${TAG}\s{0,4}){0,2}|>(?:${TAG})?|<\/[\w:-]{1,16}>\s{0,12}(?:${TAG}\s{0,8}){1,3})`;
/** Calls that make a value of a text: `String::from("`, `new String("`, `std::string("`, `SecretString::new("`. */
const MAKER = String.raw`(?:(?:new |&|\[\])?(?:[A-Za-z_]\w{0,24}(?:::|\.)){0,3}(?:String|string|str|bytes?|Some|Just|Secret(?:Str|String|Value)?|SecureString|Password|Token|Ptr|To|from|new|valueOf|fromString|unsafePlainText|plainText|b64decode|atob|unescape)\(\s{0,4}){1,2}(?=[bfrun@]{0,2}["'\`])`;
/** The start of a value in quotes, in any language. */
const QUOTE = String.raw`(?:[bfrun@]{0,2}["'\`])?`;

/** Words of {@link ASSIGNED_NAME}. */
export const ASSIGNED_KEYWORDS: readonly string[] = (
  `${PASSWORDS}|secret|token|credential|access|private|key|_pat|_auth|_dsn|apikey|accesskey|authkey|` +
  'privatekey|signingkey|encryptionkey|masterkey|accountkey|subscriptionkey|servicekey|anonkey|' +
  'sharedkey|applicationkey|licensekey'
).split('|');

/** The end of a name that says that its value is secret, and all up to the value. */
export const ASSIGNED_NAME: RegExp = new RegExp(
  `(?:${PASSWORDS}|${KEYS})${SUFFIX}(?![A-Za-z0-9_-])${NAME_END}${OPERATOR}(?:${MAKER})?${QUOTE}`,
  'iy',
);
