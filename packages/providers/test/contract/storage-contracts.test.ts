import {
  testDatabase,
  testFileStore,
  testStorage,
  testTextAnalyzer,
  testTextIndex,
} from '@vizprompt/providers/testing';
import { wordAnalyzer } from '@vizprompt/providers/text';
import { describe, it } from 'vitest';
import { storageKinds } from '../support/subjects.ts';

const runner = { describe, it };

for (const [name, open] of Object.entries(storageKinds)) {
  testStorage({
    name,
    runner,
    open: async () => {
      const { storage, close } = await open();
      return { subject: storage, close };
    },
  });

  testFileStore({
    name,
    runner,
    open: async () => {
      const { storage, reopen, close } = await open();
      const another = async (): Promise<typeof storage.files> => (await reopen()).files;
      return { subject: { files: storage.files, another }, close };
    },
  });

  testDatabase({
    name,
    runner,
    open: async () => {
      const { storage, close } = await open();
      return { subject: storage.database, close };
    },
  });

  testTextIndex({
    name,
    runner,
    open: async () => {
      const { storage, close } = await open();
      return { subject: storage.cache, close };
    },
  });
}

testTextAnalyzer({
  name: 'wordAnalyzer',
  runner,
  open: async () => ({ subject: wordAnalyzer(), close: async () => {} }),
});

testTextAnalyzer({
  name: 'wordAnalyzer with English stems',
  runner,
  open: async () => ({ subject: wordAnalyzer({ stems: 'english' }), close: async () => {} }),
});
