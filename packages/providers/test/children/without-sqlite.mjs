// Opens storages where better-sqlite3 is not installed, and reports what it fails with.
import { register } from 'node:module';

const hook = `
  export async function resolve(specifier, context, next) {
    if (specifier !== 'better-sqlite3') return next(specifier, context);
    const error = new Error("Cannot find package 'better-sqlite3' imported from " + context.parentURL);
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { PeerError } = await import('@vizprompt/providers');
const { localFileStore, openStorage } = await import('@vizprompt/providers/node');
const [, , folder] = process.argv;
const failureOf = async (work) => {
  const error = await work.then(
    () => new Error('it succeeded'),
    (failure) => failure,
  );
  return { isPeerError: PeerError.isInstance(error), message: error.message };
};
const storage = await failureOf(openStorage(folder));
const files = await failureOf(localFileStore(folder));
process.send({ storage, files });
process.disconnect();
