import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../launcher/command.ts';

const root = join(import.meta.dirname, '..');
const npm = (...args: string[]) => runCommand('npm', [...args, '--loglevel=silent'], { quiet: true });

/** A package in `package-lock.json`. */
interface LockedPackage {
  license?: string;
}

/** Licences that allow use in a closed service; those of the LGPL and MPL cover unmodified libraries, the OFL fonts. */
const allowed = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'Apache-2.0',
    'Zlib',
    'Unlicense',
  ],
  ...['CC0-1.0', 'CC-BY-4.0', 'Python-2.0', 'MPL-2.0', 'LGPL-3.0-or-later', 'OFL-1.1'],
]);

/** Licences that are missing in the lock file, from each package's LICENSE file. */
const stated: Record<string, string> = { 'node_modules/png-js': 'MIT', 'node_modules/xmlhttprequest-ssl': 'MIT' };

/** The packages with a licence that is unknown or not allowed, each with its licence. */
export function refusedLicences(packages: Record<string, LockedPackage>): string[] {
  return Object.entries(packages).flatMap(([path, { license }]) => {
    const expression = stated[path] ?? license ?? 'unknown';
    const names = expression.replaceAll(/[()]/g, '').split(/ (?:and|or) /i);
    return names.every((name) => allowed.has(name)) ? [] : [`${path || 'heartwood'} (${expression})`];
  });
}

interface Audit {
  metadata?: { vulnerabilities: { high: number; critical: number } };
}

function readAudit(text: string): Audit {
  try {
    return JSON.parse(text) as Audit;
  } catch {
    return {};
  }
}

/**
 * Checks the licences of all packages, writes the software bill of materials (CycloneDX) to dist/sbom.cdx.json, and requests
 * known vulnerabilities from the registry. Only the last needs a network; without an answer it prints a note.
 */
async function checkDependencies(): Promise<boolean> {
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

  for (const failure of failures) process.stdout.write(`${failure}\n`);
  return failures.length === 0;
}

if (process.argv[1] === import.meta.filename) process.exit((await checkDependencies()) ? 0 : 1);
