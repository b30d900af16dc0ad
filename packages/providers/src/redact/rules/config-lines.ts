import type { RedactionRule } from '../redaction-rule.ts';
import { hasDigit, isNumbered, isNameOfWords } from './judge.ts';
import { isPlaceholder, isStrongValue, isValue } from './placeholder.ts';
import { LastBefore } from './text-before.ts';
import { traitsOf } from './traits.ts';

/** How names end that hold secrets. */
const SECRET_NAME =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api_?key|_key|_auth)\d{0,2}$/i;
const WORDS = 'password|passwd|passphrase|pass|secret';
/** The beginning of a line of a configuration. */
const LINE = String.raw`(?<=(?:^|\n)[+> \t-]{0,16})`;

/** A password that Terraform made is far before its result in a state. */
const LONGEST_RESOURCE = 1200;
const randomPasswords = new LastBefore(/"random_password"/, LONGEST_RESOURCE);

/** Secrets in lines of configurations that have a word and a value, or say by their place what they are. */
export const configLineRules: readonly RedactionRule[] = [
  {
    name: 'assignment',
    what: 'A word and a value in quotes that are all of a line: Gradle, nginx, fetchmail',
    keywords: WORDS.split('|').map((word) => `${word} `),
    pattern: new RegExp(
      String.raw`${LINE}(?:${WORDS}) {1,8}["'](?<secret>[^"'\s]{5,200})["'];?(?=\s{0,8}(?:\n|$))`,
      'iy',
    ),
    is: isValue,
  },
  {
    name: 'assignment',
    what: 'A word and a value that are all of a line: .netrc, msmtp, isync',
    keywords: WORDS.split('|').map((word) => `${word} `),
    pattern: new RegExp(
      String.raw`${LINE}(?:${WORDS}) {1,8}(?<secret>[^\s"'<>]{6,200})(?=[ \t\r]{0,8}(?:\n|$))`,
      'iy',
    ),
    is: isStrongValue,
  },
  {
    name: 'assignment',
    what: 'Passwords in a state of Terraform: random_password',
    keywords: ['"result":'],
    pattern: /"result":\s{0,4}"(?<secret>[^"\s]{6,200})"/y,
    mayFollow: (text, keyword) => randomPasswords.isBefore(text, keyword),
    accepts: ({ input, index, groups }) => {
      const resource = input.slice(Math.max(0, index - LONGEST_RESOURCE), index);
      const type = resource.slice(resource.lastIndexOf('"type":'));
      const secret = groups?.['secret'] ?? '';
      return (
        /^"type":\s{0,2}"random_password"/.test(type) &&
        !isPlaceholder(secret) &&
        // No result of something else: `"result": "completed"`.
        (hasDigit(secret) || (secret.length >= 8 && !isNameOfWords(secret)))
      );
    },
  },
  {
    name: 'netrc',
    what: 'Passwords of .netrc after a machine or an account',
    keywords: ['machine ', 'account '],
    pattern:
      /(?:machine\s{1,20}(?<host>[^\s"']{1,100})\s{1,20}(?:account\s{1,20}[^\s"']{1,100}\s{1,20})?|(?<=login\s{1,20}[^\s"']{1,100}\s{1,20})account\s{1,20}[^\s"']{1,100}\s{1,20})password\s{1,20}(?<secret>[^\s"']{4,300})/y,
    accepts: isOfMachine,
  },
  {
    name: 'assignment',
    what: 'A value before its name: value: x, name: DB_PASSWORD',
    keywords: ['value: ', '"value":'],
    pattern:
      /value["']?:\s{0,4}["']?(?<secret>[^\s"',}]{6,400})["']?,?\s{0,16}["']?(?:name|key)["']?:\s{0,4}["']?[\w.-]{1,60}/iy,
    accepts: ({ 0: whole, groups }) => {
      const secret = groups?.['secret'] ?? '';
      return SECRET_NAME.test(whole) && isValue(secret) && !DATE.test(secret);
    },
  },
  {
    name: 'assignment',
    what: 'The new value of a change: password = "..." -> "..."',
    keywords: ['" -> "'],
    pattern: new RegExp(
      String.raw`(?<=(?:${WORDS}|token|api_key|secret_key|access_key)\s{0,40}[=:]\s{1,4}"[^"\n]{0,200})" -> "(?<secret>[^"\s]{4,400})"`,
      'iy',
    ),
    is: isValue,
  },
  {
    name: 'assignment',
    what: 'Variables of PowerShell that Set-Item and New-Item set',
    keywords: ['env:'],
    pattern:
      /(?<=(?:Set|New)-Item (?:-Path )?["']?)env:\\?(?<name>[\w.-]{2,60})["']? (?:-Value )?["']?(?<secret>[^\s"'<>$][^\s"'<>]{4,400})/iy,
    accepts: ({ groups }) =>
      SECRET_NAME.test(groups?.['name'] ?? '') && isValue(groups?.['secret'] ?? ''),
  },
  {
    name: 'assignment',
    what: 'Tokens of Composer by the host that they are for',
    keywords: ['github-oauth', 'gitlab-token', 'gitlab-oauth', '"bearer"'],
    pattern:
      /(?:github-oauth|gitlab-token|gitlab-oauth|"bearer)"\s{0,4}:\s{0,4}\{\s{0,20}"[\w.:-]{1,100}"\s{0,4}:\s{0,4}"(?<secret>[\w.~+/=-]{16,400})"/iy,
    is: hasDigit,
  },
  {
    name: 'assignment',
    what: 'Keys of IPsec: PSK "..."',
    keywords: [': psk ', ': eap ', ': xauth '],
    // Without quotes they are hex or Base64.
    pattern:
      /: (?:PSK|EAP|XAUTH) (?:["'](?<secret>[^\s"'<>]{6,200})["']|(?<bare>0(?:x[\da-f]{6,200}|s[\w+/=]{6,200})))/iy,
    is: isValue,
  },
  {
    name: 'private-key',
    what: 'Static keys of OpenVPN',
    keywords: ['-----begin openvpn'],
    pattern:
      /-----BEGIN OpenVPN Static key V\d-----\s{1,4}(?<secret>(?:[\s>|+#-]{0,8}[\da-f]{32}\s{1,4}){1,32})/iy,
  },
  {
    name: 'assignment',
    what: 'User and password in a configuration of OpenVPN',
    keywords: ['<auth-user-pass>'],
    pattern:
      /<auth-user-pass>\s{1,4}[^\s<>]{1,100}[ \t]{0,4}\r?\n[ \t]{0,8}(?<secret>[^\s<>]{4,200})/iy,
    is: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'assignment',
    what: 'Credentials of Bundler: BUNDLE_HOST: user:password',
    keywords: ['bundle_'],
    pattern:
      /BUNDLE_[A-Z\d_]{3,80}["']?\s{0,4}[:=]\s{0,4}["']?[\w.@%+-]{1,80}:(?<secret>[^\s"'/<>$][^\s"'<>]{5,200})/y,
    is: isStrongValue,
  },
  {
    name: 'session-cookie',
    what: 'Cookies of a jar of Netscape, as curl and wget keep them',
    keywords: ['\ttrue\t/', '\tfalse\t/'],
    pattern:
      /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,100}\t(?:TRUE|FALSE)\t\d{1,14}\t[^\t\n]{1,80}\t(?<secret>[^\s]{16,4000})/iy,
    is: isSession,
  },
  {
    name: 'session-cookie',
    what: 'Cookies as objects: HAR, Puppeteer, Playwright',
    keywords: [
      '"sessionid"',
      '"session"',
      '"session_id"',
      '"sid"',
      '"connect.sid"',
      '"phpsessid"',
      '"jsessionid"',
      '"user_session"',
      '"laravel_session"',
    ],
    pattern:
      /"(?:(?:user_|laravel_)?session(?:_?id)?|sid|connect\.sid|phpsessid|jsessionid)"\s{0,4},\s{0,20}"value"\s{0,4}:\s{0,4}"(?<secret>[^"\s]{16,4000})"/iy,
    is: isSession,
  },
  {
    name: 'session-cookie',
    what: 'Sessions of ASP.NET, WordPress and of users who stay signed in',
    keywords: [
      '.aspnetcore.',
      '.aspxauth=',
      '.aspnet.applicationcookie=',
      'wordpress_logged_in_',
      'wordpress_sec_',
      'remember_token=',
      'remember_web_',
      'remember_me=',
    ],
    pattern:
      /(?:\.AspNetCore\.[\w.-]{1,60}|\.ASPXAUTH|\.AspNet\.ApplicationCookie|wordpress_(?:logged_in|sec)_[\da-f]{32}|remember_(?:me|token|web_[\da-f]{1,64}))=(?<secret>[\w%+/=.:|~-]{20,4000})/iy,
    is: isSession,
  },
  {
    name: 'url-token',
    what: 'Keys in the query of an address by other names',
    keywords: ['?auth=', '&auth=', '?ticket=', '&ticket=', '?sid=', '&sid=', '?hash=', '&hash='],
    pattern: /[?&](?:auth|ticket|sid|hash)=(?<secret>[\w.~%-]{24,400})/iy,
    is: (secret) => traitsOf(secret).uppers > 1 && isStrongValue(secret),
  },
];

/** Dates, times and numbers with a fraction. */
const DATE = /^\d+[.:/TZ+-][\d.:/TZ+-]*$/;

/** Checks for a password of a host or an account of .netrc; sentences have `machine NAME password`, too. */
function isOfMachine({ input, index, groups, 0: whole }: RegExpExecArray): boolean {
  const { host, secret = '' } = groups ?? {};
  if (!isValue(secret)) return false;
  if (host === undefined || /[.:]|^localhost$/i.test(host)) return true;
  const end = index + whole.length;
  if (!isStrongValue(secret)) return false;
  const rest = input.slice(end, end + 20);
  return (
    LINE_END.test(rest) ||
    (AFTER_PASSWORD.test(rest) && !isNumbered(secret) && !isNameOfWords(secret))
  );
}

const LINE_END = /^["']?[ \t\r]{0,8}(?:\n|$)/;
/** A comment, and what else an entry of .netrc has. */
const AFTER_PASSWORD = /^["']?[ \t]{1,8}(?:#|(?:login|account|macdef) )/;

/** Checks for random characters: a session is no word and no number. */
function isSession(text: string): boolean {
  const { digits, lowers, uppers, distinct } = traitsOf(text);
  return digits > 2 && lowers + uppers > 3 && distinct >= 10 && !isPlaceholder(text);
}
