import type { RedactionRule } from '../redaction-rule.ts';
import { isPublicName } from './assigned-name.ts';
import { isJoinedWords, isMixed, isMixedKey } from './judge.ts';
import { LastBefore } from './text-before.ts';
import { isPlaceholder, isStrongValue, isValue, looksRandom } from './placeholder.ts';
import { traitsOf } from './traits.ts';

/** How names end that hold secrets. */
const SECRET_NAME =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api_?key|_key|_auth|_dsn|_base)(?:_(?:prod|production|dev|staging|test|live))?_?\d{0,2}$/i;
const QUOTED = String.raw`["'](?<secret>[^"'\s]{4,200})["']`;

/** Programs whose short options take a password. */
const clients = new LastBefore(/\b(?:redis-cli|valkey-cli|ldap|openssl)/, 160);

/** Secrets of commands, calls, statements and sentences, which nothing assigns to a name. */
export const statementRules: readonly RedactionRule[] = [
  {
    name: 'assignment',
    what: 'The value that a function returns whose name ends with a word for a secret',
    keywords: ['return "', "return '", 'return `', 'lazy { "'],
    pattern:
      /(?<=(?<name>\w{0,60}(?:password|passphrase|secret|token|key)(?:s|value)?)(?:\(\)| by)[^{}\n"']{0,40}(?:\{\s{0,24})?)(?:return|lazy \{) ["'`](?<secret>[^\s"'`]{6,400})["'`]/iy,
    accepts: ({ groups }) =>
      looksRandom(groups?.['secret'] ?? '') && !isPublicName(groups?.['name'] ?? ''),
  },
  {
    name: 'assignment',
    what: 'A name and a value with a space between them: Dockerfiles, shells, C, AWS',
    keywords: ['env ', 'setx ', 'setenv ', 'set -', '#define ', 'configure set ', 'config set '],
    pattern:
      /(?:env|setx|setenv|set -[a-z]{1,3}|#define|configure set|config set)\s{1,4}(?<name>[\w.-]{3,60})\s{1,8}["']?(?<secret>[^\s"'`=][^\s"'`]{3,300})/iy,
    accepts: ({ groups }) =>
      SECRET_NAME.test(groups?.['name'] ?? '') && isValue(groups?.['secret'] ?? ''),
  },
  {
    name: 'assignment',
    what: 'Passwords of Redis in its configuration',
    keywords: ['requirepass ', 'masterauth '],
    pattern: /(?:requirepass|masterauth)\s{1,4}["']?(?<secret>[^\s"'`]{4,300})/iy,
    is: isValue,
  },
  {
    name: 'command-password',
    what: 'Options of commands whose names end in password, passphrase, token, secret or key',
    keywords: [
      '-password ',
      '-passphrase ',
      '-token ',
      '-secret ',
      '-key ',
      '-pass ',
      '-pwd ',
      '-key-base ',
      '-pat ',
      '-apikey ',
      '-clientsecret ',
      '-accesstoken ',
      '-accountkey ',
      '-storageaccountkey ',
    ],
    pattern:
      /(?<=\s(?:--?[\w-]{0,30})?)-(?:password|passphrase|token|secret|key|pass|pwd|key-base|pat|apikey|clientsecret|accesstoken|(?:storage)?accountkey)\s{1,3}["']?(?<secret>[^\s"'`<>$[\]{}|;&()-][^\s"'`<>[\]{}|;]{5,300})/iy,
    is: isStrongValue,
  },
  {
    name: 'command-password',
    what: 'Short options of redis-cli, ldapsearch and openssl',
    keywords: [' -a ', ' -w ', ' -k ', '-passin ', '-passout '],
    pattern: /(?: -[awk]|-pass(?:in|out)) (?:pass:)?["']?(?<secret>[^\s"'`<>$-][^\s"'`<>]{3,200})/y,
    mayFollow: (text, keyword) => clients.isBefore(text, keyword),
    accepts: ({ input, index, groups }) =>
      /\b(?:redis-cli|valkey-cli|ldap\w+|openssl)\b[^\n|;]*$/.test(
        input.slice(Math.max(0, index - 160), index),
      ) && isValue(groups?.['secret'] ?? ''),
  },
  {
    name: 'assignment',
    what: 'A name, words in brackets and a value, as in questions of aws configure: Secret Access Key [None]:',
    keywords: ['key [', 'password [', 'secret [', 'token [', 'key (', 'password (', 'token ('],
    pattern:
      /(?:key|password|secret|token) (?:\[[^\]\n]{0,40}\]|\([^)\n]{1,40}\)):[ \t]{1,2}["'`]?(?<secret>[^\s"'`]{6,300})/iy,
    is: isStrongValue,
  },
  {
    name: 'assignment',
    what: 'Passwords of key stores in Gradle: storePassword "..."',
    keywords: ['storepassword ', 'keypassword '],
    pattern: new RegExp(String.raw`(?:store|key)password\s{1,4}${QUOTED}`, 'iy'),
    is: isValue,
  },
  {
    name: 'assignment',
    what: 'Keys and salts of WordPress, which have any character',
    keywords: ['_key', '_salt'],
    pattern:
      /(?<=["'](?:SECURE_AUTH|AUTH|LOGGED_IN|NONCE))_(?:KEY|SALT)["']\s{0,20},\s{0,20}'(?<secret>[^'\n]{40,80})'/y,
    is: isMixed,
  },
  {
    name: 'assignment',
    what: 'Passwords of apps at Google: four words of four letters',
    keywords: ['pass', 'pwd'],
    pattern:
      /(?:pass(?:word)?|pwd)["']?\s?[=:]\s?["']?(?<secret>[a-z]{4}(?: [a-z]{4}){3})(?![A-Za-z ])/iy,
  },
  {
    name: 'told-password',
    what: 'A password after PW',
    keywords: ['pw'],
    pattern:
      /(?<![A-Za-z\d_.-])pw["'`]?\s{0,2}[:=はが→]\s{0,3}["'`]?(?<secret>[^\s"'`,;\u0080-\uffff]{6,100})/iy,
    is: isStrongValue,
  },
  {
    name: 'told-password',
    what: 'A user and a password after the names of both: ID/PW: admin / ...',
    keywords: ['/pw', '/pass', '/pwd', '/ pw', '/ pass'],
    pattern:
      /(?<=(?:id|user|username|login|account|e-?mail|ユーザー?|アカウント)\s?)\/\s?(?:pw|pass(?:word)?|pwd)\s{0,2}(?:[:=は→-]|is|are)?\s{0,3}["'`]?[\w.@+-]{1,60}["'`]?\s{0,2}[/,、]\s{0,2}["'`]?(?<secret>[^\s"'`,;\u0080-\uffff]{6,100})/iy,
    is: isStrongValue,
  },
  {
    name: 'call-password',
    what: 'Arguments of calls that take a password',
    keywords: [
      'convertto-securestring',
      'setpassword(',
      'credentials(',
      'credential(',
      'basicauth(',
      'auth=(',
      'auth = (',
      'wifi.begin(',
    ],
    pattern: new RegExp(
      String.raw`(?:convertto-securestring(?: -string)? |setpassword\(|(?:credentials?|basicauth|auth\s?=\s?|wifi\.begin)\(\s{0,4}["'][^"'\n]{1,100}["']\s{0,2},\s{0,4})${QUOTED}`,
      'iy',
    ),
    is: isValue,
  },
  {
    name: 'call-password',
    what: 'Arguments of calls that take a key: api_key("...")',
    keywords: ['apikey(', 'api_key(', 'accesskey(', 'accesstoken(', 'access_token(', 'authtoken('],
    pattern: new RegExp(
      String.raw`(?:api_?key|access(?:key|_?token)|authtoken)\(\s{0,4}["'](?<secret>[\w+/=.-]{24,400})["']`,
      'iy',
    ),
    is: (secret) =>
      isMixedKey(secret) &&
      traitsOf(secret).digits > 2 &&
      !isJoinedWords(secret) &&
      !isPlaceholder(secret),
  },
  {
    name: 'sql-password',
    what: 'Passwords in statements of SQL',
    keywords: ['identified', "password '", 'password "', "password e'", "password n'"],
    pattern: new RegExp(
      String.raw`(?:identified (?:with [\w."'\`]{1,60} )?(?:by|as) (?:password )?|(?<=(?:with|encrypted|user|role)\s(?:[\w"]{1,60}\s)?|user '[^'\n]{1,60}',\s{0,2})password )[EN]?${QUOTED}`,
      'iy',
    ),
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'pgpass',
    what: 'Passwords of .pgpass for any host or base',
    keywords: [':*:*:', '*:*:'],
    pattern: /(?::\*|\*:\*):(?:\*:)?[^:\s"'/@*[\]]{1,60}:(?<secret>[^\s"':]{3,200})(?=\s|$)/y,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'url-password',
    what: 'Passwords in addresses of Oracle',
    keywords: ['oracle:thin:', 'oracle:oci:'],
    pattern: /oracle:(?:thin|oci):[^\s/:"']{1,60}\/(?<secret>[^\s"'@]{3,100})@/iy,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'url-token',
    what: 'Keys in the query of an address',
    keywords: ['?key=', '&key='],
    pattern: /[?&]key=(?<secret>[\w.~%-]{24,400})/iy,
    is: isMixed,
  },
  {
    name: 'wifi-password',
    what: 'The text of a QR code that joins a network',
    keywords: ['wifi:'],
    pattern: /WIFI:(?:[TSHR]:[^;\n]{0,64};){0,4}P:(?<secret>[^;\n]{4,80});/y,
    is: (secret) => !isPlaceholder(secret),
  },
];
