import { testAgain } from '../support/engine/again-suite.ts';
import { testAgents } from '../support/engine/agents-suite.ts';
import { testFlows } from '../support/engine/flows-suite.ts';
import { openOnPostgres, sharedPostgres } from '../support/engine/open-on-postgres.ts';
import { testParallel } from '../support/engine/parallel-suite.ts';
import { testResume } from '../support/engine/resume-suite.ts';
import { testSteps } from '../support/engine/steps-suite.ts';

testFlows('on PostgreSQL', openOnPostgres);
testAgents('on PostgreSQL', openOnPostgres);
testParallel('on PostgreSQL', openOnPostgres);
testSteps('on PostgreSQL', openOnPostgres);
testAgain('on PostgreSQL', openOnPostgres);
testResume('on PostgreSQL', sharedPostgres);
