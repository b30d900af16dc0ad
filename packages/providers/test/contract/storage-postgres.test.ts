import { declareStorageSuites } from '../support/storage-suites.ts';
import { emptiedPostgres, onPostgres } from '../support/subjects.ts';

declareStorageSuites('PostgreSQL', emptiedPostgres(), onPostgres);
