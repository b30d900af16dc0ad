// Opens storages where no library for SQLite can be used, and reports what it fails with.
import { register } from 'node:module';

const hook = `
  export async function resolve(specifier, context, next) {
    if (specifier !== 'better-sqlite3') return next(specifier, context);
    const error = new Error("Cannot find package 'better-sqlite3' imported from " + context.parentURL);
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

process.getBuiltinModule = () => undefined;

const { StorageError } = await import('@vizprompt/providers');
const { localFileStore, openStorage } = await import('@vizprompt/providers/node');
const [, , folder] = process.argv;
const failureOf = async (work) => {
  const error = await work.then(
    () => new Error('it succeeded'),
    (failure) => failure,
  );
  return {
    isStorageError: StorageError.isInstance(error),
    code: error.code,
    message: error.message,
  };
};
const storage = await failureOf(openStorage(folder));
const files = await failureOf(localFileStore(folder));
process.send({ storage, files });
process.disconnect();
