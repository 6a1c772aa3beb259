import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../launcher/command.ts';
import { refusedLicences, type LockedPackage } from './licences.ts';

// Checks the licences of all packages, writes the software bill of materials (CycloneDX) to dist/sbom.cdx.json, and requests
// known vulnerabilities from the registry. Only the last needs a network; without an answer it prints a note.
const root = join(import.meta.dirname, '..');
const npm = (...args: string[]) => runCommand('npm', [...args, '--loglevel=silent'], { quiet: true });
const failures: string[] = [];

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
for (const refused of refusedLicences(lock.packages)) failures.push(`licence not allowed: ${refused}`);

const sbom = await npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx');
if (sbom.code === 0) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist/sbom.cdx.json'), sbom.output);
} else failures.push(`npm sbom ended with ${sbom.code}`);

interface Audit {
  metadata?: { vulnerabilities: { high: number; critical: number } };
}
const audit = await npm(
  'audit',
  '--json',
  '--omit=dev',
  '--package-lock-only',
  '--fetch-retries=0',
  '--fetch-timeout=20000',
);
const found = readAudit(audit.output).metadata?.vulnerabilities;
if (found === undefined) process.stdout.write('note: vulnerabilities not checked, the registry returned no audit\n');
else if (found.high + found.critical > 0)
  failures.push(`${found.high + found.critical} serious vulnerabilities: run npm audit --omit=dev`);

function readAudit(text: string): Audit {
  try {
    return JSON.parse(text) as Audit;
  } catch {
    return {};
  }
}

for (const failure of failures) process.stdout.write(`${failure}\n`);
process.exit(failures.length > 0 ? 1 : 0);
