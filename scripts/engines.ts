import { existsSync, globSync } from 'node:fs';
import { runCommand } from '../launcher/command.ts';

/** What each engine of `e2e/engines` needs, and so does an external PostgreSQL: files, and the Debian packages that contain them. */
const needs = {
  firefox: { files: ['/usr/bin/firefox-esr'], packages: ['firefox-esr'] },
  webkit: {
    files: [
      '/usr/bin/WebKitWebDriver',
      '/usr/bin/Xvfb',
      '/usr/bin/dbus-run-session',
      '/usr/lib/*/girepository-1.0/WebKit2-4.1.typelib',
      '/usr/lib/python3/dist-packages/gi/__init__.py',
      '/usr/lib/*/gstreamer-1.0/libgstlibav.so',
    ],
    packages: [
      ...['webkit2gtk-driver', 'xvfb', 'dbus', 'python3-gi', 'gir1.2-webkit2-4.1', 'gir1.2-gtk-3.0'],
      ...['gstreamer1.0-plugins-bad', 'gstreamer1.0-libav'],
    ],
  },
  'old webkit': {
    files: ['/usr/bin/WPEWebDriver', '/usr/bin/dbus-run-session', '/usr/lib/*/wpe-webkit-1.1/MiniBrowser'],
    packages: ['wpewebkit-driver', 'libwpewebkit-1.1-0', 'dbus'],
  },
  postgresql: { files: ['/usr/bin/pg_dump', '/usr/lib/postgresql/15/bin/postgres'], packages: ['postgresql-15'] },
};

type Engine = keyof typeof needs;

const installWithinMs = 240_000;
const isThere = (file: string) => (file.includes('*') ? globSync(file).length > 0 : existsSync(file));
const isInstalled = (engine: Engine) => needs[engine].files.every(isThere);

/** The engines whose tests can run, after trying to install the others; prints which can't run. */
export async function findEngines(): Promise<Engine[]> {
  const all = Object.keys(needs) as Engine[];
  const missing = all.filter((engine) => !isInstalled(engine));
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('Installing Firefox, WebKit and PostgreSQL for the tests of other engines …\n');
    const options = { quiet: true, timeoutMs: installWithinMs, env: { DEBIAN_FRONTEND: 'noninteractive' } };
    await runCommand('apt-get', ['update'], options);
    // One after the other, since a release of Debian may lack one of them.
    for (const engine of missing)
      await runCommand('apt-get', ['install', '-y', '--no-install-recommends', ...needs[engine].packages], options);
  }
  const absent = all.filter((engine) => !isInstalled(engine));
  if (absent.length > 0)
    process.stdout.write(`The tests with ${absent.join(', ')} don't run: as root on Debian 12 they are installed.\n`);
  return all.filter((engine) => !absent.includes(engine));
}
