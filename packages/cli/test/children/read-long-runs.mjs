// Reads texts that are a run of one character, and reports what fails otherwise than by an error with a code.
// Words: how many characters, which, and the name of the only reader, or none for all.
import { createTokenEstimator, redact } from '@vizprompt/providers';
import { Eraser, guessLanguage, withForgedLinesQuoted } from '@vizprompt/providers/internal';
import { wordAnalyzer } from '@vizprompt/providers/text';
import { AutoChunkingStrategy, bigramAnalyzer, MarkdownChunkingStrategy } from '@vizprompt/rag';
import { shownOutput, withoutMedia } from '../../../memory/src/capture/media.ts';
import { asksMemory, movedOutput } from '../../../memory/src/capture/tool-output.ts';
import { readErrorBody } from '../../../providers/src/adapter-kit/error-body.ts';
import { explainFailure } from '../../../providers/src/adapter-kit/explain.ts';
import { setApart, withNames } from '../../../providers/src/adapter-kit/stream-body.ts';
import { readToolInput } from '../../../providers/src/adapter-kit/repair-json.ts';
import { parseJsonText } from '../../../providers/src/config/json-text.ts';
import { valuesIn } from '../../../providers/src/generate/generate-object.ts';
import { termsText } from '../../../providers/src/text/segments/row-terms.ts';
import { parsePatch } from '../../../providers/src/transcripts/changes/patch.ts';
import { wholeTexts } from '../../../providers/src/transcripts/changes/whole-texts.ts';
import { toNormalText } from '../../../rag/src/analyze/normal-text.ts';
import { repairXml } from '../../../rag/src/books/read-xml.ts';
import { isBlank, withoutNamePrefix } from '../../../talktable/src/words.ts';
import { findList } from '../../../vizprompt-core/src/build/find-list.ts';
import { readDigest } from '../../../vizprompt-core/src/build/summarize-by-model.ts';
import { proseOf, sentencesOf } from '../../../vizprompt-core/src/build/sentences.ts';
import { summarize } from '../../../vizprompt-core/src/build/summarize-offline.ts';
import { requestedInText } from '../../../vizprompt-core/src/chat/ask-model.ts';
import { mendNodeText } from '../../../vizprompt-core/src/doctor/mend-node-text.ts';
import { mendedYamlTexts } from '../../../vizprompt-core/src/doctor/rebuild-flow-yaml.ts';
import { closeBlocks, quote } from '../../../vizprompt-core/src/export/markdown.ts';
import { readCsv } from '../../../vizprompt-core/src/import/csv.ts';
import { plainOf } from '../../../vizprompt-core/src/import/content.ts';
import { dataInPage } from '../../../vizprompt-core/src/import/pages.ts';
import { parseLoosely } from '../../../vizprompt-core/src/import/read-source.ts';
import { readPlainText } from '../../../vizprompt-core/src/import/plain-text.ts';
import { splitTranscript } from '../../../vizprompt-core/src/import/plain-rows.ts';
import { guardXml, parseXml } from '../../../vizprompt-core/src/node/parse-xml.ts';
import { folded } from '../../../workflow/src/aggregate/answer.ts';
import { blankComments } from '../../../workflow/src/load/read-source.ts';

const analyzer = wordAnalyzer();
/** More than files of settings have, where each character has an escape. */
const IN_SETTINGS = 2_097_152;
const limits = { maxWords: 50, maxTokens: 200 };
const document = (text) => ({ novelId: 'n', filePath: 'a.md', text });

/** The readers of texts from elsewhere, by what they read. */
const READERS = {
  redact: (text) => redact(text, { entropy: 4.5 }),
  tokens: (text) => createTokenEstimator().count(text),
  language: guessLanguage,
  'forged lines': withForgedLinesQuoted,
  terms: (text) => analyzer.terms(text),
  'terms of rows': (text) => termsText({ fields: { text: 1 }, analyzer }, { id: 'a', text }, []),
  'a failed response': readErrorBody,
  'a message of an error': (text) => explainFailure(new Error(text), { text }),
  'events of a server': (text) => [setApart(Buffer.from(text), true), withNames(Buffer.from(text))],
  'input of a tool': (text) => readToolInput(`{"a": ${text} 1}`),
  'a string of settings': (text) =>
    parseJsonText(JSON.stringify({ a: text.slice(0, IN_SETTINGS) })),
  'an answer in JSON': valuesIn,
  'an erased text': (text) => new Eraser('Aki').learn(text),
  'a patch': (text) => parsePatch(`*** Begin Patch\n*** Add File: ${text}\n*** End Patch`),
  'a diff': (text) => wholeTexts(`@@ -1 +1 @@\n${text}`),
  pictures: (text) => withoutMedia({ data: `data:image/png;base64,${text}`, type: 'base64' }),
  'output of a tool': (text) => [shownOutput(text), movedOutput(text), asksMemory('Bash', text)],
  'normal text of a novel': (text) => toNormalText(text),
  'pairs of characters': (text) => bigramAnalyzer().words(text),
  'a page of a book': (text) => repairXml(`<p ${text}>`, 10),
  'chunks of Markdown': (text) => new MarkdownChunkingStrategy().chunk(document(text)),
  'chunks of any text': (text) => new AutoChunkingStrategy().chunk(document(text)),
  'a name before an answer': (text) => withoutNamePrefix(text, 'Aki'),
  'a blank answer': isBlank,
  'a list in an answer': findList,
  'a digest': readDigest,
  sentences: (text) => sentencesOf(proseOf(text)),
  'a summary': (text) => summarize(text, text, limits),
  'requests for details': requestedInText,
  'a damaged node': (text) => mendNodeText(`<node ${text}><prompt>${text}`, ''),
  'a damaged flow': mendedYamlTexts,
  'quoted Markdown': (text) => [closeBlocks(text), quote(text)],
  'a row of CSV': async (text) => {
    const source = (async function* () {
      yield `role,text\nuser,"${text.replaceAll('"', '""')}"\n`;
    })();
    for await (const _ of readCsv('a.csv', source, { entryCharacters: 1e9 }));
  },
  'HTML of a message': plainOf,
  'a shared page': (text) => dataInPage(`streamController.enqueue(${JSON.stringify(text)})`),
  'JSON of Python': (text) => parseLoosely(`{"a": NaN, "b": ${JSON.stringify(text)}}`),
  'a plain transcript': readPlainText,
  'a log of a model': splitTranscript,
  'an XML file': (text) => {
    guardXml(text);
    parseXml('a.xml', `<node>${text.replaceAll(/[<&]/g, '')}</node>`);
  },
  'an answer of an agent': folded,
  'JSON with comments': (text) => blankComments(`/* ${text} */ {"a": "${text}"},`),
};

const [length = '', characters = '', only = ''] = process.argv.slice(2);
const failed = [];
for (const [name, read] of Object.entries(READERS)) {
  if (only !== '' && name !== only) continue;
  for (const character of new Set(characters)) {
    try {
      await read(character.repeat(Number(length)));
    } catch (error) {
      if (error instanceof RangeError) failed.push([name, character, error.message]);
    }
    if (process.env.SHOW_PROGRESS)
      console.error(
        name,
        JSON.stringify(character),
        process.uptime(),
        process.cpuUsage().user / 1e6,
      );
  }
}
console.log(JSON.stringify(failed));
