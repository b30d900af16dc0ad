import { declareStorageSuites } from '../support/storage-suites.ts';
import { onPostgres } from '../support/subjects.ts';

declareStorageSuites('PostgreSQL', onPostgres);
