import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './command.ts';

const webPort = process.env['WEB_PORT'] ?? '5173';
const webAddress = `http://localhost:${webPort}`;
const env = { ...process.env, WEB_PORT: webPort, PUBLIC_URL: process.env['PUBLIC_URL'] ?? webAddress };
const watched = ['server/src', 'demo', 'server/schema', 'server/migrations', 'server/sql', 'contract/src'].map(
  (path) => `--watch-path=${join(projectRoot, path)}`,
);

// Both reload automatically; Vite keeps the state of an open page where it can.
const commands = [
  [...watched, '--watch-preserve-output', join(projectRoot, 'launcher/serve.ts')],
  [join(projectRoot, 'node_modules/vite/bin/vite.js'), '--logLevel', 'warn'],
];
const children = commands.map((args) => spawn(process.execPath, args, { cwd: projectRoot, env, stdio: 'inherit' }));
process.stdout.write(`The web app with reload: ${webAddress}\n`);

const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
for (const child of children) child.on('exit', stop);
