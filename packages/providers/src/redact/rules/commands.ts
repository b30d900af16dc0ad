import type { RedactionRule } from '../redaction-rule.ts';
import { isPublicName } from './assigned-name.ts';
import { bitsPerCharacter, hasDigit } from './judge.ts';
import { commandBefore, LastBefore } from './text-before.ts';
import { isPlaceholder, isPorts, isStrongValue, isValue } from './placeholder.ts';
import { traitsOf } from './traits.ts';

const VALUE = String.raw`["']?(?<secret>[^\s"'\`<>$[\]{}|;&()-][^\s"'\`<>{}|;]{3,200})`;
const DISTANCE = 160;
const SECRET_NAME = String.raw`[\w.-]{0,40}(?:password|passwd|pwd|pass|secret|token|key)`;

/** Checks what the line of an option begins with. */
function isAfter(commands: RegExp, input: string, index: number): boolean {
  return commands.test(input.slice(Math.max(0, index - DISTANCE), index));
}

/** Creates the rule of an option of certain commands. */
function option(
  what: string,
  keywords: readonly string[],
  source: string,
  commands: string,
  isSecret: (secret: string, command: string) => boolean = isValue,
): RedactionRule {
  const names = new RegExp(`\\b(?:${commands})\\b`);
  const last = new LastBefore(names, DISTANCE);
  return {
    name: 'command-password',
    what,
    keywords,
    pattern: new RegExp(source + VALUE, 'y'),
    mayFollow: (text, keyword) => last.isBefore(text, keyword),
    accepts: ({ input, index, groups }) => {
      const command = commandBefore(input, index);
      return names.test(command) && isSecret(groups?.['secret'] ?? '', command);
    },
  };
}

