import { spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  openSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot, runCommand } from '../../launcher/command.ts';
import { must, until } from './program.ts';

/** The packages that set up the machine for the page, each with one of its programs. */
export const pagePackages = { debootstrap: '/usr/sbin/debootstrap', 'systemd-container': '/usr/bin/systemd-nspawn' };

const mostMinutes = 20;
const mostSettings = 12;
const administrator = 'you@example.org';
const site = 'heartwood.localhost';
const sender = 'dating.example.org';
/** Packages that a bare server has and a minimal Debian lacks. The last one answers DNS queries for the sender's domain. */
const server = ['systemd', 'systemd-sysv', 'dbus', 'libnss-systemd', 'dnsmasq-base'];

/** Values that only the reader knows, or that can't be reached from here: the repository, the mail server and NodeSource's packages. */
const replacements: [RegExp, string][] = [
  [/^export SITE=.*$/m, `export SITE=${site}`],
  [/^export SMTP_URL=.*$/m, 'export SMTP_URL=smtp://127.0.0.1:2525'],
  [/^export REPOSITORY=.*$/m, 'export REPOSITORY=file:///srv/heartwood.git'],
  // Its output is compared below.
  [/^heartwood-run doctor$/m, 'heartwood-run doctor || true'],
  [/^.*nodesource.*\n.*nodejs$/m, 'node --version'],
];

/** Accepts every mail and lists the recipients in a file. */
const mailServer = `
  import { writeFileSync } from 'node:fs';
  import { startSmtpSink } from './server/test/doubles/smtp-sink.ts';
  const { mails } = await startSmtpSink(2525);
  setInterval(() => writeFileSync('/srv/mails', mails.map(({ to }) => to).join()), 200);`;

interface Block {
  heading: string;
  text: string;
}

/** The fenced blocks of the page in order, each with the heading above it. Those with a language are another way, which isn't followed. */
export function readBlocks(): Block[] {
  const text = readFileSync(join(projectRoot, 'docs/operating/first-server.md'), 'utf8');
  let heading = '';
  return [...text.matchAll(/^#+ (.*)$|^```(?:\w+\n[^]*?|\n([^]*?))^```$/gm)].flatMap(([, title, block]) => {
    heading = title ?? heading;
    const filled = replacements.reduce((words, [from, to]) => words.replace(from, to), block ?? '');
    return filled === '' ? [] : [{ heading, text: filled }];
  });
}

/** A machine with systemd that has only its own isolated network. */
interface Machine {
  /** Runs a script as root, with the variables that earlier ones exported; throws with its output if a command fails. */
  run(script: string): Promise<string>;
}

/**
 * Follows the page "From an empty server to members" word by word on a bare Debian below `folder`, as its reader would, then updates and
 * removes the installation as the page says. Returns what the reader would have to guess.
 */
export async function followPage(folder: string, say: (text: string) => void): Promise<string[]> {
  const blocks = readBlocks();
  const root = join(folder, 'debian');
  say('Putting a bare Debian together …');
  await makeDebian(root);
  const prepared = performance.now();
  await download(root, blocks.map(({ text }) => text).join('\n'));
  const machine = await boot(folder, root);
  const problems: string[] = [];
  for (const { heading, text } of blocks) {
    say(`${heading}: ${text.split('\n').length - 1} lines`);
    const output = await machine.run(text).catch(async (error: unknown) => {
      const log = await machine.run(
        `journalctl --output=cat --lines=60 --unit='heartwood*' --unit='prometheus*' || true`,
      );
      throw new Error(`${String(error)}\n${log}`, { cause: error });
    });
    problems.push(...((await checks[heading]?.(machine, output)) ?? []));
    if (heading !== '10. Look once more') continue;
    const minutes = (performance.now() - prepared) / 60_000;
    say(`Members can join after ${minutes.toFixed(1)} minutes.`);
    if (minutes > mostMinutes) problems.push(`it took ${minutes.toFixed(0)} minutes`);
  }
  return problems;
}

