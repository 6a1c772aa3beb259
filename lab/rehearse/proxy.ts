import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setDefaultCACertificates } from 'node:tls';
import pg from 'pg';
import sharp from 'sharp';
import { uploadPicture } from '#contract/media.ts';
import { projectRoot } from '../../launcher/command.ts';
import { formOf } from '../../server/test/pictures.ts';
import { mustCall, send } from '../../server/test/proofs/http.ts';
import { createProduct, type Product } from '../../server/test/proofs/product.ts';
import { type Chat, openChats } from '../chaos/chats.ts';
import { findMembers, signIn } from '../product.ts';
import { countOf } from './measure.ts';
import { createProgram, must, until } from './program.ts';
import { startTraffic } from './traffic.ts';

/** The packages that this needs, each with one of its programs. */
export const proxyPackages = {
  nginx: '/usr/sbin/nginx',
  caddy: '/usr/bin/caddy',
  openssl: '/usr/bin/openssl',
  iproute2: '/usr/sbin/ip',
};

const site = 'localhost';
const origin = `https://${site}`;
const demoMembers = 100;
const members = 40;
const requests = 1000;
const perSecond = 20;
const steadyMs = 5000;
const connectsWithinMs = 20_000;
/** A photo of random pixels, which no format makes smaller: just below the 10 MB that the service accepts. */
const photo = { width: 1820, height: 1820, channels: 3 } as const;

/** A proxy whose shipped file is filled in for a folder with the certificate, and started. */
interface Proxy {
  name: string;
  file: string;
  fill(text: string, folder: string): string;
  command(file: string, folder: string): string[];
}

const proxies: Proxy[] = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    // The file is a part of the settings that a package brings; here, the whole is one process that can be killed.
    fill: (text, folder) => `daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
events {}
http {
  access_log off;
  ${text.replaceAll('/etc/letsencrypt/live/dating.example.org', folder).replaceAll('dating.example.org', site)}
}`,
    command: (file) => ['nginx', '-e', 'stderr', '-c', file],
  },
  {
    name: 'Caddy',
    file: 'Caddyfile',
    fill: (text, folder) =>
      text.replace(/^dating\.example\.org \{$/m, `${site} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`),
    command: (file, folder) => ['env', `HOME=${folder}`, 'caddy', 'run', '--adapter=caddyfile', `--config=${file}`],
  },
];

/**
 * Puts both shipped proxies in front of two serving processes, one after the other: a socket has to receive messages, a photo of 10 MB to
 * be accepted, and no request to fail while one process after the other restarts. Returns what was missed.
 */
export async function passProxies(folder: string, say: (text: string) => void): Promise<string[]> {
  await must('ip', 'link', 'set', 'lo', 'up');
  await makeCertificate(folder);
  const worker = await createProduct(join(folder, 'worker'), { MAIL_DRIVER: 'outbox' });
  await worker.start({ SEED: 'demo', SEED_MEMBERS: String(demoMembers) });
  const shared = { DATABASE_URL: worker.databaseUrl(), MEDIA_DIR: join(folder, 'media'), TRUSTED_PROXIES: 'loopback' };
  const declare = (name: string) =>
    createProduct(join(folder, name), { ...shared, MAIL_DRIVER: 'outbox', WORKER: 'off' });
  const apps = [await declare('app1'), await declare('app2')];
  await Promise.all(apps.map((app) => app.start()));
  const pool = new pg.Pool({ connectionString: worker.databaseUrl() });
  const problems: string[] = [];
  for (const proxy of proxies) {
    const text = readFileSync(join(projectRoot, 'deploy/proxy', proxy.file), 'utf8');
    const [first = '', second = ''] = apps.map((app) => new URL(app.origin).host);
    const filled = text.replaceAll('127.0.0.1:3000', first).replaceAll('127.0.0.1:3001', second);
    const file = join(folder, proxy.file);
    writeFileSync(file, proxy.fill(filled, folder));
    const program = createProgram(folder, proxy.name, proxy.command(file, folder), 'root');
    program.start();
    const missed = await pass(pool, apps).catch((error: unknown) => [String(error)]);
    say(`${proxy.name}: ${missed.length === 0 ? `no request of ${requests} and more failed` : missed.join(', ')}`);
    problems.push(...missed.map((one) => `${proxy.name}: ${one}`));
    await program.kill();
  }
  await pool.end();
  await Promise.all([...apps, worker].map((product) => product.clear()));
  return problems;
}

/** What members miss behind the proxy that runs now. */
async function pass(pool: pg.Pool, apps: Product[]): Promise<string[]> {
  await until('an answer', async () => (await send(origin, { method: 'GET', path: '/readyz' })).kind === 'answered');
  const [chat] = await openChats(pool, origin, 1);
  if (chat === undefined) throw new Error('there is no conversation');
  await receive(chat, 'before');
  const tokens = (await signIn(pool, origin, await findMembers(pool, members))).map(({ token }) => token);
  const bytes = await sharp(randomBytes(photo.width * photo.height * photo.channels), { raw: photo })
    .png({ compressionLevel: 0 })
    .toBuffer();
  await mustCall(origin, uploadPicture, { token: tokens[0], form: await formOf({ bytes }) });
  const traffic = await startTraffic(origin, tokens, perSecond);
  try {
    for (const app of apps) {
      await pause(steadyMs);
      await app.end('SIGTERM');
      await app.start();
    }
    await until(`${requests} requests`, () => Promise.resolve(traffic.sent.length >= requests));
  } finally {
    await traffic.stop();
  }
  await receive(chat, 'after');
  for (const device of chat.devices) device.close();
  const failed = traffic.sent.filter(({ isGood }) => !isGood);
  return failed.length === 0
    ? []
    : [`${failed.length} of ${traffic.sent.length} requests failed: ${countOf(failed.map(({ words }) => words))}`];
}

/** Writes messages and waits until each arrives over the sockets of the others, which load nothing once they are connected. */
async function receive({ devices }: Chat, when: string): Promise<void> {
  const everyOne = (what: string, does: (device: (typeof devices)[number]) => boolean) =>
    until(what, () => Promise.resolve(devices.every(does)), connectsWithinMs);
  await everyOne('sockets', (device) => device.isConnected());
  for (const number of [1, 2, 3]) {
    const text = `message ${number} ${when} the restart`;
    await devices[0]?.write(text);
    await everyOne(text, (device) => device.texts().includes(text));
  }
}

/** A certificate for the site that this process trusts, in the files that certbot writes. */
async function makeCertificate(folder: string): Promise<void> {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  const names = ['-subj', `/CN=${site}`, '-addext', `subjectAltName=DNS:${site}`];
  await must('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...names);
  setDefaultCACertificates([readFileSync(certificate, 'utf8')]);
}
