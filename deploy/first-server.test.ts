import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '#platform/config/config.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the files for proxies', () => {
  const nginx = read('deploy/proxy/nginx.conf');
  const caddy = read('deploy/proxy/Caddyfile');

  it('lead to the ports of the page for the first server', () => {
    const [, words = ''] =
      /enable --now heartwood-migrate (.*) heartwood-worker/.exec(read('docs/operating/first-server.md')) ?? [];
    const ports = words.split(' ').map((unit) => `127.0.0.1:${unit.replace('heartwood@', '')}`);
    expect(ports).toHaveLength(2);
    expect([...nginx.matchAll(/^ {2}server (\S+) max_fails=0;$/gm)].map(([, address]) => address)).toEqual(ports);
    expect(/reverse_proxy (.*) \{/.exec(caddy)?.[1]).toBe(ports.join(' '));
  });

  it.each([
    [
      'sockets',
      /proxy_http_version 1\.1;\n.*[^]*Upgrade \$http_upgrade;\n *proxy_set_header Connection \$heartwood_connection;/,
    ],
    ['connections that stay open only for them', /\$heartwood_connection \{\n +default upgrade;\n +'' close;/],
    ['the address of the visitor', /X-Forwarded-For \$remote_addr;/],
    ['the next process for requests that none has read', /proxy_next_upstream error;/],
    ['renewals of certificates', /location \/\.well-known\/acme-challenge\/ \{/],
  ])('let nginx pass on %s', (_, words) => {
    expect(nginx).toMatch(words);
  });

  it('let nginx pass on uploads of the size that the service accepts, and sockets between two signs of life', () => {
    const numberIn = (pattern: RegExp) => Number(pattern.exec(nginx)?.[1]);
    const { media } = readConfig({});
    expect(numberIn(/client_max_body_size (\d+)m;/) * 1024 * 1024).toBeGreaterThan(media.maxUploadBytes);
    expect(numberIn(/proxy_read_timeout (\d+)s;/)).toBeGreaterThan(25 + 20);
    expect(numberIn(/proxy_connect_timeout (\d+)s;/)).toBeLessThanOrEqual(5);
  });

  it('let Caddy send nothing to a process that stops, which says so for half a second', () => {
    const [, milliseconds] = /health_uri \/healthz\n\s+health_interval (\d+)ms\n/.exec(caddy) ?? [];
    expect(Number(milliseconds)).toBeLessThanOrEqual(200);
    // One lost answer would keep all requests from a process that works.
    expect(caddy).not.toMatch(/fail_duration/);
    // A limit of its own would refuse photos; without one, Caddy passes on any size and sockets.
    expect(caddy).not.toMatch(/request_body|header_up/);
  });
});

describe('the scripts for systemd', () => {
  /** Runs a script of the units; the programs that it calls are replaced by one that prints how it is called. */
  async function printedBy(script: string, words: string[], variables: Record<string, string> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'heartwood-units-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ['systemctl', 'systemd-run', 'journalctl', 'rm'])
      writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
    const PATH = `${folder}:${process.env['PATH']}`;
    const child = spawn('sh', [join(root, 'deploy/systemd', script), ...words], { env: { PATH, ...variables } });
    const [lines, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { lines: lines.trimEnd().split('\n'), code: code as number };
  }

  it.each([
    [['backup'], ['systemctl start heartwood-backup']],
    [
      ['restore', '--drill'],
      ['rm -f /var/lib/heartwood-backups/drilled', 'systemctl start heartwood-backup'],
    ],
  ])('leave to the unit of backups what heartwood-run does with %s', async (words, started) => {
    const { lines, code } = await printedBy('heartwood-run', words);
    expect([lines.slice(0, -1), code]).toEqual([started, 0]);
    expect(lines.at(-1)).toMatch(/^journalctl .*--unit=heartwood-backup/);
  });

  it.each([
    { words: ['restore', '/var/lib/heartwood-backups'], files: ['migrate', 'serve', 'worker'] },
    { words: ['admin:create', '--email', 'you@example.org'], files: ['serve', 'worker'] },
  ])('give heartwood-run $words the settings of $files', async ({ words, files }) => {
    const [line = '', ...more] = (await printedBy('heartwood-run', words)).lines;
    expect(more).toEqual([]);
    expect([...line.matchAll(/EnvironmentFile=\/etc\/heartwood\/(\w+)/g)].map(([, name]) => name)).toEqual(files);
    const [command = '', ...rest] = words;
    expect(line).toMatch(new RegExp(`npm run --silent ${command} -- ${rest.join(' ')}$`));
    // Where the service keeps its pictures.
    const [, folder = 'none'] = /DATA_DIR=(\S+)/.exec(line) ?? [];
    expect(read('deploy/systemd/heartwood@.service')).toContain(`DATA_DIR=${folder} `);
  });

  it('start the next process once this one answers, and fail if it ended before', async () => {
    const statuses = [503, 200];
    const server = createServer((_, response) => response.writeHead(statuses.shift() ?? 503).end());
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect(read('deploy/systemd/heartwood@.service')).toMatch(/^ExecStartPost=\/bin\/sh deploy\/systemd\/ready %i$/m);
    expect(await printedBy('ready', [`${port}`], { MAINPID: `${process.pid}` })).toMatchObject({ code: 0 });
    const ended = spawn('true');
    await once(ended, 'exit');
    expect(await printedBy('ready', [`${port}`], { MAINPID: `${ended.pid}` })).toMatchObject({ code: 1 });
  });
});
