// A process of its own: `vizprompt-rag-compiler.js SOURCE PATH` compiles a dictionary and reports its progress, or its
// error, to the parent process.
import { messageOf } from '@vizprompt/providers';
import { compileDictionary } from './compile.ts';
import { writeDictionary } from './dictionary-file.ts';

const [, , source = '', path = ''] = process.argv;
try {
  const tables = compileDictionary(source, (share) => process.send?.(share));
  writeDictionary(path, tables);
} catch (error) {
  process.stderr.write(messageOf(error));
  process.exitCode = 1;
}
process.disconnect?.();
