// A process of its own: `compile-dictionary.js SOURCE PATH` compiles a dictionary and tells its
// parent how far it has come.
import { compileDictionary } from './compile.ts';
import { writeDictionary } from './dictionary-file.ts';

const [, , source = '', path = ''] = process.argv;
const tables = compileDictionary(source, (share) => process.send?.(share));
writeDictionary(path, tables);
process.disconnect?.();
