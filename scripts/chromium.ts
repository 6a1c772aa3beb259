import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { runCommand, runPackage } from '../launcher/command.ts';

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const installWithinMs = 240_000;

/** The message shown when no browser can be found or installed. */
export const noChromium =
  'The browser tests need Chromium, and none could be found or installed: install it (on Debian: apt-get install chromium), or set CHROMIUM to its path.';

/** The path of a working Chromium from `CHROMIUM`, a usual location, or a new installation; null if there is none. */
export async function findChromium(): Promise<string | null> {
  const named = process.env['CHROMIUM'];
  if (named) return (await runs(named)) ? named : null;
  return (await firstThatRuns()) ?? (await installed());
}

async function firstThatRuns(): Promise<string | null> {
  for (const path of [...usualPaths, chromium.executablePath()]) {
    if (await runs(path)) return path;
  }
  return null;
}

async function runs(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  return (await runCommand(path, ['--version'], { quiet: true, timeoutMs: 20_000 })).code === 0;
}

async function installed(): Promise<string | null> {
  process.stdout.write('Installing a Chromium for the browser tests …\n');
  await runPackage('playwright-core/cli.js', ['install', 'chromium'], {
    quiet: true,
    timeoutMs: installWithinMs,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
  });
  const own = await firstThatRuns();
  if (own !== null || process.getuid?.() !== 0) return own;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update'], { quiet: true, timeoutMs: installWithinMs, env });
  await runCommand('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
    quiet: true,
    timeoutMs: installWithinMs,
    env,
  });
  return await firstThatRuns();
}
