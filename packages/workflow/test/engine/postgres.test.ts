import { testAgents } from './agents-suite.ts';
import { testFlows } from './flows-suite.ts';
import { testSteps } from './steps-suite.ts';
import { openOnPostgres } from './support.ts';

testFlows('on PostgreSQL', openOnPostgres);
testAgents('on PostgreSQL', openOnPostgres);
testSteps('on PostgreSQL', openOnPostgres);