/** What the reader expects below a heading, by its text; each returns what is missing. */
export const checks: Record<string, (machine: Machine, output: string) => Promise<string[]>> = {
  async '2. The service'({ run }, output) {
    // Bash goes on after a list of commands in which one of the first failed.
    if ((await run('readlink /opt/heartwood || true')) === '') throw new Error(`There is no build:\n${output}`);
    // From here on, a mail server accepts everything, and the sender's domain has its three DNS records.
    await run(
      `systemd-run --quiet --unit=mails --working-directory=/opt/heartwood node --input-type=module --eval "${mailServer}"`,
    );
    return [];
  },
  async '4. Settings'({ run }) {
    const names = await run('cat /etc/heartwood/* | grep --only-matching "^[A-Z_]*" | sort -u');
    const count = names.trim().split('\n').length;
    return count > mostSettings ? [`there are ${count} settings`] : [];
  },
  async '5. Start'({ run }) {
    await run('systemd-analyze verify /etc/systemd/system/heartwood*');
    return [];
  },
  async '6. The front door'({ run }) {
    // This machine's certificate authority replaces a public one, so programs have to trust it.
    await run(`
      until test -f /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt; do sleep 1; done
      cp /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt /usr/local/share/ca-certificates/
      update-ca-certificates
      echo NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt >> /etc/heartwood/serve
      curl --fail --silent --show-error --retry 10 --retry-all-errors https://${site}/readyz`);
    return [];
  },
  async '7. Mail'({ run }) {
    const recipients = await run('sleep 1; cat /srv/mails');
    return recipients.includes(administrator) ? [] : ['the test mail did not arrive'];
  },
  async '8. The first administrator'({ run }) {
    const who = await run(`su - postgres -c "psql --tuples-only --command 'select email from account' heartwood"`);
    return who.trim() === administrator ? [] : [`the accounts are ${who.trim()}`];
  },
  async '9. Backups'({ run }) {
    // Whoever reads the page takes longer than processes do until they are first seen.
    const log = await run(
      'sleep 20; ls -d /var/lib/heartwood-backups/heartwood-*; journalctl --output=cat --unit=heartwood-backup',
    );
    return log.includes('can be restored') ? [] : ['there was no drill'];
  },
  async '10. Look once more'({ run }, output) {
    // A member who opens the app, with all its files, until a request fails.
    await run(`cat > /srv/member <<'MEMBER'
set -euo pipefail
while page=$(curl -fs https://${site}/); do
  for file in $(grep -o '/assets/[^"]*' <<< "$page"); do curl -fs -o /dev/null https://${site}$file; done
  sleep 0.1
done
MEMBER
systemd-run --quiet --unit=member bash /srv/member`);
    // Certificates from this machine's authority always expire within a day.
    return output.split('\n').filter((line) => line.startsWith('LOOK') && !line.includes('Certificates: This service'));
  },
  async '11. Alerts'({ run }) {
    const up = `curl -fs 'http://127.0.0.1:9090/api/v1/query?query=count(up==1)' | grep -o '"[0-9]*"\\]' || true`;
    return (await run(`sleep 40; ${up}`)).trim() === '"3"]' ? [] : ['Prometheus does not reach all processes'];
  },
  async 'A new release'({ run }) {
    const state = await run('{ systemctl is-active member && systemctl stop member; } || true');
    return state.trim() === 'active' ? [] : ['a request failed during the upgrade'];
  },
  async Restore({ run }) {
    const who = await run(`curl -fs https://${site}/readyz > /dev/null
      su - postgres -c "psql --tuples-only --command 'select email from account' heartwood"`);
    return who.trim() === administrator ? [] : [`the restored accounts are ${who.trim()}`];
  },
  async Uninstall({ run }) {
    const left =
      await run(`ls --directory /etc/systemd/system/*heartwood* /opt/* /var/lib/*heartwood* 2>/dev/null || true
      getent passwd | grep heartwood || true
      su - postgres -c "psql --tuples-only --command 'select datname from pg_database'" | grep heartwood || true`);
    return left === '' ? [] : [`these are left: ${left}`];
  },
};

