// Opens a storage where better-sqlite3 was built for another runtime, in Electron if its version is given, and reports
// what it fails with.
import { register } from 'node:module';

const [, , folder, electron] = process.argv;
const versions = { ...process.versions, ...(electron && { electron }) };
Object.defineProperty(process, 'versions', { value: versions });

const unbuilt = `export default class { constructor() { throw new Error("compiled against another one"); } }`;
const hook = `
  export async function resolve(specifier, context, next) {
    if (specifier !== 'better-sqlite3') return next(specifier, context);
    return { url: 'data:text/javascript,${encodeURIComponent(unbuilt)}', shortCircuit: true };
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

process.getBuiltinModule = () => undefined;

const { openStorage } = await import('@vizprompt/providers/node');
const failure = await openStorage(folder).catch(({ code, message }) => ({ code, message }));
process.send(failure);
process.disconnect();
