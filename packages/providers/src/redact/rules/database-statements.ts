import type { RedactionRule } from '../redaction-rule.ts';
import { hasDigit, isJoinedWords, isNumbered, isNameOfWords } from './judge.ts';
import { isStrongValue, isValue } from './placeholder.ts';

const QUOTED = String.raw`N?["'](?<secret>[^"'\s]{4,200})["']`;
/** An argument of a call: a text between quotes, or a variable. */
const ARGUMENT = String.raw`(?:["'][^"'\n]{0,200}["']|[\w$.>-]{1,60})\s{0,2},\s{0,4}`;

/** Secrets in statements of databases, and in calls that connect to one, which nothing assigns to a name. */
export const databaseRules: readonly RedactionRule[] = [
  {
    name: 'sql-password',
    what: 'Passwords of Oracle without quotes',
    keywords: ['identified by '],
    pattern:
      /(?<=(?:user|role)\s{1,4}["\w$#.]{1,60}\s{1,4})identified by (?<secret>[^\s"';,()]{4,100})/iy,
    is: isValue,
  },
  {
    name: 'sql-password',
    what: 'Passwords of MySQL in a call: = PASSWORD(...)',
    keywords: ["password('", 'password("'],
    pattern: new RegExp(String.raw`(?<==\s{0,2}(?:OLD_)?)password\(${QUOTED}`, 'iy'),
    is: isValue,
  },
  {
    name: 'sql-password',
    what: 'Passwords that procedures of SQL Server take last',
    keywords: ['sp_addlogin', 'sp_addlinkedsrvlogin', 'sp_password'],
    pattern: new RegExp(
      String.raw`sp_(?:addlogin|addlinkedsrvlogin|password)\b[^\n;]{0,200},\s{0,4}(?:@\w{1,30}\s?=\s?)?${QUOTED}`,
      'iy',
    ),
    is: isValue,
  },
  {
    name: 'sql-password',
    what: 'The old password of Neo4j',
    keywords: ['password from '],
    pattern: new RegExp(`password from ${QUOTED}`, 'iy'),
    is: isValue,
  },
  {
    name: 'sql-password',
    what: 'The new password of Neo4j',
    keywords: ["' to ", '" to '],
    pattern: new RegExp(
      String.raw`(?<=set password from ["'][^"'\n]{1,100})["'] to ${QUOTED}`,
      'iy',
    ),
    is: isValue,
  },
  {
    name: 'sql-password',
    what: 'Keys of functions that encrypt',
    keywords: ['pgp_sym_', 'aes_encrypt(', 'aes_decrypt('],
    pattern: new RegExp(
      String.raw`(?:pgp_sym_(?:en|de)crypt(?:_bytea)?|aes_(?:en|de)crypt)\([^\n]{1,200}?,\s{0,2}${QUOTED}`,
      'iy',
    ),
    is: (secret) => isValue(secret) && hasDigit(secret),
  },
  {
    name: 'sql-password',
    what: 'Users of Redis: user alice on >password',
    keywords: [' on >'],
    // Sentences have `user clicked on >`: another rule of the user must follow.
    pattern:
      /(?:(?<=\bsetuser [\w-]{1,60})|(?<=\buser [\w-]{1,60})(?= on >\S{4,200} (?:[~&%>]\S|[+-]@?[a-z]|(?:all|no|reset|sanitize|skip)[a-z-]{2,16}(?:\s|$)))) on >(?<secret>[^\s"'<>]{4,200})/iy,
    is: isValue,
  },
  {
    name: 'sql-password',
    what: 'A user of Redis that is all of a line',
    keywords: [' on >'],
    pattern: /(?<=(?:^|\n)user [\w-]{1,60}) on >(?<secret>[^\s"'<>]{8,200})(?=\s|$)/iy,
    is: isRandomValue,
  },
  {
    name: 'sql-password',
    what: 'The command AUTH of Redis',
    keywords: ['auth '],
    pattern:
      /(?<=^|[\n>"'] ?)auth (?:[\w-]{1,60} )?["']?(?<secret>[^\s"'<>]{6,200})["']?(?=[ \t\r]{0,8}(?:\n|$))/iy,
    // No modules of PAM and names with a number: `auth required pam_Unix2.so`, `Auth OAuth2`.
    is: (secret) => isStrongValue(secret) && !/\.so$|^[A-Za-z]+\d$/.test(secret),
  },
  {
    name: 'sql-password',
    what: 'The command AUTH of Redis before a comment or another command',
    keywords: ['auth '],
    pattern:
      /(?<=^|[\n>"'] ?)auth (?:[\w-]{1,60} )?["']?(?<secret>[^\s"'<>]{6,200})["']?(?= {1,4}#|; )/iy,
    is: (secret) => isRandomValue(secret) && !secret.endsWith('.so'),
  },
  {
    name: 'call-password',
    what: 'Calls that connect to a database: user, password',
    keywords: [
      'getconnection(',
      'new pdo(',
      'mysqli(',
      '_connect(',
      'ldap_bind(',
      'auth_password(',
      'ftp_login(',
      'imap_open(',
      'createdatasource(',
      'plainauth(',
      'new sequelize(',
      '->connect(',
    ],
    pattern: new RegExp(
      String.raw`(?:getConnection|new pdo|mysqli|_connect|ldap_bind|auth_password|ftp_login|imap_open|createDataSource|plainAuth|new sequelize|(?<=mysqli?\w{0,8}|db)->connect)\(\s{0,4}(?:${ARGUMENT}){2}${QUOTED}`,
      'iy',
    ),
    is: isCallValue,
  },
  {
    name: 'call-password',
    what: 'Calls that take a user and a password first',
    keywords: ['.login(', '.auth(', '.authenticate(', '.basic_auth(', '.signin('],
    pattern: new RegExp(
      String.raw`\.(?:login|auth|authenticate|basic_auth|signIn)\(\s{0,4}["'][^"'\n]{1,100}["']\s{0,2},\s{0,4}(?:Some\()?${QUOTED}`,
      'iy',
    ),
    is: (secret) => isStrongValue(secret) && isCallValue(secret),
  },
];

/** A value that is no name of words and numbers: `Module2Beta`. */
function isRandomValue(text: string): boolean {
  return isStrongValue(text) && !isNumbered(text) && !isJoinedWords(text) && !isNameOfWords(text);
}

/** A value that is no address, path or name of a database. */
function isCallValue(text: string): boolean {
  return isValue(text) && !/^[\w.+-]+@[\w.-]+$|:\/\/|^[./~]/.test(text);
}
