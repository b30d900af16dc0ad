import { runProcess } from '../frame/run-process.ts';
import { ptta } from './tool.ts';

// Agents call ptta on every message: it becomes one CommonJS file, in which nothing can be awaited here.
void runProcess(ptta);
