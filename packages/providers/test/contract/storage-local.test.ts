import { declareStorageSuites } from '../support/storage-suites.ts';
import { onDisk } from '../support/subjects.ts';

declareStorageSuites('files and SQLite', onDisk);
