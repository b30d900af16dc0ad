// A process of its own: `compile-dictionary.js SOURCE PATH` compiles a dictionary and tells its
// parent how far it has come.
import { compileDictionary } from './compile.ts';
import { FORMAT } from './format.ts';
import { writeSections } from './section-file.ts';

const [, , source = '', path = ''] = process.argv;
const sections = compileDictionary(source, (share) => process.send?.(share));
writeSections(path, FORMAT, sections);
process.disconnect?.();
