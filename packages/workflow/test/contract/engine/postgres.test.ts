import { testAgain } from '../../support/engine/again-suite.ts';
import { openOnPostgres, sharedPostgres } from '../../support/engine/open-on-postgres.ts';
import { testResume } from '../../support/engine/resume-suite.ts';

testAgain('on PostgreSQL', openOnPostgres);
testResume('on PostgreSQL', sharedPostgres);
