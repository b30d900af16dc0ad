import { codeAt } from '../code-at.ts';
import type { Offsets, RedactionRule } from '../redaction-rule.ts';
import {
  bitsPerCharacter,
  hasBothCases,
  hasDigit,
  isAny,
  isBasicCredentials,
  isMixed,
} from './judge.ts';
import { commandBefore, LastBefore, linesBefore } from './text-before.ts';
import { isPlaceholder, isPorts } from './placeholder.ts';
import { shape } from './shape.ts';
import { skimToken, skimUser } from './skim.ts';
import { traitsOf } from './traits.ts';

/** The beginnings of a key's line: a diff, a quotation, numbers of lines, a comment. */
const MARGIN = String.raw`[\s>|:#*"'\`,+\\/-]{0,12}(?:\d{1,6}[\s:→|\t-]{1,4})?`;
const HEADER = String.raw`-----BEGIN[ +](?:[A-Z0-9]{1,20}[ +]){0,3}PRIVATE[ +]KEY(?: BLOCK)?-----`;
/** Everything up to the end line, wherever the lines come from. */
const UP_TO_END = String.raw`(?:(?!-----BEGIN)(?!-----END)[^]){0,20000}-----END[ A-Z0-9_-]{0,60}-----`;
/** Lines of Base64 and of headers such as Proc-Type, where the end line is missing. */
const LINES = String.raw`(?:${MARGIN}(?:[A-Za-z-]{3,20}: [\w ,.+/=@<>()-]{1,100}|[A-Za-z0-9+/=]{1,100})(?=[\s"'\`,+\\&<]|$)){1,400}`;

