// Writes a file of a project again and again, and reports each time:
// `write-project-file.mjs PROJECT_ROOT`, until it is killed.
import { loadRagConfig, NovelService } from '@vizprompt/rag';

const config = await loadRagConfig({ projectRoot: process.argv[2] });
const novels = await NovelService.open({ config });
process.send(0);
for (let number = 1; ; number++) {
  const text = `${number}\n${'あ'.repeat(50_000)}\n${number}`;
  await novels.add('灯台', 'settings', 'a.md', text, { overwrite: true });
  process.send(number);
}
