/** A package in `package-lock.json`. */
export interface LockedPackage {
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
