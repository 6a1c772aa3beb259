const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const firstNamed = (table: [RegExp, string][], header: string) => table.find(([pattern]) => pattern.test(header))?.[1];

/** The device behind a User-Agent header in words a person knows ("Firefox on Windows"). */
export function deviceName(userAgent: string | undefined): string {
  const header = userAgent ?? '';
  const browser = firstNamed(browsers, header);
  const system = firstNamed(systems, header);
  if (browser === undefined) return system === undefined ? 'Unknown device' : `App on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
