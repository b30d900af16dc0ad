import { resolve } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import { readInput } from '../../frame/read-input.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { DialogoiMessages } from '../messages/en.ts';

export const dictionaryCommand: CommandModule<DialogoiMessages> = {
  examples: ['dialogoi dictionary --out ./ipadic.bin'],
  define(command, cli) {
    command.requiredOption('--out <file>', cli.text.dictionary.out).action(async ({ out }) => {
      const { compactAnalyzer } = await import('@vizprompt/rag');
      using bar = new ProgressBar(cli.err, out);
      const { id } = await compactAnalyzer({
        dictionary: out,
        signal: cli.signal,
        onProgress: (share) => bar.update(Math.round(share * 100), 100),
      });
      bar.close();
      await cli.print({ file: out, id }, () => cli.text.dictionary.written(out));
    });
  },
};

/** The list that `sudachi` names, of the commit that was tried. */
const SUDACHI = {
  address:
    'https://raw.githubusercontent.com/WorksApplications/SudachiDict/2c7cbcf2914edaccab53a28ae0d3e4befb524053/src/main/text/synonyms.txt',
  notice: `SudachiDict (https://github.com/WorksApplications/SudachiDict), src/main/text/synonyms.txt
Copyright (c) 2017-2023 Works Applications Co., Ltd.
Licensed under the Apache License, Version 2.0: http://www.apache.org/licenses/LICENSE-2.0
Changed: compiled, without words of one or two Latin letters.`,
};

/** The largest list. */
const MAX_BYTES = 64 << 20;

const TIMEOUT_MS = 60_000;

export const thesaurusCommand: CommandModule<DialogoiMessages> = {
  examples: [
    'dialogoi thesaurus sudachi --out config/thesaurus.bin',
    "dialogoi thesaurus words.txt --out config/thesaurus.bin --notice 'our own'",
  ],
  define(command, cli) {
    const { text } = cli;
    command
      .argument('<source>', text.thesaurus.source)
      .requiredOption('--out <file>', text.thesaurus.out)
      .option('--notice <text>', text.thesaurus.notice)
      .action(async (source, { out, notice }) => {
        const isSudachi = source === 'sudachi';
        const kept = notice ?? (isSudachi ? SUDACHI.notice : undefined);
        if (kept === undefined) throw new CliError('usage', text.thesaurus.noNotice);
        const address = isSudachi ? SUDACHI.address : source;
        const isAddress = /^https?:\/\//i.test(address);
        const list = isAddress ? await download(cli, address) : await readInput(cli, source);
        const { compactAnalyzer, compileThesaurus } = await import('@vizprompt/rag');
        const analyzer = await compactAnalyzer({ signal: cli.signal });
        const path = resolve(cli.cwd, out);
        const facts = compileThesaurus({ source: list, analyzer, path, notice: kept });
        await cli.print({ file: out, ...facts }, () => text.thesaurus.written(out, facts));
      });
  },
};

/**
 * Downloads a text.
 *
 * @throws CliError `input-unreadable` if there is none, it is too long, or takes longer than a minute.
 */
async function download(cli: Cli<DialogoiMessages>, address: string): Promise<string> {
  try {
    const signal = AbortSignal.any([cli.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(address, { signal });
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    let bytes = 0;
    for await (const piece of response.body) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
      text += decoder.decode(piece, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    cli.signal.throwIfAborted();
    const message = cli.text.thesaurus.cannotLoad(address, messageOf(error));
    throw new CliError('input-unreadable', message, { cause: error, context: { address } });
  }
}
