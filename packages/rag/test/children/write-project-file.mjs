// Writes a file of a project again and again, and tells after each time:
// `write-project-file.mjs PROJECT_ROOT`, until it is killed.
import { FileOperationsService } from '@vizprompt/rag';

const files = await FileOperationsService.open({ root: process.argv[2] });
process.send(0);
for (let number = 1; ; number++) {
  const text = `${number}\n${'あ'.repeat(50_000)}\n${number}`;
  await files.writeFile('灯台/settings/a.md', text, { overwrite: true });
  process.send(number);
}
