// The calls that go through all files of a project, in one module that the first of them loads.
export { check } from './doctor/check.ts';
export { repair } from './doctor/repair.ts';
export { eraseSpeaker } from './erase/erase-speaker.ts';
export { vacuum } from './erase/vacuum.ts';
export { initProject } from './sharing/init-project.ts';
