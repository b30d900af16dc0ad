// Asks a novel questions: an answer with citations, and the passages that it cites, by file and line.
//   npx tsx examples/novel-search/main.ts [PROJECT QUESTION...] [--project-root DIR]
//     [--model openai:gpt-5-mini] [--embeddings ollama:bge-m3] [--base-url URL]
//
// Without --project-root it is the sample, with three questions. Without --model the answer is cut out of the
// passages; without --embeddings words alone are looked for. So it runs without any key.
import { parseArgs } from 'node:util';
import { LLMError } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { RagError, type NovelService, type SearchHit } from '@vizprompt/rag';
import { answerQuestion } from './answer-question.ts';
import { openNovels } from './open-novels.ts';
import { SAMPLE, sampleRoot } from './sample.ts';

const QUESTIONS = [
  '嵐の夜に灯を守ったのは誰？',
  '箱の鍵はどこに埋められていた？',
  '源蔵はミナトの何にあたる？',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'project-root': { type: 'string' },
    model: { type: 'string' },
    embeddings: { type: 'string' },
    'base-url': { type: 'string' },
  },
});

try {
  const registry = createModelRegistry();
  const server = { baseURL: values['base-url'] };
  const model = values.model === undefined ? undefined : registry.model(values.model, server);
  const embeddings =
    values.embeddings === undefined ? undefined : registry.embeddings(values.embeddings, server);
  const root = values['project-root'] ?? (await sampleRoot());
  const [project = SAMPLE, ...questions] = positionals;

  await using novels = await openNovels(root, embeddings);
  for (const question of questions.length > 0 ? questions : QUESTIONS) {
    const { hits, hint = '' } = await novels.search(project, question, { limit: 3 });
    console.log(`\n? ${question}`);
    console.log(hits.length > 0 ? await answerQuestion(question, hits, model) : hint);
    for (const hit of hits) await show(novels, hit);
  }
} catch (error) {
  if (!RagError.isInstance(error) && !LLMError.isInstance(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Prints a passage with its place, and whether the file has it on those lines. */
async function show(novels: NovelService, hit: SearchHit): Promise<void> {
  const { file, start, end } = hit.payload;
  console.log(`- ${file}:${start}-${end} ${hit.headingPath.join(' › ')}`);
  console.log(`  ${hit.snippet.replaceAll(/\s+/g, ' ')}`);
  const area = file.startsWith('settings/') ? 'settings' : 'contents';
  const lines = { file, startLine: start, endLine: end };
  const { files } = await novels.read(hit.novelId, area, lines);
  const isThere = files[0]?.text.includes(hit.content) ?? false;
  console.log(`  ${isThere ? 'The file has it on these lines.' : 'The file has changed since.'}`);
}
