import { declareStorageSuites } from '../support/storage-suites.ts';
import { inMemory } from '../support/subjects.ts';

declareStorageSuites('in memory', inMemory);