/** Secrets that are known by the text around them. */
export const structureRules: readonly RedactionRule[] = [
  {
    name: 'private-key',
    what: 'Private keys: PKCS#1, PKCS#8, SEC 1, OpenSSH, PGP, encrypted, or cut off',
    keywords: ['-----begin'],
    pattern: new RegExp(`${HEADER}(?:${UP_TO_END}|${LINES})`, 'y'),
  },
  {
    name: 'private-key',
    what: 'Private keys whose beginning is missing',
    keywords: ['-----end'],
    pattern: /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y,
    secretAfter: linesBefore,
  },
  {
    name: 'private-key',
    what: 'SSH.com private keys',
    keywords: ['---- begin ssh2'],
    pattern: /---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----(?:(?!---- END)[^]){20,20000}/y,
  },
  {
    name: 'private-key',
    what: 'PuTTY private keys',
    keywords: ['private-lines:'],
    pattern: new RegExp(
      `Private-Lines: \\d{1,3}\\s{1,4}(?<secret>(?:${MARGIN}[A-Za-z0-9+/=]{1,100}\\s{1,4}){1,300})`,
      'y',
    ),
  },
  shape(
    'private-key',
    'Base64 of a PEM private key',
    /LS0tLS1CRUdJTi[A-Za-z0-9+/]{4,40}(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF)[A-Za-z0-9+/=]{40,20000}/,
  ),
  shape(
    'private-jwk',
    'Private part of a JSON Web Key',
    /"(?:d|k|dp|dq|qi)"\s{0,4}:\s{0,4}"(?<secret>[\w-]{22,700})"/,
    {
      keywords: ['"d"', '"k"', '"dp"', '"dq"', '"qi"'],
      is: isMixed,
      entropy: 3.5,
    },
  ),
  shape(
    'wireguard-key',
    'WireGuard',
    /(?:PrivateKey|PresharedKey|private-key|preshared-key)\s{0,4}[=:]\s{0,4}["']?(?<secret>[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)/i,
    {
      keywords: ['privatekey', 'presharedkey', 'private-key', 'preshared-key'],
    },
  ),
  shape(
    'seed-phrase',
    'Seed phrase of a wallet',
    /(?:mnemonic|seed[ _-]?phrase|recovery[ _-]?phrase)["']?\s{0,4}(?:=|:|is)\s{0,4}["']?(?<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/i,
    {
      keywords: [
        'mnemonic',
        'seed phrase',
        'seed_phrase',
        'seedphrase',
        'recovery phrase',
        'recovery_phrase',
      ],
      is: isAny,
    },
  ),
  shape(
    'jwt',
    'JSON Web Token, RFC 7519; encrypted ones too',
    /e(?:y[A-Za-z0-9]|wo)[\w-]{8,2000}={0,2}\.(?:e[yw][\w-]{8,8000}={0,2}(?:\.[\w-]{0,2000})?|[\w-]{0,1000}(?:\.[\w-]{10,8000}){3})/,
    {
      keywords: ['ey', 'ewo'],
      minLength: 24,
      entropy: 3,
      is: (token) => /^e[yw]/.test(token) && hasBothCases(token),
    },
  ),
  shape(
    'jwt',
    'JSON Web Token by its header, also without the dot',
    /eyJ(?:hbGci|0eXAi|0eXBl|raWQi|lbmMi)[\w.=-]{30,4000}/,
    { is: isMixed, entropy: 3 },
  ),
  shape('jwt', 'Base64 of a JSON Web Token', /ZXlK[A-Za-z0-9+/]{40,8000}={0,2}/, {
    is: isMixed,
    entropy: 4,
  }),
  {
    name: 'authorization',
    what: 'Authorization headers of any scheme',
    keywords: ['authorization'],
    pattern:
      /authorization["'`\])]{0,3}\s{0,4}(?:=>|[:=,])\s{0,4}["'`]{0,2}(?:(?:Bearer|Basic|Token|ApiKey|Api-Key|Key|Digest|Negotiate|Bot|SSWS|Splunk|AWS4-HMAC-SHA256|OAuth|GenieKey|DeepL-Auth-Key|ShippoToken|Klaviyo-API-Key|token)\s{1,4}(?:token=)?["']?)(?<secret>[\w.~+/=:%|-]{4,4000})/iy,
    is: (secret) =>
      !isPlaceholder(secret) && !/^(?:token|key|and|or|auth|realm|credentials?)$/i.test(secret),
  },
  {
    name: 'authorization',
    what: 'Authorization headers without a scheme',
    keywords: ['authorization'],
    pattern:
      /(?<![A-Za-z])authorization["'`\])]{0,3}\s{0,4}(?:=>|[:=])\s{0,4}["'`]?(?<secret>[\w.~+/=-]{16,4000})/iy,
    is: isRandom,
  },
  {
    name: 'authorization',
    what: 'Bearer tokens',
    keywords: ['bearer'],
    pattern: /bearer["']?[\s:=]{1,4}["']?(?<secret>[\w.~+/-]{16,4000}={0,2})/iy,
    is: isRandom,
  },
  {
    name: 'authorization',
    what: 'Basic credentials, RFC 7617',
    keywords: ['basic'],
    pattern: /basic\s{1,4}(?<secret>[\w+/-]{6,2000}={0,2})/iy,
    is: isBasicCredentials,
  },
  {
    name: 'docker-auth',
    what: 'Base64 of user and password, as in the config of Docker and in .npmrc',
    keywords: ['_auth', 'auth'],
    pattern: /_?auth(?:ident)?["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[\w+/]{6,2000}={0,2})/iy,
    is: isBasicCredentials,
  },
  {
    name: 'npm-auth',
    what: 'User and password of Yarn',
    keywords: ['authident'],
    pattern: /authident["']?\s{0,4}[:=]\s{0,4}["']?[\w.@+-]{1,80}:(?<secret>[^\s"'`<>$]{4,400})/iy,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'url-password',
    what: 'Password in an address, also with characters that should have been escaped',
    keywords: [':/'],
    // One slash, as addresses become paths of files.
    pattern:
      /:\/\/?[^\s/:@?#"'<>`[\](){}|,]{0,100}:(?:(?<double>[^\s/@"'<>`]{1,200})|(?<single>[^\s"'<>`]{1,200}))@(?=[\w.[$%-])/y,
    skim: skimUser,
    is: isPassword,
  },
  {
    name: 'url-token',
    what: 'Token in an address, as of git',
    keywords: ['://'],
    pattern: /:\/\/(?<secret>[\w.~%-]{16,255})(?::[\w-]{0,40})?@(?=[\w.[-])/y,
    skim: skimToken,
    is: isRandom,
  },
  {
    name: 'url-signature',
    what: 'Signatures that open an address: Azure SAS, CloudFront, Google Cloud Storage',
    keywords: ['sig=', 'signature='],
    pattern: /sig(?:nature)?=(?<secret>[\w%+/=~-]{20,700})/iy,
    is: isRandom,
  },
  {
    name: 'connection-string',
    what: 'Keys and passwords in connection strings: Azure, ODBC, ADO.NET, AMQP',
    keywords: [
      'accountkey=',
      'sharedaccesskey=',
      'sharedsecretvalue=',
      'accesskey=',
      'primarykey=',
    ],
    pattern:
      /(?:accountkey|sharedaccesskey|sharedsecretvalue|accesskey|primarykey)=(?<secret>[A-Za-z0-9+/=%_-]{16,400})/iy,
    is: isRandom,
  },
  {
    name: 'connection-string',
    what: 'Passwords in brackets in connection strings',
    keywords: ['password={', 'pwd={'],
    pattern: /(?<=;\s?\w{0,12})(?:password|pwd)=\{(?<secret>[^}\n]{3,200})\}/iy,
  },
  {
    name: 'connection-string',
    what: 'Passwords in data source names of Go',
    keywords: ['@tcp(', '@unix(', '@udp('],
    pattern: /(?<=[\w.%-]{1,60}:(?<from>[^\s:@"'`/]{3,100}))(?=@(?:tcp|unix|udp)\()/y,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'connection-string',
    what: 'Passwords in connection strings',
    keywords: ['password=', 'pwd=', 'pwd ='],
    pattern: /(?<=;\s?\w{0,12})(?:password|pwd) ?=/iy,
    skim: (text, keyword, end) => (isAfterField(text, keyword) ? end : -1),
    secretAfter: fieldOf,
  },
  {
    name: 'connection-string',
    what: 'Secrets of Azure App Configuration',
    keywords: [';secret='],
    pattern: /;secret=(?<secret>[\w+/=]{30,200})/iy,
    is: isRandom,
  },
  {
    name: 'command-password',
    what: 'User and password of curl, wget, http and others, or a key instead of them',
    keywords: ['-u', '--user', '--proxy-user', '-a ', '--auth', '--cert', '-e '],
    pattern: /(?:-[uU]|--user|--proxy-user|--auth|--cert|-[aE])(?:=|\s{0,3})/y,
    mayFollow: (text, keyword) =>
      (keyword === 0 || BEFORE_OPTION.test(text.charAt(keyword - 1))) &&
      clients.isBefore(text, keyword),
    secretAfter: credentialsOf,
  },
  {
    name: 'command-password',
    what: 'User and password of Samba and Windows: user%password',
    keywords: ['-u', '--user', 'user='],
    pattern:
      /(?:-u|--user|user=)[= ]{0,2}["']?(?:[\w.$-]{1,40}[\\/]{1,2})?[\w.@$-]{1,60}%(?<secret>[^\s"'`<>%]{4,100})(?=["'\s]|$)/iy,
    mayFollow: (text, keyword) => samba.isBefore(text, keyword),
    accepts: ({ input, index, groups }) =>
      SAMBA.test(input.slice(Math.max(0, index - 200), index)) &&
      !isPlaceholder(groups?.['secret'] ?? ''),
  },
  {
    name: 'command-password',
    what: 'Password of a command line: --password VALUE, -p VALUE of mysql, sshpass and docker',
    keywords: [
      '--password',
      '--passwd',
      '--pass',
      '--token',
      '--secret',
      '--api-key',
      '--apikey',
      '--access-token',
      '--auth-token',
      '--client-secret',
      '--secret-key',
      '--registry-token',
    ],
    pattern:
      /--(?:password|passwd|pass|token|secret|api-?key|access-token|auth-token|client-secret|secret-key|registry-token)\s{1,3}["']?(?<secret>[^\s"'`<>$[\]{}|;&()-][^\s"'`<>[\]{}|;]{3,200})/y,
    is: isOptionValue,
  },
  {
    name: 'command-password',
    what: 'Passwords of mysql, sshpass, docker login and redis-cli',
    keywords: [' -p'],
    pattern: / -p\s?["']?(?<secret>[^\s"'`<>$[\]{}|;&()-][^\s"'`<>{}|;]{3,100})/y,
    mayFollow: (text, keyword) => clientsOfP.isBefore(text, keyword),
    accepts: isShortOption,
  },
  {
    name: 'netrc',
    what: 'Passwords of .netrc',
    keywords: ['login'],
    pattern: /login\s{1,20}[^\s"']{1,100}\s{1,20}password\s{1,20}(?<secret>[^\s"']{1,300})/y,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'pgpass',
    what: 'Passwords of .pgpass',
    keywords: [
      ':5432:',
      ':6432:',
      ':5433:',
      ':5439:',
      ':6543:',
      ':3306:',
      ':26257:',
      ':1433:',
      ':1521:',
    ],
    // A mark is no user: `[redacted:assignment]`.
    pattern: /:\d{4,5}:[^:\s"'/[]{1,60}:[^:\s"'/@[]{1,60}:(?<secret>[^\s"':]{3,200})(?=\s|$)/y,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'kubernetes-key',
    what: 'Keys and tokens of a kubeconfig',
    keywords: ['client-key-data', 'id-token', 'refresh-token'],
    pattern:
      /(?:client-key-data|id-token|refresh-token)["']?\s{0,4}:\s{0,4}["']?(?<secret>[\w+/=.-]{20,20000})/y,
    is: isRandom,
  },
  {
    name: 'session-cookie',
    what: 'Sessions in cookies',
    keywords: [
      'connect.sid=',
      'jsessionid=',
      'phpsessid=',
      'sessionid=',
      'laravel_session=',
      '_session=',
      'session=',
      'session_id=',
      'session-token=',
      'auth_token=',
      'asp.net_sessionid=',
      'sid=',
    ],
    pattern:
      /(?:connect\.sid|jsessionid|phpsessid|sessionid|laravel_session|_session|session(?:_id|-token)?|asp\.net_sessionid|sid)=(?<secret>[\w%+/=.:~-]{20,2000})/iy,
    is: (secret) => hasDigit(secret) && !isPlaceholder(secret) && bitsPerCharacter(secret) > 3.2,
  },
];

/** Checks whether a text is not a word of a language or a program: it has a digit, and is mixed or long. */
function isRandom(text: string): boolean {
  const { digits, lowers, uppers } = traitsOf(text);
  // Names of words and versions: `authentication-middleware-v2`.
  if (digits === 0 || (digits < 3 && (lowers === 0 || uppers === 0))) return false;
  return bitsPerCharacter(text, JUDGED) > 2.8 && !isPlaceholder(text);
}

const JUDGED = 200;

/** A port and a path, and the name of a part, are not passwords: `http://localhost:3000/@vite`, `//USER:PASSWORD@HOST`. */
function isPassword(text: string): boolean {
  if (/^(?:\d{1,5}(?:$|[/?#])|[A-Z_]+$)/.test(text)) return false;
  return !isPlaceholder(text);
}

/** More letters are not a beginning of the name of a field. */
const LONGEST_START = 12;
const SEMICOLON = 59;

/** Checks whether a `;` is before the name of a field: `; Password`, `;DB_PWD`. */
function isAfterField(text: string, keyword: number): boolean {
  let at = keyword;
  while (at > 0 && keyword - at < LONGEST_START && isWord(codeAt(text, at - 1))) at--;
  if (at === 0) return false;
  if (codeAt(text, at - 1) === SEMICOLON) return true;
  return at > 1 && codeAt(text, at - 2) === SEMICOLON && /\s/.test(text.charAt(at - 1));
}

function isWord(code: number): boolean {
  const folded = code | 32;
  return (folded >= 97 && folded <= 122) || (code >= 48 && code <= 57) || code === 95;
}

const FIELD = /([^;"'\s<>{}$]{3,200});/y;

function fieldOf(text: string, keyword: number, start: number): Offsets | undefined {
  FIELD.lastIndex = start;
  if (!FIELD.test(text)) return undefined;
  const end = FIELD.lastIndex - 1;
  // A field before it has ended: `Uid=root;`, `User Id=sa; `.
  const isSecret =
    text.slice(Math.max(0, keyword - 200), keyword).includes('=') &&
    !isPlaceholder(text.slice(start, end));
  return isSecret ? [start, end] : undefined;
}

const CLIENTS =
  /\b(?:curl|wget|https?|httpie|xh|hurl|aria2c|ab|siege|hey|svn|git|skopeo|oras|helm|nexus|jfrog|lftp|ldapsearch|smbclient)\b/;

/** Tools that take a user and a password with a percent sign between them. */
const SAMBA =
  /\b(?:smb\w+|rpcclient|nmblookup|wbinfo|ntlm_auth|winexe|wmic|net (?:ads|rpc|rap)|cifsdd|mount\.cifs|samba-tool|pth-\w+)\b[^\n|;]*$/;

/** The beginnings of {@link SAMBA}. */
const samba = new LastBefore(
  /\b(?:smb|rpcclient|nmblookup|wbinfo|ntlm_auth|winexe|wmic|net (?:ads|rpc|rap)|cifsdd|mount\.cifs|samba-tool|pth-)/,
  200,
);

/** User and password, or a key, after an option; no type of PowerShell, `[Convert]::`, and no mark. */
const CREDENTIALS =
  /(["']?)(?![^\s:"'[]{0,4}\[[\w.]{1,60}\]::)(?:(?:[^\s:"'[]|\[(?!redacted:)){0,100}["']?:["']?((?<=["'][^"'\s]{1,101})[^"'\s]{2,200}|[^\s"'|;)]{2,200})\1|([^\s:"'[]{12,400}):?(?=["'\s]|$))/y;

const BEFORE_OPTION = /[\s"'[(,]/;

const clients = new LastBefore(CLIENTS, 200);

function credentialsOf(text: string, _: number, start: number): Offsets | undefined {
  CREDENTIALS.lastIndex = start;
  const match = CREDENTIALS.exec(text);
  if (!match) return undefined;
  const { 0: whole, 2: password, 3: key } = match;
  if (key !== undefined && !isRandom(key)) return undefined;
  const secret = password ?? key ?? '';
  if (isPlaceholder(secret)) return undefined;
  const from = start + whole.lastIndexOf(secret);
  return [from, from + secret.length];
}

function isOptionValue(text: string): boolean {
  return (
    !isPlaceholder(text) && (hasDigit(text) || /[^\w.,:/-]/.test(text)) && !/^[A-Z_]+$/.test(text)
  );
}

const CLIENTS_OF_P =
  /\b(?:(mysql\w*|mariadb\w*)|sshpass|docker login|podman login|htpasswd|mongo\w*|cqlsh|ldap\w+|helm registry login)\b/;

/** The beginnings of {@link CLIENTS_OF_P}. */
const clientsOfP = new LastBefore(
  /\b(?:mysql|mariadb|sshpass|(?:docker|podman|helm registry) login|htpasswd|mongo|cqlsh|ldap)/,
  160,
);

function isShortOption({ input, index, groups, 0: whole }: RegExpExecArray): boolean {
  const client = CLIENTS_OF_P.exec(commandBefore(input, index));
  const secret = groups?.['secret'] ?? '';
  if (!client || isPlaceholder(secret) || isPorts(secret)) return false;
  // After a space the clients of MySQL take the name of a database, and ask for the password.
  return client[1] === undefined || !/^ -p\s/.test(whole);
}