async function makeDebian(root: string): Promise<void> {
  await must('debootstrap', '--variant=minbase', `--include=${server.join(',')}`, 'bookworm', root);
  // The Node that runs this file is at least the version that the page requires.
  const npm = dirname(dirname(realpathSync((await must('which', 'npm')).trim())));
  copyFileSync(process.execPath, join(root, 'usr/bin/node'));
  cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${site}\n`);
}

/**
 * Downloads everything that the blocks will install, because the machine has no internet access, and the repository with the tags that they
 * name.
 */
async function download(root: string, text: string): Promise<void> {
  const packages = [...text.matchAll(/apt-get install --yes --no-install-recommends (.*)/g)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const [tag = 'none', next = 'none'] = new Set(text.match(/\bv\d+\.\d+\.\d+\b/g));
  const repository = join(root, 'srv/heartwood.git');
  const release = join(root, 'srv/release');
  await must('git', 'init', '--quiet', '--bare', repository);
  await must('git', 'clone', '--quiet', projectRoot, release);
  const git = (...args: string[]) => must('git', '-C', release, ...args);
  await git('push', '--quiet', repository, 'HEAD:refs/heads/main', `HEAD:refs/tags/${tag}`);
  // The next release has another file for browsers.
  appendFileSync(join(release, 'web/src/main.tsx'), "document.documentElement.dataset['release'] = 'next';\n");
  const author = ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@example.org'];
  await git(...author, 'commit', '--quiet', '--all', '--message=The next release');
  await git('push', '--quiet', repository, `HEAD:refs/tags/${next}`);
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  const apt = (...args: string[]) =>
    must('systemd-nspawn', ...machineOf(root), '--quiet', '--pipe', 'apt-get', ...args);
  await apt('update');
  await apt('install', '--yes', '--no-install-recommends', '--download-only', ...packages);
  writeFileSync(join(root, 'etc/resolv.conf'), 'nameserver 127.0.0.1\n');
  const scratch = join(root, 'srv/packages');
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(projectRoot, file), join(scratch, file));
  const registry = await must('npm', 'config', 'get', 'registry');
  await must('npm', 'ci', '--ignore-scripts', `--prefix=${scratch}`, `--cache=${join(root, 'root/.npm')}`);
  writeFileSync(join(root, 'root/.npmrc'), `offline=true\nregistry=${registry}`);
}

/** A machine in a folder, which is isolated from the host system. */
const machineOf = (root: string) => [
  `--directory=${root}`,
  '--register=no',
  '--keep-unit',
  '--resolv-conf=off',
  '--link-journal=no',
];

async function boot(folder: string, root: string): Promise<Machine> {
  const log = openSync(join(folder, 'debian.log'), 'a');
  const options = [...machineOf(root), '--boot', '--private-network'];
  const nspawn = spawn('systemd-nspawn', options, { stdio: ['ignore', log, log] });
  /** The first process of the machine. */
  const init = () => readFileSync(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`, 'utf8').trim();
  const run = async (script: string, variables = 'root/variables') => {
    const file = join(root, 'root/script');
    writeFileSync(file, `set -euo pipefail\n. /${variables}\n${script}\nexport -p > /${variables}\n`);
    const enter = ['--all', `--target=${init()}`, 'env', '--chdir=/root', '--ignore-environment', 'HOME=/root'];
    // What the reader types when a command asks for a password.
    const typed = 'echo a phrase for the first one | bash script';
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const { code, output } = await runCommand('nsenter', [...enter, path, 'sh', '-c', typed], {
      quiet: true,
    });
    if (code !== 0) throw new Error(`This ended with ${code}:\n${script}\n${output}`);
    return output;
  };
  writeFileSync(join(root, 'root/variables'), '');
  await until('systemd', async () => /running|degraded/.test(await run('systemctl is-system-running || true')));
  const names = [`${sender},v=spf1 -all`, `_dmarc.${sender},v=DMARC1`, `_domainkey.${sender},v=DKIM1`];
  const records = names.map((record) => `"--txt-record=${record}"`).join(' ');
  await run(`systemd-run --quiet --unit=names dnsmasq --keep-in-foreground --no-resolv --user=root ${records}`);
  return { run };
}
