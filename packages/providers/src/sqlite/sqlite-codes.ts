/**
 * The result codes of SQLite by their numbers. The extended ones follow each in the order of theirs: the third of
 * code 19 is 19 + 3 * 256.
 *
 * Source: https://www.sqlite.org/rescode.html.
 */
const CODES: Readonly<Record<number, string>> = {
  1: 'ERROR MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE',
  2: 'INTERNAL',
  3: 'PERM',
  4: 'ABORT - ROLLBACK',
  5: 'BUSY RECOVERY SNAPSHOT TIMEOUT',
  6: 'LOCKED SHAREDCACHE VTAB',
  7: 'NOMEM',
  8: 'READONLY RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY',
  9: 'INTERRUPT',
  10:
    'IOERR READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS ' +
    'CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH ' +
    'CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE',
  11: 'CORRUPT VTAB SEQUENCE INDEX',
  12: 'NOTFOUND',
  13: 'FULL',
  14: 'CANTOPEN NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK',
  15: 'PROTOCOL',
  16: 'EMPTY',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE',
  20: 'MISMATCH',
  21: 'MISUSE',
  22: 'NOLFS',
  23: 'AUTH USER',
  24: 'FORMAT',
  25: 'RANGE',
  26: 'NOTADB',
  27: 'NOTICE RECOVER_WAL RECOVER_ROLLBACK RBU',
  28: 'WARNING AUTOINDEX',
};

/** Returns the name of a result code, such as `SQLITE_CONSTRAINT_UNIQUE` for 2067. */
export function sqliteCodeName(number: number): string {
  const [name, ...extended] = (CODES[number & 0xff] ?? 'ERROR').split(' ');
  const more = number > 0xff ? extended[(number >> 8) - 1] : undefined;
  return more === undefined || more === '-' ? `SQLITE_${name}` : `SQLITE_${name}_${more}`;
}