/** Secrets that command lines and configurations of systems have, which nothing assigns to a name. */
export const commandRules: readonly RedactionRule[] = [
  option(
    'Passwords of archives, accounts and Firebird',
    [' -p', ' -hp'],
    String.raw` -h?[pP] ?`,
    '7z[az]?|zip|unzip|rar|unrar|zipcloak|qpdf|useradd|usermod|az login|isql(?:-fb)?|(?:ps|pa)exec(?:64)?',
    (secret) => isValue(secret) && !isPorts(secret),
  ),
  // Their `-p` is no password, and texts about them publish the ports of containers.
  option(
    'Passwords of SQL Server',
    [' -p'],
    ' -P ?',
    'sqlcmd|bcp|osql',
    (secret) => isValue(secret) && !isPorts(secret),
  ),
  option(
    'Passwords of key stores of Java',
    ['storepass ', 'keypass '],
    String.raw`(?:store|key)pass `,
    'keytool|jarsigner|apksigner|java',
  ),
  option('Keys of networks', ['password '], 'password ', 'nmcli', (secret, command) =>
    WIFI.test(command) ? isValue(secret) : isStrongValue(secret),
  ),
  {
    name: 'command-password',
    what: 'Passwords of net user and wpa_passphrase: a name and a password',
    keywords: ['net user ', 'net1 user ', 'wpa_passphrase '],
    // Not in `.NET user` or `the Internet user`, but after an escaped line break.
    pattern:
      /(?<=^|[^\w.]|\\[nrt])(?:net1? user|wpa_passphrase) ["']?[\w.@$-]{1,60}["']? ["']?(?<secret>[^\s"'`<>$%/*|&-][^\s"'`<>|&]{5,120})/iy,
    accepts: ({ input, index, 0: whole, groups }) => {
      const secret = groups?.['secret'] ?? '';
      if (!isStrongValue(secret)) return false;
      const end = index + whole.length;
      const rest = input.slice(end, end + DISTANCE);
      if (ACCOUNT_OPTION.test(rest)) return true;
      if (NAME_AND_VERSION.test(secret) || QUANTITY.test(secret)) return false;
      const isNamed = NAME_AND_NUMBER.test(secret);
      if (/[!@#$%^&*]/.test(secret) && !isNamed && !ADDRESS.test(secret)) return true;
      if (isNamed && !COMMAND_END.test(rest)) return false;
      return /^wpa/i.test(whole) || isCommandStart(input, index);
    },
  },
  option(
    'Passwords of clients of remote desktops, OpenShift and graphs',
    [' -p'],
    ' -p ?',
    'rdesktop|oc login|cypher-shell|cadaver',
    (secret) => isValue(secret) && /[a-z]/i.test(secret),
  ),
  option('Passwords of FreeRDP', [' /p:'], ' /p:', '[wxs]l?freerdp3?|mstsc'),
  option('Passwords of PuTTY', [' -pw '], ' -pw ', '(?:plink|pscp|psftp|putty|kitty)(?:\\.exe)?'),
  option('Passwords of tasks of Windows', [' /rp '], ' /rp ', 'schtasks(?:\\.exe)?'),
  option(
    'Passwords in the registry',
    [' /d '],
    ' /d ',
    'reg(?:\\.exe)? add',
    (secret, command) =>
      /\/v ["']?\w{0,40}(?:password|passwd|pwd|secret|token|key)["']? /i.test(command) &&
      isValue(secret),
  ),
  {
    name: 'command-password',
    what: 'A password of net use before its user',
    keywords: ['net use '],
    pattern:
      /net use (?:[a-z]:|\*)? ?["']?\\\\[^\s"']{1,100}["']? ["']?(?<secret>[^\s"'`<>$%/*][^\s"'`<>]{3,100})["']? \/user:/iy,
    is: isValue,
  },
  {
    name: 'command-password',
    what: 'A user and a password of htpasswd -b',
    keywords: ['htpasswd -'],
    pattern:
      /htpasswd (?:-\w{1,8} (?:\d{1,2} )?){0,3}-\w{0,6}b\w{0,6} (?:-\w{1,8} (?:\d{1,2} )?){0,3}(?:["']?[/.~$]\S{0,100} )?["']?[\w.@$-]{1,60}["']? ["']?(?<secret>[^\s"'`<>$|&;][^\s"'`<>|&;]{3,100})/y,
    is: (secret) => isValue(secret) && !/^[\w.-]*htpasswd$/.test(secret),
  },
  option('Passwords of net use', ['/user:'], String.raw`\/user:\S{1,60} `, 'net use'),
  {
    name: 'command-password',
    what: 'User and password after several short options of curl: -su user:password',
    keywords: ['curl -'],
    pattern:
      /curl (?:-[\w-]{1,20} ){0,4}-[a-zA-Z]{1,10}[uU] ?["']?[^\s:"']{1,100}:(?<secret>[^\s"'|;)]{2,200})/y,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'command-password',
    what: 'User and password in a configuration of curl',
    // Numbers are ports and groups: `user: "1000:1000"` of Docker Compose has a colon, too.
    keywords: ['user = "', 'user="'],
    pattern:
      /(?<=(?:^|\n)[ \t-]{0,4}(?:proxy-)?)user ?= ?"[^\s:"'/]{1,100}:(?<secret>[^"\n]{4,200})"/y,
    is: (secret) => hasDigit(secret) && !/^\d+$/.test(secret) && !isPlaceholder(secret),
  },
  {
    name: 'command-password',
    what: 'Passwords of clients of Oracle: user/password@database',
    keywords: ['sqlplus ', 'sqlldr ', 'expdp ', 'impdp ', 'rman ', 'sqlcl '],
    pattern:
      /(?:sqlplus|sqlldr|expdp|impdp|rman|sqlcl) (?:(?:-\w{1,10}|target|catalog) ){0,3}["']?(?:userid=)?[\w$#]{1,40}\/["']?(?<secret>[^\s"'@/]{3,100})(?=["']?(?:@|\s|$))/iy,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'command-password',
    what: 'A secret that echo pipes to a command',
    keywords: ['echo ', 'printf '],
    pattern:
      /(?:echo|printf)(?: -\w{1,3}| ["']?%s["']?){0,2} ["']?(?<secret>[^\s"'`<>$|][^\s"'`<>|]{5,400})["']? ?\| ?(?=\S)/iy,
    accepts: ({ input, index, 0: whole, groups }) => {
      const end = index + whole.length;
      return isValue(groups?.['secret'] ?? '') && READERS.test(input.slice(end, end + DISTANCE));
    },
  },
  {
    name: 'command-password',
    what: 'A secret that a shell gives a command as its input: <<<',
    keywords: ['<<<'],
    pattern: /<<< ?["']?(?<secret>[^\s"'`<>$(|][^\s"'`<>|]{5,400})/y,
    accepts: ({ input, index, groups }) => {
      const secret = groups?.['secret'] ?? '';
      if (isAfter(READER, input, index)) return isValue(secret);
      return isStrongValue(secret) && isAfter(READER_BY_NAME, input, index);
    },
  },
  {
    name: 'command-password',
    what: 'Secrets that are put into a store of secrets',
    keywords: [
      'secret set ',
      'secrets set ',
      'secret put ',
      'put-parameter ',
      '--secret-string',
      'config set --secret ',
    ],
    pattern:
      /(?:(?:secrets? (?:set|put)|put-parameter) [\w./@ =-]{0,80}?(?:--(?:body|value)[ =]|-b ?)|(?:secrets set|config set --secret) [\w:.-]{1,60} |--secret-string[ =])["']?(?<secret>[^\s"'`<>${}][^\s"'`<>]{5,400})/iy,
    is: (secret) => isValue(secret) && hasDigit(secret),
  },
  {
    name: 'command-password',
    what: 'Commands of workflows that mask a value, or set a variable: GitHub, Azure DevOps',
    keywords: [
      '::add-mask::',
      '::set-output ',
      '::set-env ',
      'task.setvariable ',
      'task.setsecret',
    ],
    pattern: new RegExp(
      String.raw`(?:::add-mask::|::set-(?:output|env) name=${SECRET_NAME}::|task\.set(?:secret|variable (?=[^\]\n]{0,80}issecret=true)[^\]\n]{1,120}|variable variable=${SECRET_NAME}[^\]\n]{0,80})\])(?<secret>[^\s"'\`<>$][^\s"'\`<>]{4,400})`,
      'iy',
    ),
    accepts: ({ 0: whole, groups }) =>
      isValue(groups?.['secret'] ?? '') &&
      !isPublicName(/(?:name|variable)=([\w.-]{1,60})/i.exec(whole)?.[1] ?? ''),
  },
  {
    name: 'command-password',
    what: 'User and password for chpasswd',
    keywords: ['echo '],
    pattern:
      /echo ["']?[\w.-]{1,40}:(?<secret>[^\s"'`<>$|][^\s"'`<>|]{3,200})["']? \| (?:sudo )?chpasswd/iy,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'assignment',
    what: 'Literals of secrets in Kubernetes, whatever their names',
    keywords: ['from-literal='],
    pattern: /from-literal=["']?[\w.-]{1,60}=["']?(?<secret>[^\s"'`$<>]{12,400})/iy,
    is: (secret) => isLong(secret) && !isPlaceholder(secret),
  },
  {
    name: 'wifi-password',
    what: 'Keys of networks in configurations',
    keywords: ['psk', 'wpa_passphrase'],
    pattern:
      /(?<![a-z])(?:psk|wpa_passphrase)["']?\s{0,4}[=:]\s{0,4}["']?(?<secret>[^\s"'`<>${}]{8,64})(?=["'\s,]|$)/iy,
    is: isValue,
  },
  {
    name: 'device-password',
    what: 'Passwords and communities in configurations of routers and switches',
    keywords: ['password ', 'secret ', 'key-string ', 'community '],
    pattern:
      /(?:(?<=(?:username|enable|line|neighbor|user|server)\b[^\n]{0,60})(?:password|secret) [05789] |key-string (?:7 )?|(?<=snmp-server )community )(?<secret>[^\s"'`<>]{4,200})(?=\s|$)/y,
    is: (secret) => hasDigit(secret) && !isPlaceholder(secret),
  },
  {
    name: 'directory-password',
    what: 'Passwords of LDAP and of databases of lines: a word and a value',
    keywords: ['bindpw ', 'rootpw ', 'binddn_pw ', 'userpassword: ', 'ldap_default_authtok'],
    pattern:
      /(?:bindpw|rootpw|binddn_pw|userpassword:|ldap_default_authtok ?=)\s{1,4}["']?(?<secret>[^\s"'`<>$]{4,300})/iy,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'password-hash',
    what: 'Hashes of passwords: crypt, bcrypt, Argon2, scrypt, PBKDF2 of Django, LDAP',
    keywords: [
      '$1$',
      '$2a$',
      '$2b$',
      '$2y$',
      '$5$',
      '$6$',
      '$y$',
      '$7$',
      '$apr1$',
      '$argon2',
      '$scrypt$',
      'pbkdf2_sha',
      '{ssha',
    ],
    pattern:
      /(?:\$2[aby]\$\d{2}\$[./A-Za-z0-9]{53}|\$(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|\$(?:y|7)\$[./A-Za-z0-9]{2,10}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|\$argon2(?:id|i|d)\$v=\d{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,172}|\$scrypt\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,172}|pbkdf2_sha(?:1|256|512)\$\d{1,8}\$[A-Za-z0-9]{4,40}\$[A-Za-z0-9+/=]{20,100}|\{SSHA(?:256|512)?\}[A-Za-z0-9+/=]{28,140})/iy,
    is: (secret) => traitsOf(secret).distinct > 12 && bitsPerCharacter(secret) > 3,
  },
  {
    name: 'aws-secret',
    what: 'AWS secret access key after the id of the key',
    keywords: ['akia', 'asia'],
    pattern: /(?:AKIA|ASIA)[A-Z2-7]{16}["'`]?[\s,:;|/]{1,6}["'`]?(?<secret>[\w/+]{40})(?![\w/+=])/y,
    is: (secret) => hasDigit(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret),
  },
  {
    name: 'form-password',
    what: 'Passwords of forms in parts',
    keywords: ['form-data; name="'],
    pattern:
      /form-data; name="[\w.-]{0,30}(?:password|passwd|pwd|pass|secret|token|api_?key)"\s{2,4}(?<secret>[^\s"<>]{4,400})/iy,
    is: (secret) => !isPlaceholder(secret),
  },
];

/** A command of NetworkManager that connects to a network or opens one, abbreviated as it may be. */
const WIFI =
  /\bnmcli (?:--?[\w-]{1,20}(?:[ =][\w,]{1,20})? ){0,4}de?v?i?c?e? wi?f?i? (?:co?n{0,2}e?c?t?|ho?t?s?p?o?t?)\b/;

/** The beginning of a line whose command reads a secret; `passwd` and its kin with options and names only. */
const READER =
  /(?:(?:--(?:password|token|secret|passphrase)-stdin|--with-token|--data-file|sudo -S|passwd --stdin|passphrase-fd)\b[^\n]*|passwd(?: -[\w-]{1,20}){0,4}(?: [\w"'$@{}./\\][\w"'$@{}./\\-]{0,40}){0,2}\s{0,4})$/i;
/** Code and sentences have these words, too. */
const READER_BY_NAME = /(?:passwd|\blogin)\b[^\n]*$/i;

const READERS =
  /^[^\n]*(?:--(?:password|token|secret|passphrase)-stdin|--with-token|--stdin|sudo -S|passwd|env add|secrets? (?:put|set|create|add|versions add)|variable set|login|gpg|--passphrase-fd|openssl|argon2|htpasswd|bcrypt|base64|read -s|vault (?:kv|write)|secrets-store)/i;

/** Options of `net user` after the password. */
const ACCOUNT_OPTION =
  /^["']?(?: [^\n|&;]{0,100})? \/(?:add|domain|active|comment|countrycode|expires|fullname|homedir|passwordchg|passwordreq|profilepath|scriptpath|times|usercomment|workstations|y)\b/i;
const NAME_AND_VERSION = /^[A-Za-z][A-Za-z._-]*@?\d+(?:\.\d+)+\W?$/;
const QUANTITY = /^\d+[.,]\d+[A-Za-z]{1,4}[.,]?$/;
const NAME_AND_NUMBER = /^[A-Za-z][A-Za-z._-]*\d+[.,:?)]?$/;
const ADDRESS = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const COMMAND_END = /^["'`]?[ \t]{0,8}(?:["'`)&|;#]|\d?>|\\[nrt]|[\r\n]|$)/;

/** The start of a line, signs of shells, of lists and of sentences, and commands that run another. */
const COMMAND_START =
  /(?<=(?:^[ \t]{0,8}[-+*]?|["'`>$#&;|(){}@:.!=\]\u0080-\uffff]|\\[nrt]?|\b(?:sudo|run|call|exec|start|do)|\/[ck]|[ \t]-c(?:ommand)?|\b(?:ssh|psexec)[^\n]{0,60}[ \t])[ \t]{0,8})/imy;

/** Checks whether a place is where a line, or a shell, has a command. */
function isCommandStart(input: string, index: number): boolean {
  COMMAND_START.lastIndex = index;
  return COMMAND_START.test(input);
}

function isLong(text: string): boolean {
  const { digits, lowers, uppers, distinct } = traitsOf(text);
  return digits >= 2 && lowers + uppers >= 2 && distinct >= 7;
}
