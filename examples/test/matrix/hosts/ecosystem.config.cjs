module.exports = {
  apps: [
    {
      name: 'app',
      script: 'express.mjs',
      exec_mode: 'cluster',
      instances: 2,
      kill_timeout: 30_000,
    },
  ],
};
