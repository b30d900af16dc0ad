import { smoke } from './smoke.mjs';

smoke().then(
  (found) => console.log(JSON.stringify(found)),
  (error) => {
    console.log(JSON.stringify({ code: error.code, message: error.message }));
    process.exitCode = 1;
  },
);
